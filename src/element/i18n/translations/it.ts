import type {Translation} from '../translation.js'

export const translation: Translation = {
  dir: 'ltr',
  title: 'Paga in criptovalute',
  status: {
    idle: '',
    loading: 'Caricamento del pagamento…',
    unavailable: 'Non è possibile mostrare il pagamento',
    choosing: 'Scegli come pagare',
    quoting: 'Calcolo dell’importo esatto…',
    paying: 'In attesa del tuo pagamento',
    confirming: 'Il tuo pagamento è in fase di conferma',
    underpaid: 'È arrivata una parte dell’importo',
    paid: 'Pagamento completato',
    overpaid: 'Pagamento completato',
    expired: 'Il tempo per pagare è scaduto',
    cancelled: 'Questo pagamento è stato annullato',
  },

  testBadge: 'Prova',
  timeLeft: 'Tempo rimasto',
  timeIsUp: 'Tempo scaduto, verifica in corso…',
  minutesLeft: {
    one: 'Resta {count} minuto per pagare.',
    other: 'Restano {count} minuti per pagare.',
  },
  close: 'Chiudi',
  back: 'Paga in un altro modo',
  retry: 'Riprova',
  chargeId: 'Numero del pagamento',
  received: 'Ricevuto',
  stillDue: 'Saldo da pagare',

  search: 'Cerca cripto o rete',
  assets: 'Criptovalute',
  found: {one: '{count} criptovaluta trovata.', other: '{count} criptovalute trovate.'},
  nothingFound: 'Nessun risultato. Prova con un altro nome.',
  notNow: 'Ora non disponibile',
  networkCount: {one: '{count} rete', other: '{count} reti'},
  chooseNetwork: 'Su quale rete invierai {symbol}?',
  pegged: 'Solo se possiedi {symbol} su questa rete',
  legacy: 'Vecchio token',
  confirmationTime: {
    'under-a-minute': 'Di solito un pagamento richiede meno di un minuto',
    minutes: 'Di solito un pagamento richiede da 1 a 3 minuti, a volte 20',
  },
  gettingAmount: 'Calcolo dell’importo esatto…',
  lastUsed: 'Ultimo utilizzo',
  sentHint:
    'Hai già inviato denaro? Lo vedremo se criptovaluta, rete e indirizzo erano quelli mostrati qui. Altrimenti conserva l’ID della transazione e contatta il negozio.',

  keepsTrying: 'Questa pagina continua a riprovare.',
  alarm: 'Non inviare denaro',
  alarmEarlier: 'Non inviare più nulla a questo indirizzo, non è più sicuro:',
  alarmContact: 'Se hai già inviato qualcosa, contatta il negozio e comunica il numero del pagamento.',
  alerts: {
    payment_unreadable:
      'I dati di un pagamento non sono leggibili, quindi non è certo quanto resti da pagare.',
    price_mismatch:
      'Per questo pagamento il servizio di pagamento ha un prezzo diverso da quello del negozio.',
  },
  alertContact: 'Non pagare adesso. Contatta il negozio e comunica il numero del pagamento.',
  alertEarlier: 'Per ora non inviare nulla all’indirizzo che hai visto:',
  paymentDropped: 'Un pagamento non è arrivato: non è riuscito, o la rete lo ha scartato.',
  payAgain:
    'Puoi pagare di nuovo. Se il tuo wallet mostra quel pagamento come inviato, contatta prima il negozio.',
  closed: 'Al momento non è possibile pagare. Contatta il negozio.',
  problems: {
    offline: 'Sembra che tu sia offline.',
    unreachable: 'Il servizio di pagamento non è raggiungibile al momento.',
    refused: 'Questo pagamento non può essere mostrato qui. Torna al negozio.',
    closed: 'Questo metodo di pagamento non è disponibile al momento. Scegline un altro.',
    'not-activated':
      'Non è stato possibile preparare questo metodo di pagamento. Riprova o scegline un altro.',
    outdated: 'Lo stato di questo pagamento è cambiato. Verifica in corso…',
    'load-failed': 'Non è stato possibile caricare una parte di questa pagina. Controlla la connessione.',
  },
  reference: 'Riferimento',
  colon: ': ',

  labels: {network: 'Rete', address: 'Indirizzo', amount: 'Importo esatto', value: 'Valore'},
  plusFees: 'L’importo deve arrivare per intero: aggiungi la commissione del tuo wallet o exchange.',
  sendOnly:
    'Invia solo {symbol} sulla rete {network}. Qualsiasi altra cosa inviata a questo indirizzo può andare persa.',
  peggedWarning: 'Questo è il token {symbol} sulla rete {network}, non {symbol} sulla sua blockchain.',
  legacyWarning: 'Questo è un vecchio token, ormai sostituito. Assicurati che sia quello che possiedi.',
  copy: 'Copia',
  copyDone: 'Copiato',
  copyNames: {amount: 'Copia importo', address: 'Copia indirizzo', receipt: 'Copia ricevuta'},
  copied: {amount: 'Importo copiato', address: 'Indirizzo copiato', receipt: 'Ricevuta copiata'},
  copyByHand: 'La copia è stata rifiutata. Il testo è selezionato: copialo con la tastiera o dal menu.',
  openWallet: 'Apri nel wallet',
  openIn: 'Apri in {wallet}',
  walletCheck:
    'Il tuo wallet deve mostrare questo indirizzo e la rete {network}. In caso contrario, non inviare nulla.',
  testWarning: 'Modalità di prova: non inviare denaro reale.',
  wallets: 'Wallet in questo browser',
  payWith: 'Paga con {wallet}',
  browserWallet: 'il wallet del browser',
  networkFee: 'La commissione di rete si paga in {coin}.',
  walletStatus: {
    connecting: 'Collega {wallet} per pagare sulla rete {network}.',
    switching: 'Consenti a {wallet} di passare alla rete {network}.',
    confirming: 'Confronta importo, indirizzo e rete {network} in {wallet}, poi conferma lì.',
    sent: 'Inviato dal tuo wallet. Questa pagina mostrerà quando arriva.',
    refused: 'Non è stato inviato nulla. Puoi riprovare.',
    asking: 'Il tuo wallet ti sta già chiedendo conferma. Aprilo e rispondi lì.',
    network: 'Non è stato inviato nulla. Scegli {network} in {wallet} o aggiungila lì, poi riprova.',
    changed:
      'Non è stato inviato nulla, perché questo pagamento è cambiato o non si è potuto verificare. Riprova.',
    unsure: 'Guarda nel tuo wallet se questo pagamento è stato inviato.',
  },
  sendAgain: 'Invia di nuovo',
  qrAddress:
    'Codice QR dell’indirizzo {address}. Invia a questo indirizzo esattamente {amount} {symbol} sulla rete {network}.',
  qrRequest:
    'Codice QR di una richiesta di pagamento di {amount} {symbol} sulla rete {network} all’indirizzo {address}.',
  qrShowRequest: 'Codice QR con importo',
  qrShowAddress: 'Codice QR senza importo',
  priceMayHaveChanged:
    'Il prezzo può essere cambiato da quando questo importo è stato calcolato. Puoi ancora pagarlo.',
  newerAmount: 'È disponibile un importo più recente. Puoi ancora pagare questo.',
  renew: 'Ottieni un nuovo importo',
  amountChanged: 'L’importo è cambiato: era {before}, ora è {now} {symbol}.',
  amountUnchanged: 'L’importo non è cambiato.',
  watching: 'Questa pagina rileva il tuo pagamento automaticamente.',
  notSeenYet:
    'Hai inviato e non succede nulla? Controlla nel tuo wallet o exchange che l’invio sia andato a questo indirizzo sulla rete {network}. In tal caso, comunica al negozio il numero del pagamento e l’ID della transazione.',

  payRemaining: 'Paga il saldo',
  underpaidHint:
    'Ciò che hai inviato è arrivato ed è stato conteggiato. Paga il saldo per completare il pagamento.',
  remainingTooLate:
    'Il tempo per pagare è scaduto, quindi il saldo non può essere pagato qui. Contatta il negozio.',
  confirmingHint:
    'Il tuo pagamento è stato rilevato sulla rete. Non devi fare altro: puoi chiudere questa pagina.',
  paidHint: 'Grazie. Il tuo pagamento è arrivato per intero.',
  settledHint: 'Grazie. Non c’è altro da pagare.',
  overpaidHint:
    'Hai inviato più del richiesto: {paid} invece di {price}. Contatta il negozio per la differenza.',
  doNotSend: 'Non inviare più nulla.',
  help: 'Qualcosa non va? Comunica al negozio il numero del pagamento.',
  payments: 'Pagamenti',

  receipt: 'Ricevuta',
  print: 'Stampa o salva come PDF',
  price: 'Prezzo',
  description: 'Per',
  transaction: 'Transazione',
  confirmed: 'confermato',
  unconfirmed: 'non ancora confermato',
  dropped: 'non riuscito o scartato',
  opensNewTab: 'si apre in una nuova scheda',
  continueToShop: 'Continua verso il negozio',
  redirecting: {
    one: 'Ritorno al negozio tra {count} secondo.',
    other: 'Ritorno al negozio tra {count} secondi.',
  },
  stayHere: 'Resta qui',

  leaveTitle: 'Chiudere questo pagamento?',
  leaveHint: 'Puoi tornare e proseguire fino allo scadere del tempo.',
}
