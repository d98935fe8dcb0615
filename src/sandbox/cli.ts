/** The command `npx crypto-checkout sandbox`. */
import {createSandbox, type RunningSandbox} from './index.js'

const usage = `usage: crypto-checkout sandbox [--port 4010] [--webhook http://127.0.0.1:3000/crypto-checkout/webhook]`

interface Arguments {
  port: number
  webhook?: string
}

/** Prints its usage and serves until the process ends. Returns `undefined` and sets exit code 1 if it cannot start. */
export async function sandboxCommand(
  args: readonly string[],
  print: (line: string) => void = console.log,
): Promise<RunningSandbox | undefined> {
  if (args.includes('--help') || args.includes('-h')) {
    print(usage)
    return undefined
  }
  const parsed = parseArguments(args)
  if (typeof parsed === 'string') return fail(`${parsed}\n${usage}`)
  const {port, webhook} = parsed
  try {
    const sandbox = createSandbox(webhook === undefined ? {} : {webhookUrl: webhook})
    const running = await sandbox.listen({port})
    print(instructions(running.url, sandbox.apiKey, webhook))
    return running
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

/** Returns the arguments, or an error message. */
function parseArguments(args: readonly string[]): Arguments | string {
  const parsed: Arguments = {port: 4010}
  for (let index = 0; index < args.length; index += 2) {
    const [name = '', inline] = (args[index] ?? '').split(/=(.*)/s)
    if (inline !== undefined) index--
    const value = inline ?? args[index + 1] ?? ''
    if (name === '--port') {
      if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) return '--port needs a number up to 65535'
      parsed.port = Number(value)
    } else if (name === '--webhook') {
      if (!URL.canParse(value)) return '--webhook needs a URL'
      parsed.webhook = value
    } else return `unknown argument: ${name}`
  }
  return parsed
}

function instructions(url: string, apiKey: string, webhookUrl: string | undefined): string {
  return `A simulated payment service: no real money, all data in memory. Ctrl-C stops it.

  base URL   ${url}
  api-key    ${apiKey}
  webhooks   ${webhookUrl ?? 'none; start with --webhook <url>'}

Create a charge:

  curl -s ${url}/api/v1/pay/charge -H 'api-key: ${apiKey}' -H 'content-type: application/json' -d '{
    "ref_id": "order-1", "metadata": {}, "userId": "user-1", "charge_source": "api", "call_back_url": "",
    "customer": {"user_id": "user-1", "name": "Ada", "phone": "", "email": "ada@example.com"},
    "billing": {"currency": "USD", "amount": "49.99", "pricing_type": "fixed_price",
                "description": "A book", "country": "GB"}}'

Create its deposit addresses, and activate one by converting (money sent to any other is lost):

  curl -s -X POST ${url}/api/v1/pay/crypto/<charge> -H 'api-key: ${apiKey}'
  curl -s -X GET ${url}/api/v1/pay/crypto/convert -H 'api-key: ${apiKey}' -H 'content-type: application/json' -d '{
    "_id": "<crypto charge>", "network": "bsc", "local": {"amount": "49.99", "currency": "USD"},
    "wallet": {"symbol": "USDT", "convert_id": "825", "chart": "cmc"}}'

Simulate the customer, the clock and failures:

  curl -s ${url}/sandbox/
  curl -s ${url}/sandbox/charges
  curl -s ${url}/sandbox/pay -d '{"id": "<charge>", "asset": "USDT", "network": "bsc"}'
  curl -s ${url}/sandbox/clock -d '{"ms": 3600000}'
  curl -s ${url}/sandbox/fault -d '{"operation": "convert", "fault": {"kind": "status", "status": 503, "times": 1}}'
  curl -s ${url}/sandbox/clear-faults -d '{}'`
}
