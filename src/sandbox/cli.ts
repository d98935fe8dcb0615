/** What `npx crypto-checkout sandbox` runs. */
import {createSandbox, type RunningSandbox} from './index.js'

const usage = `usage: crypto-checkout sandbox [--port 4010] [--webhook http://127.0.0.1:3000/crypto-checkout/webhook]`

interface Arguments {
  port: number
  webhook?: string
}

/** Prints how to use it and serves until the process ends; undefined, and exit code 1, when it could not start. */
export async function sandboxCommand(
  args: readonly string[],
  print: (line: string) => void = console.log,
): Promise<RunningSandbox | undefined> {
  if (args.includes('--help') || args.includes('-h')) {
    print(usage)
    return undefined
  }
  const read = readArguments(args)
  if (typeof read === 'string') return fail(`${read}\n${usage}`)
  const {port, webhook} = read
  try {
    const sandbox = createSandbox(webhook === undefined ? {} : {webhookUrl: webhook})
    const listening = await sandbox.listen({port})
    print(instructions(listening.url, sandbox.apiKey, webhook))
    return listening
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const isTaken = 'code' in error && error.code === 'EADDRINUSE'
    return fail(isTaken ? `port ${port} is in use; choose another with --port` : error.message)
  }

  function fail(reason: string): undefined {
    print(reason)
    process.exitCode = 1
  }
}

/** The arguments, or what is wrong with them. */
function readArguments(args: readonly string[]): Arguments | string {
  const read: Arguments = {port: 4010}
  for (let index = 0; index < args.length; index += 2) {
    const [name = '', inline] = (args[index] ?? '').split(/=(.*)/s)
    if (inline !== undefined) index--
    const value = inline ?? args[index + 1] ?? ''
    if (name === '--port') {
      if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) return '--port needs a number up to 65535'
      read.port = Number(value)
    } else if (name === '--webhook') {
      if (!URL.canParse(value)) return '--webhook needs a URL'
      read.webhook = value
    } else return `unknown argument: ${name}`
  }
  return read
}

function instructions(url: string, apiKey: string, webhookUrl: string | undefined): string {
  return `The payment service, pretended: no money, everything in memory. Ctrl-C ends it.

  base URL   ${url}
  api-key    ${apiKey}
  webhooks   ${webhookUrl ?? 'none; start with --webhook <url>'}

Create a charge:

  curl -s ${url}/api/v1/pay/charge -H 'api-key: ${apiKey}' -H 'content-type: application/json' -d '{
    "ref_id": "order-1", "metadata": {}, "userId": "user-1", "charge_source": "api", "call_back_url": "",
    "customer": {"user_id": "user-1", "name": "Ada", "phone": "", "email": "ada@example.com"},
    "billing": {"currency": "USD", "amount": "49.99", "pricing_type": "fixed_price",
                "description": "A book", "country": "GB"}}'

Mint its addresses, and activate one by converting (money to any other is lost):

  curl -s -X POST ${url}/api/v1/pay/crypto/<charge> -H 'api-key: ${apiKey}'
  curl -s -X GET ${url}/api/v1/pay/crypto/convert -H 'api-key: ${apiKey}' -H 'content-type: application/json' -d '{
    "_id": "<crypto charge>", "network": "bsc", "local": {"amount": "49.99", "currency": "USD"},
    "wallet": {"symbol": "USDT", "convert_id": "825", "chart": "cmc"}}'

Then be the customer, and the world:

  curl -s ${url}/sandbox/
  curl -s ${url}/sandbox/charges
  curl -s ${url}/sandbox/pay -d '{"id": "<charge>", "asset": "USDT", "network": "bsc"}'
  curl -s ${url}/sandbox/clock -d '{"ms": 3600000}'
  curl -s ${url}/sandbox/fault -d '{"operation": "convert", "fault": {"kind": "status", "status": 503, "times": 1}}'
  curl -s ${url}/sandbox/clear-faults -d '{}'`
}
