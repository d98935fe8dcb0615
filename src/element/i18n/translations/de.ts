import type {Translation} from '../translation.js'

export const translation: Translation = {
  dir: 'ltr',
  title: 'Mit Kryptowährung bezahlen',
  status: {
    idle: '',
    loading: 'Die Zahlung wird geladen …',
    unavailable: 'Die Zahlung kann nicht angezeigt werden',
    choosing: 'Wie möchten Sie bezahlen?',
    quoting: 'Der genaue Betrag wird ermittelt …',
    paying: 'Wir warten auf Ihre Zahlung',
    confirming: 'Ihre Zahlung wird bestätigt',
    underpaid: 'Ein Teil des Betrags ist eingegangen',
    paid: 'Zahlung abgeschlossen',
    overpaid: 'Zahlung abgeschlossen',
    expired: 'Die Zeit zum Bezahlen ist abgelaufen',
    cancelled: 'Diese Zahlung wurde abgebrochen',
  },

  testBadge: 'Testmodus',
  timeLeft: 'Verbleibende Zeit',
  timeIsUp: 'Die Zeit ist um, wir prüfen …',
  minutesLeft: {one: 'Noch {count} Minute zum Bezahlen.', other: 'Noch {count} Minuten zum Bezahlen.'},
  close: 'Schließen',
  back: 'Anders bezahlen',
  retry: 'Erneut versuchen',
  chargeId: 'Zahlungsnummer',
  received: 'Eingegangen',
  stillDue: 'Noch offen',

  search: 'Coins und Netzwerke suchen',
  assets: 'Coins',
  found: {one: '{count} Coin gefunden.', other: '{count} Coins gefunden.'},
  nothingFound: 'Nichts gefunden. Versuchen Sie einen anderen Namen.',
  notNow: 'Zurzeit nicht verfügbar',
  networkCount: {one: '{count} Netzwerk', other: '{count} Netzwerke'},
  chooseNetwork: 'Über welches Netzwerk senden Sie {symbol}?',
  pegged: 'Nur, wenn Sie {symbol} in diesem Netzwerk besitzen',
  legacy: 'Älterer Token',
  confirmationTime: {
    'under-a-minute': 'Zahlungen dauern meist weniger als eine Minute',
    minutes: 'Zahlungen dauern meist 1 bis 3 Minuten, manchmal 20',
  },
  gettingAmount: 'Der genaue Betrag wird ermittelt …',
  lastUsed: 'Zuletzt verwendet',
  sentHint:
    'Haben Sie schon Geld gesendet? Wir sehen es, wenn Coin, Netzwerk und Adresse mit den hier gezeigten übereinstimmen. Andernfalls bewahren Sie Ihre Transaktions-ID auf und wenden Sie sich an den Shop.',

  keepsTrying: 'Diese Seite versucht es weiter.',
  alarm: 'Senden Sie kein Geld',
  alarmEarlier: 'Senden Sie nichts mehr an diese Adresse, sie ist nicht mehr gesichert:',
  alarmContact:
    'Wenn Sie schon gesendet haben, wenden Sie sich an den Shop und nennen Sie die Zahlungsnummer.',
  alerts: {
    payment_unreadable:
      'Die Angaben zu einer Zahlung sind nicht lesbar, daher ist nicht sicher, wie viel noch offen ist.',
    price_mismatch: 'Der Zahlungsdienst hat für diese Zahlung einen anderen Preis als der Shop.',
  },
  alertContact: 'Bezahlen Sie jetzt nicht. Wenden Sie sich an den Shop und nennen Sie die Zahlungsnummer.',
  alertEarlier: 'Senden Sie vorerst nichts an die Adresse, die Sie gesehen haben:',
  paymentDropped:
    'Eine Zahlung ist nicht angekommen: Sie ist fehlgeschlagen, oder das Netzwerk hat sie verworfen.',
  payAgain:
    'Sie können erneut bezahlen. Falls Ihre Wallet diese Zahlung als gesendet anzeigt, wenden Sie sich zuerst an den Shop.',
  closed: 'Sie kann derzeit nicht bezahlt werden. Bitte wenden Sie sich an den Shop.',
  problems: {
    offline: 'Sie sind offenbar offline.',
    unreachable: 'Der Zahlungsdienst ist gerade nicht erreichbar.',
    refused: 'Diese Zahlung kann hier nicht angezeigt werden. Bitte gehen Sie zurück zum Shop.',
    closed: 'Diese Zahlungsart ist gerade nicht verfügbar. Bitte wählen Sie eine andere.',
    'not-activated':
      'Diese Zahlungsart konnte nicht vorbereitet werden. Versuchen Sie es erneut, oder wählen Sie eine andere.',
    outdated: 'Bei dieser Zahlung hat sich etwas geändert. Wir prüfen …',
    'load-failed': 'Ein Teil dieser Seite konnte nicht geladen werden. Prüfen Sie Ihre Verbindung.',
  },
  reference: 'Referenz',
  colon: ': ',

  labels: {network: 'Netzwerk', address: 'Adresse', amount: 'Genauer Betrag', value: 'Wert'},
  plusFees: 'Der Betrag muss vollständig ankommen: Rechnen Sie die Gebühr Ihrer Wallet oder Börse hinzu.',
  sendOnly:
    'Senden Sie nur {symbol} über {network}. Alles andere, das an diese Adresse gesendet wird, kann verloren gehen.',
  peggedWarning: 'Dies ist der Token {symbol} auf {network}, nicht {symbol} auf der eigenen Chain.',
  legacyWarning:
    'Dies ist ein älterer Token, der inzwischen ersetzt wurde. Vergewissern Sie sich, dass Sie genau diesen besitzen.',
  copy: 'Kopieren',
  copyDone: 'Kopiert',
  copyNames: {amount: 'Betrag kopieren', address: 'Adresse kopieren', receipt: 'Beleg kopieren'},
  copied: {amount: 'Betrag kopiert', address: 'Adresse kopiert', receipt: 'Beleg kopiert'},
  copyByHand:
    'Das Kopieren wurde verweigert. Der Text ist markiert: Kopieren Sie ihn mit der Tastatur oder über das Menü.',
  openWallet: 'In Wallet öffnen',
  openIn: 'In {wallet} öffnen',
  walletCheck: 'Ihre Wallet muss diese Adresse und {network} anzeigen. Wenn nicht, senden Sie nichts.',
  testWarning: 'Testmodus: Senden Sie kein echtes Geld.',
  wallets: 'Wallets in diesem Browser',
  payWith: 'Mit {wallet} bezahlen',
  browserWallet: 'Browser-Wallet',
  networkFee: 'Die Netzwerkgebühr wird in {coin} bezahlt.',
  walletStatus: {
    connecting: 'Verbinden Sie {wallet}, um über {network} zu bezahlen.',
    switching: 'Erlauben Sie {wallet}, zu {network} zu wechseln.',
    confirming: 'Vergleichen Sie Betrag, Adresse und {network} in {wallet} und bestätigen Sie dort.',
    sent: 'Von Ihrer Wallet gesendet. Diese Seite zeigt, wenn es ankommt.',
    refused: 'Es wurde nichts gesendet. Sie können es erneut versuchen.',
    asking: 'Ihre Wallet fragt Sie bereits. Öffnen Sie sie und antworten Sie dort.',
    network:
      'Es wurde nichts gesendet. Wählen Sie {network} in {wallet} oder fügen Sie es dort hinzu, und versuchen Sie es erneut.',
    changed:
      'Es wurde nichts gesendet, weil sich diese Zahlung geändert hat oder nicht geprüft werden konnte. Versuchen Sie es erneut.',
    unsure: 'Sehen Sie in Ihrer Wallet nach, ob diese Zahlung gesendet wurde.',
  },
  sendAgain: 'Erneut senden',
  qrAddress: 'QR-Code der Adresse {address}. Senden Sie genau {amount} {symbol} über {network} dorthin.',
  qrRequest:
    'QR-Code einer Zahlungsanforderung über {amount} {symbol} auf {network} an die Adresse {address}.',
  qrShowRequest: 'QR-Code mit Betrag',
  qrShowAddress: 'QR-Code nur mit Adresse',
  priceMayHaveChanged:
    'Der Kurs kann sich seit der Berechnung geändert haben. Sie können diesen Betrag weiterhin bezahlen.',
  newerAmount: 'Es gibt einen neueren Betrag. Sie können diesen weiterhin bezahlen.',
  renew: 'Neuen Betrag anfordern',
  amountChanged: 'Der Betrag hat sich geändert: Vorher {before}, jetzt {now} {symbol}.',
  amountUnchanged: 'Der Betrag ist unverändert.',
  watching: 'Diese Seite bemerkt Ihre Zahlung von selbst.',
  notSeenYet:
    'Gesendet, und nichts passiert? Prüfen Sie in Ihrer Wallet oder Börse, ob Sie über {network} an diese Adresse gesendet haben. Wenn ja, nennen Sie dem Shop die Zahlungsnummer und Ihre Transaktions-ID.',

  payRemaining: 'Rest bezahlen',
  underpaidHint:
    'Was Sie gesendet haben, ist angekommen und zählt. Bezahlen Sie den Rest, um die Zahlung abzuschließen.',
  remainingTooLate:
    'Die Zeit zum Bezahlen ist abgelaufen, der Rest kann hier nicht mehr bezahlt werden. Bitte wenden Sie sich an den Shop.',
  confirmingHint:
    'Ihre Zahlung wurde im Netzwerk gesehen. Sie müssen nichts weiter tun und können diese Seite schließen.',
  paidHint: 'Vielen Dank. Ihre Zahlung ist vollständig eingegangen.',
  settledHint: 'Vielen Dank. Sie müssen nichts mehr bezahlen.',
  overpaidHint:
    'Sie haben mehr gesendet als verlangt: {paid} statt {price}. Wenden Sie sich wegen der Differenz an den Shop.',
  doNotSend: 'Senden Sie nichts mehr.',
  help: 'Stimmt etwas nicht? Nennen Sie dem Shop die Zahlungsnummer.',
  payments: 'Zahlungen',

  receipt: 'Beleg',
  print: 'Drucken oder als PDF speichern',
  price: 'Preis',
  description: 'Für',
  transaction: 'Transaktion',
  confirmed: 'bestätigt',
  unconfirmed: 'noch nicht bestätigt',
  dropped: 'fehlgeschlagen oder verworfen',
  opensNewTab: 'öffnet einen neuen Tab',
  continueToShop: 'Weiter zum Shop',
  redirecting: {
    one: 'In {count} Sekunde geht es zurück zum Shop.',
    other: 'In {count} Sekunden geht es zurück zum Shop.',
  },
  stayHere: 'Hier bleiben',

  leaveTitle: 'Diese Zahlung schließen?',
  leaveHint: 'Sie können zurückkommen und weitermachen, bis die Zeit abgelaufen ist.',
}
