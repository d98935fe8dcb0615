import type {Translation} from '../translation.js'

export const translation: Translation = {
  dir: 'ltr',
  title: 'Betalen met crypto',
  status: {
    idle: '',
    loading: 'De betaling wordt geladen…',
    unavailable: 'De betaling kan nu niet worden getoond',
    choosing: 'Kies hoe u wilt betalen',
    quoting: 'Het exacte bedrag wordt bepaald…',
    paying: 'Wachten op uw betaling',
    confirming: 'Uw betaling wordt bevestigd',
    underpaid: 'Een deel van het bedrag is ontvangen',
    paid: 'Betaling voltooid',
    overpaid: 'Betaling voltooid',
    expired: 'De betaaltijd is verstreken',
    cancelled: 'Deze betaling is geannuleerd',
  },

  testBadge: 'Testmodus',
  timeLeft: 'Resterende tijd',
  timeIsUp: 'De tijd is om, we controleren…',
  minutesLeft: {
    one: 'Nog {count} minuut om te betalen.',
    other: 'Nog {count} minuten om te betalen.',
  },
  close: 'Sluiten',
  back: 'Anders betalen',
  retry: 'Opnieuw proberen',
  chargeId: 'Betalingsnummer',
  received: 'Ontvangen',
  stillDue: 'Nog te betalen',

  search: 'Zoek coin of netwerk',
  assets: 'Coins',
  found: {one: '{count} coin gevonden.', other: '{count} coins gevonden.'},
  nothingFound: 'Niets gevonden. Probeer een andere naam.',
  notNow: 'Nu niet beschikbaar',
  networkCount: {one: '{count} netwerk', other: '{count} netwerken'},
  chooseNetwork: 'Via welk netwerk verstuurt u {symbol}?',
  pegged: 'Hier een token, niet de eigen blockchain van de coin',
  legacy: 'Oudere token',
  confirmationTime: {
    'under-a-minute': 'Meestal binnen een minuut',
    minutes: 'Meestal 1 tot 3 minuten, maximaal 20',
  },
  gettingAmount: 'Het exacte bedrag wordt bepaald…',
  lastUsed: 'Laatst gebruikt',
  earlierWorks:
    'Hebt u al geld verstuurd? Het adres dat u zag, blijft geldig en wat u hebt verstuurd, wordt opgemerkt.',

  keepsTrying: 'Deze pagina blijft het proberen.',
  alarm: 'Verstuur geen geld',
  alarmEarlier: 'Verstuur niets meer naar dit adres, het is niet langer betrouwbaar:',
  alarmContact: 'Hebt u al iets verstuurd? Neem contact op met de winkel en vermeld het betalingsnummer.',
  alerts: {
    payment_unreadable:
      'De gegevens van een betaling zijn niet leesbaar. Daarom is niet zeker hoeveel er nog openstaat.',
    price_mismatch: 'De betaaldienst heeft voor deze betaling een andere prijs dan de winkel.',
  },
  alertContact: 'Betaal nu niet. Neem contact op met de winkel en vermeld het betalingsnummer.',
  alertEarlier: 'Verstuur voorlopig niets naar het adres dat u hebt gezien:',
  paymentDropped: 'Een betaling is niet aangekomen: ze is mislukt, of het netwerk heeft ze laten vallen.',
  payAgain:
    'U kunt opnieuw betalen. Toont uw wallet die betaling als verzonden? Neem dan eerst contact op met de winkel.',
  closed: 'Betalen is op dit moment niet mogelijk. Neem contact op met de winkel.',
  problems: {
    offline: 'U lijkt offline te zijn.',
    unreachable: 'De betaaldienst is op dit moment niet bereikbaar.',
    refused: 'Deze betaling kan hier niet worden getoond. Ga terug naar de winkel.',
    closed: 'Deze betaalwijze is op dit moment niet beschikbaar. Kies een andere.',
    'not-activated': 'Deze betaalwijze kon niet worden voorbereid. Probeer het opnieuw of kies een andere.',
    outdated: 'De status van deze betaling is veranderd. We controleren…',
    'load-failed': 'Een deel van deze pagina kon niet worden geladen. Controleer uw verbinding.',
  },
  reference: 'Referentie',
  colon: ': ',

  sendExactly: 'Verstuur precies',
  plusFees: 'Het bedrag moet volledig aankomen: tel de kosten van uw wallet of exchange erbij op.',
  toAddress: 'Naar dit adres',
  sendOnly:
    'Verstuur alleen {symbol} via {network}. Al het andere dat naar dit adres wordt verstuurd, kan verloren gaan.',
  peggedWarning: 'Dit is de token {symbol} op {network}, niet {symbol} op de eigen blockchain.',
  legacyWarning: 'Dit is een oudere token die is vervangen. Controleer of u precies deze token bezit.',
  copy: 'Kopiëren',
  copyDone: 'Gekopieerd',
  copyNames: {amount: 'Bedrag kopiëren', address: 'Adres kopiëren', receipt: 'Betaalbewijs kopiëren'},
  copied: {amount: 'Bedrag gekopieerd', address: 'Adres gekopieerd', receipt: 'Betaalbewijs gekopieerd'},
  copyByHand:
    'Kopiëren werd geweigerd. De tekst is geselecteerd: kopieer die met het toetsenbord of het menu.',
  openWallet: 'Openen in wallet',
  qrAddress: 'QR-code van het adres {address}. Verstuur daarheen precies {amount} {symbol} via {network}.',
  qrRequest: 'QR-code van een betaalverzoek voor {amount} {symbol} via {network} naar het adres {address}.',
  qrShowRequest: 'QR-code met bedrag',
  qrShowAddress: 'QR-code zonder bedrag',
  qrCheckReceiver: 'Uw wallet moet exact dit adres als ontvanger tonen. Is dat niet zo, verstuur dan niets.',
  priceMayHaveChanged:
    'De koers kan zijn veranderd sinds dit bedrag is berekend. U kunt het nog steeds betalen.',
  newerAmount: 'Er is een nieuwer bedrag. U kunt dit bedrag nog steeds betalen.',
  renew: 'Nieuw bedrag ophalen',
  amountChanged: 'Het bedrag is veranderd: het was {before}, nu is het {now} {symbol}.',
  watching: 'Deze pagina merkt uw betaling vanzelf op.',

  payRemaining: 'De rest betalen',
  underpaidHint:
    'Wat u hebt verstuurd, is aangekomen en telt mee. Betaal de rest om de betaling te voltooien.',
  remainingTooLate:
    'De betaaltijd is verstreken, dus de rest kan hier niet meer worden betaald. Neem contact op met de winkel.',
  confirmingHint:
    'Uw betaling is gezien op het netwerk. U hoeft niets meer te doen en kunt deze pagina sluiten.',
  paidHint: 'Bedankt. Uw betaling is volledig ontvangen.',
  settledHint: 'Bedankt. U hoeft niets meer te betalen.',
  overpaidHint:
    'U hebt meer verstuurd dan gevraagd: {paid} in plaats van {price}. Neem contact op met de winkel over het verschil.',
  expiredHint:
    'Verstuur niets meer. Hebt u al betaald, dan kunt u deze pagina gerust sluiten: uw betaling wordt toch gevonden.',
  cancelledHint: 'Verstuur niets meer. Hebt u al iets verstuurd, dan wordt uw betaling toch gevonden.',
  help: 'Klopt er iets niet? Geef de winkel het betalingsnummer.',
  payments: 'Betalingen',

  receipt: 'Betaalbewijs',
  price: 'Prijs',
  description: 'Voor',
  transaction: 'Transactie',
  confirmed: 'bevestigd',
  unconfirmed: 'nog niet bevestigd',
  dropped: 'mislukt of vervallen',
  opensNewTab: 'opent in een nieuw tabblad',
  continueToShop: 'Doorgaan naar de winkel',
  redirecting: {
    one: 'Over {count} seconde terug naar de winkel.',
    other: 'Over {count} seconden terug naar de winkel.',
  },
  stayHere: 'Hier blijven',

  leaveTitle: 'Deze betaling sluiten?',
  leaveHint:
    'Wat u hebt verstuurd, is niet verloren: het wordt toch opgemerkt. U kunt terugkomen en doorgaan.',
}
