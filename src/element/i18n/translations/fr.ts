import type {Translation} from '../translation.js'

export const translation: Translation = {
  dir: 'ltr',
  title: 'Payer en cryptomonnaie',
  status: {
    idle: '',
    loading: 'Chargement du paiement…',
    unavailable: 'Le paiement ne peut pas être affiché',
    choosing: 'Choisissez votre moyen de paiement',
    quoting: 'Calcul du montant exact…',
    paying: 'En attente de votre paiement',
    confirming: 'Votre paiement est en cours de confirmation',
    underpaid: 'Une partie du montant est arrivée',
    paid: 'Paiement effectué',
    overpaid: 'Paiement effectué',
    expired: 'Le délai de paiement est écoulé',
    cancelled: 'Ce paiement a été annulé',
  },

  testBadge: 'Mode test',
  timeLeft: 'Temps restant',
  timeIsUp: 'Délai écoulé, vérification…',
  minutesLeft: {
    one: 'Il reste {count} minute pour payer.',
    other: 'Il reste {count} minutes pour payer.',
  },
  close: 'Fermer',
  back: 'Payer autrement',
  retry: 'Réessayer',
  chargeId: 'Numéro de paiement',
  received: 'Reçu',
  stillDue: 'Reste à payer',

  search: 'Chercher crypto ou réseau',
  assets: 'Cryptomonnaies',
  found: {one: '{count} cryptomonnaie trouvée.', other: '{count} cryptomonnaies trouvées.'},
  nothingFound: 'Aucun résultat. Essayez un autre nom.',
  notNow: 'Indisponible pour le moment',
  networkCount: {one: '{count} réseau', other: '{count} réseaux'},
  chooseNetwork: 'Sur quel réseau enverrez-vous {symbol}\u202f?',
  pegged: 'Seulement si vous avez {symbol} sur ce réseau',
  legacy: 'Ancien jeton',
  confirmationTime: {
    'under-a-minute': 'Un paiement prend en général moins d’une minute',
    minutes: 'Un paiement prend en général 1 à 3 minutes, parfois 20',
  },
  gettingAmount: 'Calcul du montant exact…',
  lastUsed: 'Dernier choix',
  sentHint:
    'Vous avez déjà envoyé de l’argent\u202f? Nous le verrons si la crypto, le réseau et l’adresse étaient ceux affichés ici. Sinon, conservez l’identifiant de la transaction et contactez la boutique.',

  keepsTrying: 'Cette page continue d’essayer.',
  alarm: 'N’envoyez pas d’argent',
  alarmEarlier: 'N’envoyez plus rien à cette adresse, elle n’est plus sûre\u00a0:',
  alarmContact:
    'Si vous avez déjà envoyé de l’argent, contactez la boutique en indiquant le numéro de paiement.',
  alerts: {
    payment_unreadable:
      'Les données d’un paiement sont illisibles\u00a0: le montant restant à payer n’est donc pas certain.',
    price_mismatch: 'Le service de paiement indique pour ce paiement un autre prix que la boutique.',
  },
  alertContact: 'Ne payez pas maintenant. Contactez la boutique et indiquez le numéro de paiement.',
  alertEarlier: 'Pour l’instant, n’envoyez rien à l’adresse que vous avez vue\u00a0:',
  paymentDropped: 'Un paiement n’est pas arrivé\u00a0: il a échoué, ou le réseau l’a abandonné.',
  payAgain:
    'Vous pouvez payer de nouveau. Si votre portefeuille indique que ce paiement a été envoyé, contactez d’abord la boutique.',
  closed: 'Impossible de payer pour le moment. Veuillez contacter la boutique.',
  problems: {
    offline: 'Vous semblez être hors ligne.',
    unreachable: 'Le service de paiement est injoignable pour le moment.',
    refused: 'Ce paiement ne peut pas être affiché ici. Veuillez retourner à la boutique.',
    closed: 'Ce moyen de paiement est indisponible pour le moment. Veuillez en choisir un autre.',
    'not-activated': 'Ce moyen de paiement n’a pas pu être préparé. Réessayez ou choisissez-en un autre.',
    outdated: 'L’état de ce paiement a changé. Vérification…',
    'load-failed': 'Une partie de cette page n’a pas pu être chargée. Vérifiez votre connexion.',
  },
  reference: 'Référence',
  colon: '\u00a0: ',

  labels: {network: 'Réseau', address: 'Adresse', amount: 'Montant exact', value: 'Valeur'},
  plusFees:
    'Ce montant doit arriver en entier\u00a0: ajoutez-y les frais de votre portefeuille ou plateforme d’échange.',
  sendOnly:
    'Envoyez uniquement {symbol} sur le réseau {network}. Tout autre envoi à cette adresse peut être perdu.',
  peggedWarning:
    'Il s’agit du jeton {symbol} sur le réseau {network}, et non de {symbol} sur sa propre blockchain.',
  legacyWarning:
    'Il s’agit d’un ancien jeton qui a été remplacé. Vérifiez que c’est bien celui que vous détenez.',
  copy: 'Copier',
  copyDone: 'Copié',
  copyNames: {amount: 'Copier le montant', address: 'Copier l’adresse', receipt: 'Copier le reçu'},
  copied: {amount: 'Montant copié', address: 'Adresse copiée', receipt: 'Reçu copié'},
  copyByHand: 'La copie a été refusée. Le texte est sélectionné\u00a0: copiez-le avec le clavier ou le menu.',
  openWallet: 'Ouvrir le portefeuille',
  openIn: 'Ouvrir dans {wallet}',
  walletCheck:
    'Votre portefeuille doit afficher cette adresse et le réseau {network}. Sinon, n’envoyez rien.',
  testWarning: 'Mode test\u00a0: n’envoyez pas d’argent réel.',
  wallets: 'Portefeuilles de ce navigateur',
  payWith: 'Payer avec {wallet}',
  browserWallet: 'le portefeuille du navigateur',
  networkFee: 'Les frais de réseau se paient en {coin}.',
  walletStatus: {
    connecting: 'Connectez {wallet} pour payer sur {network}.',
    switching: 'Autorisez {wallet} à passer sur {network}.',
    confirming: 'Comparez le montant, l’adresse et le réseau {network} dans {wallet}, puis confirmez-y.',
    sent: 'Envoyé par votre portefeuille. Cette page affichera son arrivée.',
    refused: 'Rien n’a été envoyé. Vous pouvez réessayer.',
    asking: 'Votre portefeuille vous le demande déjà. Ouvrez-le et répondez-y.',
    network: 'Rien n’a été envoyé. Choisissez {network} dans {wallet} ou ajoutez-le, puis réessayez.',
    changed: 'Rien n’a été envoyé, car ce paiement a changé ou n’a pas pu être vérifié. Réessayez.',
    unsure: 'Vérifiez dans votre portefeuille si ce paiement a été envoyé.',
  },
  sendAgain: 'Envoyer à nouveau',
  qrAddress:
    'QR code de l’adresse {address}. Envoyez-y exactement {amount} {symbol} sur le réseau {network}.',
  qrRequest:
    'QR code d’une demande de paiement de {amount} {symbol} sur le réseau {network} à l’adresse {address}.',
  qrShowRequest: 'QR code avec montant',
  qrShowAddress: 'QR code sans montant',
  priceMayHaveChanged: 'Le cours a pu changer depuis le calcul de ce montant. Vous pouvez toujours le payer.',
  newerAmount: 'Un montant plus récent est disponible. Vous pouvez toujours payer celui-ci.',
  renew: 'Obtenir un nouveau montant',
  amountChanged: 'Le montant a changé\u00a0: c’était {before}, c’est maintenant {now} {symbol}.',
  amountUnchanged: 'Le montant n’a pas changé.',
  watching: 'Cette page détecte votre paiement automatiquement.',
  notSeenYet:
    'Vous avez envoyé et rien ne se passe\u202f? Vérifiez dans votre portefeuille ou sur votre plateforme que l’envoi a été fait à cette adresse sur le réseau {network}. Si oui, indiquez à la boutique le numéro de paiement et l’identifiant de la transaction.',

  payRemaining: 'Payer le reste',
  underpaidHint:
    'Ce que vous avez envoyé est arrivé et a été pris en compte. Payez le reste pour terminer le paiement.',
  remainingTooLate:
    'Le délai de paiement est écoulé, le reste ne peut donc pas être payé ici. Veuillez contacter la boutique.',
  confirmingHint:
    'Votre paiement a été détecté sur le réseau. Vous n’avez plus rien à faire et pouvez fermer cette page.',
  paidHint: 'Merci. Votre paiement est arrivé en entier.',
  settledHint: 'Merci. Il n’y a plus rien à payer.',
  overpaidHint:
    'Vous avez envoyé plus que demandé\u00a0: {paid} au lieu de {price}. Contactez la boutique au sujet de la différence.',
  doNotSend: 'N’envoyez plus rien.',
  help: 'Un problème\u202f? Indiquez le numéro de paiement à la boutique.',
  payments: 'Paiements',

  receipt: 'Reçu',
  print: 'Imprimer ou enregistrer en PDF',
  price: 'Prix',
  description: 'Pour',
  transaction: 'Transaction',
  confirmed: 'confirmé',
  unconfirmed: 'pas encore confirmé',
  dropped: 'échoué ou abandonné',
  opensNewTab: 's’ouvre dans un nouvel onglet',
  continueToShop: 'Continuer vers la boutique',
  redirecting: {
    one: 'Retour à la boutique dans {count} seconde.',
    other: 'Retour à la boutique dans {count} secondes.',
  },
  stayHere: 'Rester ici',

  leaveTitle: 'Fermer ce paiement\u202f?',
  leaveHint: 'Vous pouvez revenir et continuer jusqu’à la fin du délai.',
}
