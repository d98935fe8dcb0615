/** The first view of a checkout, for a page of the merchant. */
import {withTimeout, type Clock} from '../../contract/index.js'
import type {FullLanguage} from '../../translations/translation.js'
import {errorName, type Logger} from '../base/logger.js'
import {CheckoutError} from '../errors.js'

/** `renderer` of `crypto-checkout/render`, which this module does not import: not every server needs it. */
export type Renderer = (
  json: string,
  chargeId: string,
  language: FullLanguage,
) => {readonly style: string; readonly html: string; readonly json: string | undefined}

export type FirstView = ReturnType<Renderer>

export interface FirstViewOptions {
  readonly renderer: Renderer
  /** Milliseconds. */
  readonly timeout: number
  open(): Promise<{readonly text: string}>
}

/** Opens the charge. Never rejects: undefined, and a line in the log, when it fails or takes too long. */
export async function firstView(
  {clock, logger}: {readonly clock: Clock; readonly logger: Logger},
  {renderer, timeout, open}: FirstViewOptions,
  chargeId: string,
  language: FullLanguage,
): Promise<FirstView | undefined> {
  try {
    const opened = await withTimeout(clock, timeout, open, () => {
      throw new CheckoutError('upstream_timeout')
    })
    return renderer(opened.text, chargeId, language)
  } catch (error) {
    const code = error instanceof CheckoutError ? error.code : errorName(error)
    logger.warn('a page got a placeholder instead of the checkout', {chargeId, code})
    return undefined
  }
}
