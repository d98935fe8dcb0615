/**
 * The JSON of a `Checkout`. Most reads of a charge differ only in the time, so the JSON of the other fields is cached with
 * the state, and the JSON of the assets with the offer. `npm run bench status-reads` measures it.
 */
import type {WalletAssets} from '../assets/catalogue.js'
import {wholeOffer} from '../assets/offer.js'
import {hash} from '../base/hash.js'
import type {OpenedState} from '../journal/state.js'
import {toCheckoutWithoutAssets, type ReadContext} from './to-checkout.js'
import {hasPassed} from './status.js'

interface CachedHead {
  readonly stale: boolean
  readonly isBlocked: boolean
  /** How many of the two times are after the expiry. */
  readonly passed: number
  readonly assets: string
  /** Without the assets, the time and the closing brace. */
  readonly head: string
  readonly etag: string
}

const cachedHeads = new WeakMap<OpenedState, CachedHead>()

export class CheckoutJson {
  #text: string | undefined

  constructor(
    readonly cached: CachedHead,
    readonly now: number,
  ) {}

  /** The `ETag`: a tag of everything except the time (RFC 9110, section 8.8.3). */
  get etag(): string {
    return this.cached.etag
  }

  /** The `serverTime` of the checkout. */
  get time(): string {
    return new Date(this.now).toISOString()
  }

  get text(): string {
    const {head, assets} = this.cached
    // `join`, because V8 would keep the parts of a template as a tree and flatten it for each response.
    this.#text ??= [head, ',"assets":', assets, ',"serverTime":"', this.time, '"}'].join('')
    return this.#text
  }
}

/** Many tabs read a charge at the same time, and joining the parts takes most of the time. */
let last: CheckoutJson | undefined

/** @param assets of the last poll; default: the assets at minting */
export function checkoutJson(
  chargeId: string,
  state: OpenedState,
  context: ReadContext,
  assets: WalletAssets | undefined = state.minted?.assets,
): CheckoutJson {
  const {json} = (context.offer ?? wholeOffer).of(assets?.catalogue)
  const cached = cachedHead(chargeId, state, context, json)
  if (last?.now !== context.now || last.cached !== cached) last = new CheckoutJson(cached, context.now)
  return last
}

function cachedHead(chargeId: string, state: OpenedState, context: ReadContext, assets: string): CachedHead {
  const {now, latest = now, stale, isBlocked = false} = context
  const passed = [now, latest].filter(at => hasPassed(state.expiresAt, at)).length
  let cached = cachedHeads.get(state)
  const isSame = cached?.stale === stale && cached.isBlocked === isBlocked
  if (!cached || !isSame || cached.passed !== passed || cached.assets !== assets) {
    const head = JSON.stringify(toCheckoutWithoutAssets(chargeId, state, context)).slice(0, -1)
    cached = {
      stale,
      isBlocked,
      passed,
      assets,
      head,
      etag: `W/"${state.rev}-${hash(head)}${hash(assets)}"`,
    }
    cachedHeads.set(state, cached)
  }
  return cached
}
