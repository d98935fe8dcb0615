import type {Translation} from '../translation.js'

export const translation: Translation = {
  dir: 'ltr',
  title: 'Pagar con criptomonedas',
  status: {
    idle: '',
    loading: 'Cargando el pago…',
    unavailable: 'El pago no se puede mostrar en este momento',
    choosing: 'Elija cómo pagar',
    quoting: 'Calculando el importe exacto…',
    paying: 'Esperando su pago',
    confirming: 'Su pago se está confirmando',
    underpaid: 'Ha llegado una parte del importe',
    paid: 'Pago completado',
    overpaid: 'Pago completado',
    expired: 'El plazo para pagar ha terminado',
    cancelled: 'Este pago se ha cancelado',
  },

  testBadge: 'Prueba',
  timeLeft: 'Tiempo restante',
  timeIsUp: 'Plazo terminado, comprobando…',
  minutesLeft: {one: 'Queda {count} minuto para pagar.', other: 'Quedan {count} minutos para pagar.'},
  close: 'Cerrar',
  back: 'Pagar de otra forma',
  retry: 'Intentar de nuevo',
  chargeId: 'Número de pago',
  received: 'Recibido',
  stillDue: 'Pendiente',

  search: 'Buscar moneda o red',
  assets: 'Monedas',
  found: {one: '{count} moneda encontrada.', other: '{count} monedas encontradas.'},
  nothingFound: 'Sin resultados. Pruebe con otro nombre.',
  notNow: 'No disponible ahora',
  networkCount: {one: '{count} red', other: '{count} redes'},
  chooseNetwork: '¿Por qué red enviará {symbol}?',
  pegged: 'Aquí es un token, no la blockchain propia de la moneda',
  legacy: 'Token antiguo',
  confirmationTime: {
    'under-a-minute': 'Normalmente menos de un minuto',
    minutes: 'Normalmente de 1 a 3 minutos, hasta 20',
  },
  gettingAmount: 'Calculando el importe exacto…',
  lastUsed: 'Último uso',
  earlierWorks:
    '¿Ya ha enviado dinero? La dirección que vio sigue siendo válida y lo que envió se detectará.',

  keepsTrying: 'Esta página sigue intentándolo.',
  alarm: 'No envíe dinero',
  alarmEarlier: 'No envíe nada más a esta dirección, ya no es segura:',
  alarmContact: 'Si ya ha enviado algo, comuníquese con la tienda e indique el número de pago.',
  alerts: {
    payment_unreadable:
      'No se pueden leer los datos de un pago, así que no es seguro cuánto falta por pagar.',
    price_mismatch: 'El servicio de pago tiene para este pago un precio distinto al de la tienda.',
  },
  alertContact: 'No pague ahora. Comuníquese con la tienda e indique el número de pago.',
  alertEarlier: 'Por ahora, no envíe nada a la dirección que vio:',
  paymentDropped: 'Un pago no ha llegado: falló o la red lo descartó.',
  payAgain:
    'Puede pagar de nuevo. Si su billetera muestra ese pago como enviado, comuníquese antes con la tienda.',
  closed: 'De momento no se puede pagar. Comuníquese con la tienda.',
  problems: {
    offline: 'Parece que no tiene conexión a internet.',
    unreachable: 'El servicio de pago no está accesible en este momento.',
    refused: 'Este pago no se puede mostrar aquí. Vuelva a la tienda.',
    closed: 'Esta forma de pago no está disponible en este momento. Elija otra.',
    'not-activated': 'No se ha podido preparar esta forma de pago. Inténtelo de nuevo o elija otra.',
    outdated: 'El estado de este pago ha cambiado. Comprobando…',
    'load-failed': 'No se ha podido cargar una parte de esta página. Compruebe su conexión.',
  },
  reference: 'Referencia',
  colon: ': ',

  sendExactly: 'Envíe exactamente',
  plusFees: 'El importe debe llegar completo: añada la comisión de su billetera o exchange.',
  toAddress: 'A esta dirección',
  sendOnly:
    'Envíe solo {symbol} por la red {network}. Cualquier otra cosa que se envíe a esta dirección puede perderse.',
  peggedWarning: 'Este es el token {symbol} en la red {network}, no {symbol} en su propia blockchain.',
  legacyWarning: 'Este es un token antiguo que ya se ha sustituido. Asegúrese de que es el que usted tiene.',
  copy: 'Copiar',
  copyDone: 'Copiado',
  copyNames: {amount: 'Copiar importe', address: 'Copiar dirección', receipt: 'Copiar recibo'},
  copied: {amount: 'Importe copiado', address: 'Dirección copiada', receipt: 'Recibo copiado'},
  copyByHand: 'No se ha permitido copiar. El texto está seleccionado: cópielo con el teclado o el menú.',
  openWallet: 'Abrir en la billetera',
  qrAddress:
    'Código QR de la dirección {address}. Envíe a ella exactamente {amount} {symbol} por la red {network}.',
  qrRequest:
    'Código QR de una solicitud de pago de {amount} {symbol} por la red {network} a la dirección {address}.',
  qrShowRequest: 'Código QR con importe',
  qrShowAddress: 'Código QR sin importe',
  qrCheckReceiver:
    'Su billetera debe mostrar exactamente esta dirección como destinatario. Si no es así, no envíe nada.',
  priceMayHaveChanged:
    'El precio puede haber cambiado desde que se calculó este importe. Todavía puede pagarlo.',
  newerAmount: 'Hay un importe más reciente. Todavía puede pagar este.',
  renew: 'Obtener un importe nuevo',
  amountChanged: 'El importe ha cambiado: antes {before}, ahora {now} {symbol}.',
  watching: 'Esta página detectará su pago automáticamente.',

  payRemaining: 'Pagar el resto',
  underpaidHint: 'Lo que envió ha llegado y cuenta. Pague el resto para completar el pago.',
  remainingTooLate:
    'El plazo para pagar ha terminado, así que el resto no se puede pagar aquí. Comuníquese con la tienda.',
  confirmingHint: 'Su pago se ha detectado en la red. No tiene que hacer nada más: puede cerrar esta página.',
  paidHint: 'Gracias. Su pago ha llegado completo.',
  settledHint: 'Gracias. No queda nada por pagar.',
  overpaidHint:
    'Envió más de lo solicitado: {paid} en lugar de {price}. Comuníquese con la tienda por la diferencia.',
  expiredHint:
    'No envíe nada más. Si ya ha pagado, puede cerrar esta página con tranquilidad: su pago se detectará de todos modos.',
  cancelledHint: 'No envíe nada más. Si ya ha enviado algo, su pago se detectará de todos modos.',
  help: '¿Algo no va bien? Indique el número de pago a la tienda.',
  payments: 'Pagos',

  receipt: 'Recibo',
  price: 'Precio',
  description: 'Concepto',
  transaction: 'Transacción',
  confirmed: 'confirmado',
  unconfirmed: 'aún sin confirmar',
  dropped: 'fallido o descartado',
  opensNewTab: 'se abre en una pestaña nueva',
  continueToShop: 'Continuar a la tienda',
  redirecting: {
    one: 'Volverá a la tienda en {count} segundo.',
    other: 'Volverá a la tienda en {count} segundos.',
  },
  stayHere: 'Quedarse aquí',

  leaveTitle: '¿Cerrar este pago?',
  leaveHint: 'Lo que ha enviado no se pierde: se detectará de todos modos. Puede volver y continuar.',
}
