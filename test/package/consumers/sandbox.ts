/** A merchant's test with the simulated service. */
import {createSandbox} from 'crypto-checkout/sandbox'

const sandbox = createSandbox({webhookUrl: 'http://127.0.0.1:3000/crypto-checkout/webhook'})
const {url, close} = await sandbox.listen({port: 0})
console.log(url, sandbox.apiKey, sandbox.pay('c1', {asset: 'USDT', network: 'bsc'}).recorded)
await close()

// @ts-expect-error: a port is a number
void sandbox.listen({port: '4010'})
