/** Says in the log why requests fail: one warning for each cause, at most once a minute, with what to do. */
import {hints} from '../base/hints.js'
import {createLogLimit} from '../base/logger.js'
import type {ServerContext} from '../context.js'
import {InvalidRequestError, ServiceError, type CheckoutError} from '../errors.js'

/**
 * @param loggedAt when each cause was logged
 * @returns a function that logs the error of a request
 */
export function createProblemLog(
  {logger, clock}: Pick<ServerContext, 'logger' | 'clock'>,
  loggedAt: Map<string, number>,
) {
  const isNews = createLogLimit(clock, loggedAt)
  return (error: unknown, code: CheckoutError['code'], requestId: string, isWebhook: boolean): void => {
    const hint = hints[code]
    // What a customer has typed is no fault of the setup.
    if (!hint || error instanceof InvalidRequestError) return
    const {operation, upstreamStatus} = error instanceof ServiceError ? error : {}
    if (!isNews([code, operation, upstreamStatus, isWebhook].join(' '))) return
    logger.warn('a request failed', {
      code,
      ...(operation && {operation}),
      ...(upstreamStatus !== undefined && {upstreamStatus}),
      ...(isWebhook && {path: 'webhook'}),
      hint,
      requestId,
    })
  }
}
