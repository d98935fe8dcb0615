/** The settings of the demo, from environment variables. */

export interface Service {
  readonly apiKey: string
  readonly baseUrl: string
}

export interface Settings {
  /** 0 means any free port. */
  readonly port: number
  /** Undefined means the sandbox. */
  readonly service: Service | undefined
  /** The URL or folder of the store, as `openStore` takes it. Undefined means the store of the service's backend. */
  readonly store: string | undefined
}

/** The demo cannot start; the message is one line that says what to change. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export function readSettings(env: NodeJS.ProcessEnv): Settings {
  return {port: readPort(env['PORT'] || '4000'), service: readService(env), store: env['STORE'] || undefined}
}

function readPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new StartError('PORT must be a number up to 65535')
  return Number(text)
}

function readService(env: NodeJS.ProcessEnv): Service | undefined {
  const apiKey = env['CHECKOUT_API_KEY']
  const baseUrl = env['CHECKOUT_BASE_URL']
  if (!apiKey && !baseUrl) return undefined
  if (!apiKey) throw new StartError('CHECKOUT_BASE_URL is set without CHECKOUT_API_KEY; set both or none')
  if (!baseUrl) throw new StartError('CHECKOUT_API_KEY is set without CHECKOUT_BASE_URL; set both or none')
  return {apiKey, baseUrl}
}
