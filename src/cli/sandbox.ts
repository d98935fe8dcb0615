/** The command `npx crypto-checkout sandbox`: simulates the payment service until it is stopped. */
import type {RunningSandbox} from '../sandbox/index.js'
import {CommandError, parse, runCommand, type Print} from './command.js'
import {createOwnSandbox, listen, stateFile} from './create-sandbox.js'

const usage = `usage: crypto-checkout sandbox [--port 4010] [--webhook http://127.0.0.1:3000/crypto-checkout/webhook] [--memory]

Its charges and payments are in .crypto-checkout-sandbox/<port>.json, for the next start; with --memory in memory.`

/** Resolves to undefined, with exit code 1, if it cannot start. */
export async function sandboxCommand(
  args: readonly string[],
  print: Print = console.log,
): Promise<RunningSandbox | undefined> {
  let running: RunningSandbox | undefined
  await runCommand(args, usage, print, async () => {
    const {values, positionals} = parse(args, {
      port: {type: 'string', default: '4010'},
      webhook: {type: 'string'},
      memory: {type: 'boolean', default: false},
    })
    const {port, webhook, memory} = values
    if (positionals.length > 0) throw new CommandError(`unknown argument: ${positionals.join(' ')}`)
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
      throw new CommandError('--port needs a number up to 65535')
    if (webhook !== undefined && !URL.canParse(webhook)) throw new CommandError('--webhook needs a URL')
    const kept = memory ? {} : stateFile(Number(port))
    const sandbox = createOwnSandbox({...kept, ...(webhook !== undefined && {webhookUrl: webhook})})
    running = await listen(sandbox, Number(port), 'choose another with --port')
    print(instructions(running.url, sandbox.apiKey, webhook, kept.file))
  })
  return running
}

function instructions(url: string, apiKey: string, webhookUrl: string | undefined, file = 'memory'): string {
  return `A simulated payment service: no real money, all data in ${file}. Ctrl-C stops it.

  CHECKOUT_BASE_URL=${url}
  CHECKOUT_API_KEY='${apiKey}'
  webhooks: ${webhookUrl ?? 'none; start with --webhook <url>'}

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
