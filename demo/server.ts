/**
 * `npm start`: a small shop on one port of this machine, where a charge can be paid. Without more it pays with the
 * sandbox, in this process; CHECKOUT_API_KEY and CHECKOUT_BASE_URL put the real payment service in its place.
 */
import {once} from 'node:events'
import {createServer, type Server} from 'node:http'
import {ConfigurationError, createCheckout} from '../src/server/index.js'
import {realService} from './backing.js'
import {Orders} from './orders.js'
import {readSettings, StartError, type Settings} from './settings.js'
import {createShop} from './routes.js'
import {readStaticFiles} from './static-files.js'

try {
  await start(readSettings(process.env))
} catch (error) {
  console.error(`The demo cannot start: ${complaint(error)}`)
  process.exit(1)
}

async function start({port, service}: Settings): Promise<void> {
  const backingOf = service ? () => realService(service) : (await import('./sandbox.js')).pretendedService
  const server = createServer()
  const url = await listen(server, port)
  const {options, sandbox} = backingOf(url)
  const orders = new Orders(log)
  const checkout = createCheckout({
    ...options,
    onPaid: (paid, {charge}) => orders.paid(paid, charge.ref_id),
  })
  const files = readStaticFiles(sandbox !== undefined)
  server.on('request', createShop({url, checkout, orders, files, sandbox, log}))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      server.close()
      server.closeAllConnections()
      // What the sandbox still wants to say has nobody to hear it.
      void checkout.close().then(() => process.exit(0))
    })
  log(
    `A shop to try crypto-checkout in, ${sandbox ? 'with the sandbox: no real money' : 'with the real service'}.`,
  )
  log(`  ${url}/`)
  log('Ctrl-C ends it.')
}

/** On 127.0.0.1 only: whoever reaches the sandbox may do anything with it. */
async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be listened on (${code})`
    throw new StartError(`port ${port} ${reason}; choose another with PORT=…`)
  }
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`
}

/** One line for what a person can put right; anything else is a fault of the demo, and keeps its stack. */
function complaint(error: unknown): string {
  if (error instanceof ConfigurationError)
    return error.message.replace('apiKey', 'CHECKOUT_API_KEY').replace('baseUrl', 'CHECKOUT_BASE_URL')
  if (error instanceof StartError) return error.message
  throw error
}

function log(line: string): void {
  console.log(line)
}
