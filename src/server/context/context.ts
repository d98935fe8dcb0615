/** What the parts of the server share. Classes and functions take it first; it never changes. */
import type {Offer} from '../assets/offer.js'
import type {JournalsContext} from '../journal/journal.js'
import type {Journals} from '../journal/journals.js'
import type {ClientContext, PollingClient} from '../service/client.js'

export interface ServerContext extends JournalsContext, ClientContext {
  readonly service: PollingClient
  readonly journals: Journals
  readonly offer: Offer
  /** The api-key is a test key. Each `Checkout` says so. */
  readonly test: boolean
}
