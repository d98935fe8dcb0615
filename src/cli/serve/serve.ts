/** The command `npx crypto-checkout serve`: the proxy as a server of its own, beside a shop in any language. */
import type {Logger} from '../../server/base/logger.js'
import {CommandError, parse, runCommand, type Print} from '../command.js'
import {readConfiguration} from './configuration.js'
import {startSandboxServer} from './sandbox.js'
import {startServer, type RunningServer} from './server.js'

const usage = `usage: crypto-checkout serve [--config file] [--sandbox]

Runs the proxy and an API for your server. The configuration is environment variables, or a file of NAME=value lines:
  CHECKOUT_API_KEY, CHECKOUT_BASE_URL             of the payment service
  CHECKOUT_SECRET                                 bearer secret of the merchant API, at least 32 characters
  CHECKOUT_PUBLIC_URL, CHECKOUT_NAME              the origin of links, and the name of the shop on the hosted page
  CHECKOUT_STORE                                  a folder, postgres://, mysql://, redis:// or sqlite:FILE; default .crypto-checkout
  CHECKOUT_WEBHOOK_URL, CHECKOUT_WEBHOOK_SECRET   where your server gets events; whsec_ and base64
  CHECKOUT_TOKEN_SECRET                           turns client tokens on
  CHECKOUT_TRUST_PROXY                            the number of your reverse proxies; default 1 if HOST is loopback, else 0
  PORT, HOST                                      default 4020, 127.0.0.1
--sandbox simulates the payment service on the next port, without money: all that is missing gets a test setting. Its data
are in .crypto-checkout-sandbox, for the next start; with CHECKOUT_STORE=memory: in memory.`

/** Sets exit code 2, after one line on stderr, if it cannot start. */
export async function serveCommand(
  args: readonly string[],
  print: Print = console.log,
  printError: Print = console.error,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<RunningServer | undefined> {
  let running: RunningServer | undefined
  const start = async () => {
    const {values, positionals} = parse(args, {config: {type: 'string'}, sandbox: {type: 'boolean'}})
    if (positionals.length > 0) throw new CommandError(`unknown argument: ${positionals.join(' ')}`)
    const logger = jsonLogger(print)
    const {config} = values
    if (values.sandbox) running = await startSandboxServer(environment, config, logger, print)
    else {
      const configuration = readConfiguration(environment, config)
      const {HOST: host, PORT: port} = configuration
      running = await startServer({host, port: Number(port)}, () => configuration, logger)
    }
    logger.info('listening', {url: running.url})
    stopOnSignals(running, logger)
  }
  await runCommand(args, usage, print, start, {print: printError, exitCode: 2})
  return running
}

/** One line of JSON for each message. */
function jsonLogger(print: Print): Logger {
  const log =
    (level: keyof Logger): Logger['info'] =>
    (message, fields) =>
      print(JSON.stringify({time: new Date().toISOString(), level, message, ...fields}))
  return {info: log('info'), warn: log('warn'), error: log('error')}
}

/** The first signal drains; a second one exits at once. */
function stopOnSignals(running: RunningServer, logger: Logger): void {
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (isStopping) process.exit(1)
      isStopping = true
      logger.info('stopping', {signal})
      void running.close().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
}
