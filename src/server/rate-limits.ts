/** Limits on how often may be asked. The core only asks; the Node door counts. */
export type Limited = 'read' | 'open' | 'quote' | 'webhook'

export interface RateLimits {
  /** Counts one request. Resolves to the seconds to wait when it is one too many. */
  take(kind: Limited, ip: string, chargeId: string | undefined): Promise<number | undefined>
}

export const unlimited: RateLimits = {take: () => Promise.resolve(undefined)}
