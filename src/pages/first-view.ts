/** The first view of a checkout, for a page of the merchant. */
import {CheckoutError, errorName} from '../contract/errors.js'
import type {FullLanguage} from '../translations/translation.js'
import type {CheckoutText} from './page-route.js'
import type {RenderedCheckout, Renderer} from './renderer.js'

/** What the first view needs of the proxy. */
export interface FirstViewContext {
  readonly logger: {warn(message: string, fields: Readonly<Record<string, string>>): void}
  /** Rejects when it takes too long. */
  open(chargeId: string): Promise<CheckoutText>
}

/** Opens the charge. Never rejects: undefined, and a line in the log, when it fails or takes too long. */
export async function firstView(
  {logger, open}: FirstViewContext,
  renderer: Renderer,
  chargeId: string,
  language: FullLanguage,
): Promise<RenderedCheckout | undefined> {
  try {
    const {text} = await open(chargeId)
    return renderer(text, chargeId, language)
  } catch (error) {
    const code = error instanceof CheckoutError ? error.code : errorName(error)
    logger.warn('a page got a placeholder instead of the checkout', {chargeId, code})
    return undefined
  }
}
