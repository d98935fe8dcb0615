/** A shop as it is deployed: nginx in front of a server with the proxy, Redis, and the sandbox as the service. */
import {once} from 'node:events'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {createClient} from 'redis'
import {createSandbox} from '../../src/sandbox/index.js'
import {doctorCommand} from '../../src/cli/doctor/doctor.js'
import {createCheckout, redisStore, type CheckoutOptions, type CheckoutServer} from '../../src/node/index.js'
import {startNginx} from '../system/nginx-server.js'
import {startRedis} from '../system/redis-server.js'
import {run} from './shop.js'

export const POLICY = [
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'none'; img-src 'self' https:",
  "base-uri 'none'; require-trusted-types-for 'script'; trusted-types lit-html",
].join('; ')

const PAGE =
  '<!doctype html><script type="module" src="/static/crypto-checkout.js"></script><crypto-checkout logos="remote"></crypto-checkout>'

/** What differs from the good deployment. */
export interface Fault {
  readonly options?: Partial<CheckoutOptions>
  readonly hasTokens?: false
  /** Runs before the proxy. Returns true when it has responded. */
  readonly middleware?: (req: IncomingMessage, res: ServerResponse) => boolean
  readonly policy?: string
}

export async function startDeployment() {
  const redis = await startRedis()
  const storeUrl = `redis://127.0.0.1:${redis.port}`
  const client = createClient({
    url: storeUrl,
    pingInterval: 2_000,
    socket: {socketTimeout: 5_000, reconnectStrategy: () => 100},
  })
  client.on('error', () => undefined)
  await client.connect()
  const sandbox = createSandbox()
  const service = await sandbox.listen()
  const secret = 'q7Zt2Wc9Lx4Vb8Nm3Kd6Hs1Jf5Gp0RyT'
  let fault: Fault = {}
  let checkout: CheckoutServer

  const server = createServer((req, res) => {
    if (fault.middleware?.(req, res)) return
    void checkout.node(req, res, () => {
      res.setHeader('content-type', 'text/html')
      const policy = fault.policy ?? POLICY
      if (policy !== '') res.setHeader('content-security-policy', policy)
      res.end(PAGE)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = server.address() as AddressInfo
  await deploy({})
  const nginx = await startNginx([port], 'off')
  const url = `http://127.0.0.1:${nginx.port}`
  const environment = {
    CHECKOUT_API_KEY: sandbox.apiKey,
    CHECKOUT_BASE_URL: service.url,
    CHECKOUT_TOKEN_SECRET: secret,
    CHECKOUT_STORE: storeUrl,
  }

  async function deploy(next: Fault): Promise<void> {
    fault = next
    checkout = createCheckout({
      apiKey: sandbox.apiKey,
      baseUrl: service.url,
      store: redisStore(client),
      ...(next.hasTokens === false ? {} : {tokenSecret: secret}),
      trustProxy: 1,
      logger: {info() {}, warn() {}, error() {}},
      ...next.options,
    })
  }

  /** Runs the command as on the server. Resolves to its output and exit code. */
  async function doctor(
    args: readonly string[] = [],
    changed: Record<string, string> = {},
    {test = true} = {},
  ) {
    Object.assign(process.env, environment, changed)
    const given = ['--url', url, '--page', `${url}/pay`, ...(test ? ['--test'] : []), ...args]
    const {lines, exitCode = 0} = await run(doctorCommand, ...given)
    return {lines, text: lines.join('\n'), exitCode}
  }

  return {
    sandbox,
    serviceUrl: service.url,
    client,
    storeUrl,
    url,
    /** The server without nginx. */
    directUrl: `http://127.0.0.1:${port}`,
    deploy,
    doctor,
    /** The output without what differs between runs. */
    normalized: (text: string) =>
      text
        .replaceAll(String(nginx.port), '8080')
        .replaceAll(String(port), '3000')
        .replaceAll(String(redis.port), '6379')
        .replaceAll(service.url, 'http://127.0.0.1:4010')
        .replaceAll(/\b\d s from the clock/g, '0 s from the clock'),
    async stop() {
      for (const name of Object.keys(environment)) Reflect.deleteProperty(process.env, name)
      await nginx.stop()
      await checkout.close()
      server.closeAllConnections()
      server.close()
      await service.close()
      client.destroy()
      await redis.stop()
    },
  }
}
