import type {Translation} from '../translation.js'

/** Brazilian Portuguese. */
export const translation: Translation = {
  dir: 'ltr',
  title: 'Pagar com criptomoedas',
  status: {
    idle: '',
    loading: 'Carregando o pagamento…',
    unavailable: 'Não é possível mostrar o pagamento no momento',
    choosing: 'Escolha como pagar',
    quoting: 'Calculando o valor exato…',
    paying: 'Aguardando seu pagamento',
    confirming: 'Seu pagamento está sendo confirmado',
    underpaid: 'Parte do valor chegou',
    paid: 'Pagamento concluído',
    overpaid: 'Pagamento concluído',
    expired: 'O prazo para pagar terminou',
    cancelled: 'Este pagamento foi cancelado',
  },

  testBadge: 'Teste',
  timeLeft: 'Tempo restante',
  timeIsUp: 'O prazo terminou, verificando…',
  minutesLeft: {one: 'Resta {count} minuto para pagar.', other: 'Restam {count} minutos para pagar.'},
  close: 'Fechar',
  back: 'Pagar de outra forma',
  retry: 'Tentar novamente',
  chargeId: 'Número do pagamento',
  received: 'Recebido',
  stillDue: 'Falta pagar',

  search: 'Buscar moeda ou rede',
  assets: 'Moedas',
  found: {one: '{count} moeda encontrada.', other: '{count} moedas encontradas.'},
  nothingFound: 'Nada encontrado. Tente outro nome.',
  notNow: 'Indisponível no momento',
  networkCount: {one: '{count} rede', other: '{count} redes'},
  chooseNetwork: 'Por qual rede você vai enviar {symbol}?',
  pegged: 'Aqui é um token, não a blockchain própria da moeda',
  legacy: 'Token antigo',
  confirmationTime: {
    'under-a-minute': 'Normalmente menos de um minuto',
    minutes: 'Normalmente de 1 a 3 minutos, até 20',
  },
  gettingAmount: 'Calculando o valor exato…',
  lastUsed: 'Último uso',
  earlierWorks:
    'Já enviou dinheiro? O endereço que você viu continua válido, e o que você enviou será detectado.',

  keepsTrying: 'Esta página continua tentando.',
  alarm: 'Não envie dinheiro',
  alarmEarlier: 'Não envie mais nada para este endereço, ele não é mais seguro:',
  alarmContact: 'Se você já enviou, entre em contato com a loja e informe o número do pagamento.',
  alerts: {
    payment_unreadable:
      'Não é possível ler os dados de um pagamento, por isso não é certo quanto ainda falta.',
    price_mismatch: 'O serviço de pagamento tem para este pagamento um preço diferente do da loja.',
  },
  alertContact: 'Não pague agora. Entre em contato com a loja e informe o número do pagamento.',
  alertEarlier: 'Por enquanto, não envie nada para o endereço que você viu:',
  paymentDropped: 'Um pagamento não chegou: ele falhou ou a rede o descartou.',
  payAgain:
    'Você pode pagar de novo. Se a sua carteira mostrar esse pagamento como enviado, fale antes com a loja.',
  closed: 'Não é possível pagar no momento. Entre em contato com a loja.',
  problems: {
    offline: 'Parece que você está sem conexão com a internet.',
    unreachable: 'O serviço de pagamento está inacessível no momento.',
    refused: 'Este pagamento não pode ser mostrado aqui. Volte para a loja.',
    closed: 'Esta forma de pagamento está indisponível no momento. Escolha outra.',
    'not-activated': 'Não foi possível preparar esta forma de pagamento. Tente novamente ou escolha outra.',
    outdated: 'A situação deste pagamento mudou. Verificando…',
    'load-failed': 'Não foi possível carregar uma parte desta página. Verifique sua conexão.',
  },
  reference: 'Referência',
  colon: ': ',

  sendExactly: 'Envie exatamente',
  plusFees: 'O valor precisa chegar completo: some a ele a taxa da sua carteira ou corretora.',
  toAddress: 'Para este endereço',
  sendOnly:
    'Envie somente {symbol} pela rede {network}. Qualquer outra coisa enviada para este endereço pode ser perdida.',
  peggedWarning: 'Este é o token {symbol} na rede {network}, não {symbol} na própria blockchain.',
  legacyWarning: 'Este é um token antigo que já foi substituído. Confirme que é este que você tem.',
  copy: 'Copiar',
  copyDone: 'Copiado',
  copyNames: {amount: 'Copiar valor', address: 'Copiar endereço', receipt: 'Copiar recibo'},
  copied: {amount: 'Valor copiado', address: 'Endereço copiado', receipt: 'Recibo copiado'},
  copyByHand: 'Não foi permitido copiar. O texto está selecionado: copie com o teclado ou pelo menu.',
  openWallet: 'Abrir na carteira',
  qrAddress:
    'QR code do endereço {address}. Envie para ele exatamente {amount} {symbol} pela rede {network}.',
  qrRequest:
    'QR code de uma solicitação de pagamento de {amount} {symbol} pela rede {network} para o endereço {address}.',
  qrShowRequest: 'QR code com valor',
  qrShowAddress: 'QR code só do endereço',
  qrCheckReceiver:
    'Sua carteira deve mostrar exatamente este endereço como destinatário. Caso contrário, não envie.',
  priceMayHaveChanged: 'O preço pode ter mudado desde que este valor foi calculado. Você ainda pode pagá-lo.',
  newerAmount: 'Há um valor mais recente. Você ainda pode pagar este.',
  renew: 'Obter um novo valor',
  amountChanged: 'O valor mudou: era {before}, agora é {now} {symbol}.',
  watching: 'Esta página detecta seu pagamento automaticamente.',

  payRemaining: 'Pagar o restante',
  underpaidHint: 'O que você enviou chegou e conta. Pague o restante para concluir o pagamento.',
  remainingTooLate:
    'O prazo para pagar terminou, por isso o restante não pode ser pago aqui. Entre em contato com a loja.',
  confirmingHint:
    'Seu pagamento foi detectado na rede. Não é preciso fazer mais nada: você pode fechar esta página.',
  paidHint: 'Obrigado. Seu pagamento chegou completo.',
  settledHint: 'Obrigado. Não há mais nada a pagar.',
  overpaidHint:
    'Você enviou mais do que o solicitado: {paid} em vez de {price}. Entre em contato com a loja sobre a diferença.',
  expiredHint:
    'Não envie mais nada. Se você já pagou, pode fechar esta página com tranquilidade: seu pagamento será detectado mesmo assim.',
  cancelledHint: 'Não envie mais nada. Se você já enviou, seu pagamento será detectado mesmo assim.',
  help: 'Algo errado? Informe o número do pagamento à loja.',
  payments: 'Pagamentos',

  receipt: 'Recibo',
  price: 'Preço',
  description: 'Referente a',
  transaction: 'Transação',
  confirmed: 'confirmado',
  unconfirmed: 'ainda não confirmado',
  dropped: 'falhou ou descartado',
  opensNewTab: 'abre em uma nova aba',
  continueToShop: 'Continuar para a loja',
  redirecting: {
    one: 'De volta à loja em {count} segundo.',
    other: 'De volta à loja em {count} segundos.',
  },
  stayHere: 'Ficar aqui',

  leaveTitle: 'Fechar este pagamento?',
  leaveHint: 'O que você enviou não está perdido: será detectado mesmo assim. Você pode voltar e continuar.',
}
