/**
 * Payments of a published wallet to a real node: MetaMask's JSON-RPC engine with the signer of ethers, announced by wevm's
 * EIP-6963 library, pays with Aave's ERC-20 contracts on anvil. What arrives is compared with what the customer saw.
 */
import assert from 'node:assert/strict'
import {after, before, test} from 'node:test'
import {build, type Plugin} from 'esbuild'
import {formatUnits, parseEther, type Address, type Hex} from 'viem'
import {generatePrivateKey, privateKeyToAddress} from 'viem/accounts'
import type {Quote} from '../../src/contract/checkout.js'
import {findNetwork} from '../../src/server/chains/index.js'
import {describeIn} from '../e2e/describe-in.js'
import {startPageShop, type PageShop} from '../e2e/page-shop.js'
import {
  clickMainAction,
  clickPair,
  until,
  untilPhase,
  type Engine,
  type EnginePage,
} from '../engines/engine.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import {installTools} from '../package/project.js'
import {startEvmNode, type EvmNode, type Token} from './evm-node.js'

declare global {
  interface Window {
    hashes: string[]
  }
}

const WALLET = '[data-wallet="dev.crypto-checkout.sandbox"]'
/** In US dollars: little, and so much that most tokens have more than 10^21 base units. */
const AMOUNTS = ['0.37', '12345.67']
const MUCH = 10n ** 30n

const evmPairs = pairs.flatMap(({network, contract, ...pair}) => {
  const chainId = findNetwork(network)?.chainId
  return chainId ? [{...pair, network, chainId, contract: contract as Address | undefined}] : []
})
type Pair = (typeof evmPairs)[number]

let wallet: string
let shop: PageShop
let engine: Engine
const nodes = new Map<number, EvmNode>()
const keys = {
  rich: generatePrivateKey(),
  withoutTokens: generatePrivateKey(),
  withoutCoins: generatePrivateKey(),
}
type Customer = keyof typeof keys

before(async () => {
  const tools = await installTools('test/third-party/tools.json')
  for (const {chainId, symbol, contract, decimals} of evmPairs) {
    const node = nodes.get(chainId) ?? (await startEvmNode(tools, chainId))
    nodes.set(chainId, node)
    if (contract) await addToken(node, {symbol, contract, decimals})
  }
  for (const {client} of nodes.values())
    for (const key of [keys.rich, keys.withoutTokens])
      await client.setBalance({address: privateKeyToAddress(key), value: parseEther('1000000')})
  wallet = await walletScript(tools)
  shop = await startPageShop({}, (_, url, res) => {
    const isPage = url.pathname === '/'
    res.writeHead(200, {'content-type': isPage ? 'text/html' : 'text/javascript'})
    res.end(isPage ? html(url.searchParams) : wallet)
  })
})
after(async () => {
  for (const node of nodes.values()) await node.stop()
  await shop.close()
})

async function addToken(node: EvmNode, token: Token): Promise<void> {
  await node.place(token)
  for (const key of [keys.rich, keys.withoutCoins])
    await node.mint(token.contract, privateKeyToAddress(key), MUCH)
}

/** Modules of Node that the wallet imports, and does not use in a page for a payment. */
const withoutNode: Plugin = {
  name: 'without-node',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^(node:assert\/strict|https?|zlib|util|url)$/}, ({path}) => ({
      path,
      namespace: 'node',
    }))
    onLoad({filter: /^/, namespace: 'node'}, () => ({contents: 'export default {}'}))
  },
}

/** A wallet that asks nobody, on Ethereum first. */
async function walletScript(tools: string): Promise<string> {
  const chains = [...nodes.values()].map(({chainId, url}) => ({chainId, rpcUrl: url}))
  const contents = `
    import {Web3ProviderBackend} from 'headless-web3-provider'
    import {announceProvider} from 'mipd'
    const info = {uuid: crypto.randomUUID(), name: 'Wallet', icon: 'data:image/svg+xml,', rdns: 'dev.crypto-checkout.sandbox'}
    const permitted = ['eth_requestAccounts', 'wallet_switchEthereumChain', 'eth_sendTransaction']
    const chains = ${JSON.stringify(chains)}.sort((a, b) => a.chainId - b.chainId)
    announceProvider({info, provider: new Web3ProviderBackend([window.key], chains, {permitted})})`
  const {outputFiles} = await build({
    stdin: {contents, resolveDir: tools},
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [withoutNode],
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

const html = (query: URLSearchParams) => `<!doctype html><title>Pay</title>
  <script>
    window.key = '${keys[query.get('customer') as Customer]}'
    window.hashes = []
    addEventListener('checkout-sent', ({detail}) => hashes.push(detail.hash))
  </script>
  <script type="module" src="/wallet.js"></script>
  <script type="module" src="/crypto-checkout/crypto-checkout.js"></script>
  <crypto-checkout charge-id="${query.get('charge')}"></crypto-checkout>`

describeIn(
  'chromium',
  'a wallet of a real chain',
  one => (engine = one),
  () => {
    for (const pair of evmPairs)
      test(`pays exactly the amount on screen in ${pair.symbol} on ${pair.network}`, async () => {
        for (const amount of AMOUNTS) await paysExactly(pair, amount)
      })

    const usdt = evmPairs[0] ?? assert.fail()
    const bnb = evmPairs.find(({symbol}) => symbol === 'BNB') ?? assert.fail()
    for (const [what, pair, customer, missing] of [
      ['too little of the token', usdt, 'withoutTokens', /lacks [\d.]+ USDT/],
      ['too little of the coin', bnb, 'withoutCoins', /lacks [\d.]+ BNB/],
      [
        'no coin for the fee of a token',
        usdt,
        'withoutCoins',
        /lacks (BNB|ETH)\. The blockchain network fee/,
      ],
    ] as const)
      test(`sends nothing, says what is missing and stays open with ${what}`, async () => {
        const {client} = nodes.get(pair.chainId) ?? assert.fail()
        const blocks = await client.getBlockNumber()
        const page = await startPaying(pair, '49.90', customer)
        await clickMainAction(page, WALLET)
        const isSaid = (text: string) => {
          const root = document.querySelector('crypto-checkout')!.shadowRoot!
          return root.querySelector('[part=wallet-status]')?.textContent?.startsWith(text)
        }
        await until(page, 'told', isSaid, 'Nothing was sent')
        const said = await page.evaluate(
          () =>
            document.querySelector('crypto-checkout')!.shadowRoot!.querySelector('[part=wallet-status]')!
              .textContent,
        )
        assert.match(said.replaceAll(/[\u2066-\u2069]/g, ''), missing)
        assert.equal(await client.getBlockNumber(), blocks)
        const isShown = (selector: string) =>
          !!document.querySelector('crypto-checkout')!.shadowRoot!.querySelector(selector)
        assert.equal(await page.evaluate(isShown, WALLET), true)
        assert.equal(await page.evaluate(isShown, '[part=send-again]'), false)
        await page.close()
      })
  },
)

async function paysExactly(pair: Pair, dollars: string): Promise<void> {
  const node = nodes.get(pair.chainId) ?? assert.fail()
  const page = await startPaying(pair, dollars, 'rich')
  const {baseUnits, address, shown} = await quoteOn(page)
  const before = await node.balance(pair.contract, address)
  await clickMainAction(page, WALLET)
  await until(page, 'sent', () => window.hashes.length > 0)
  const hash = await page.evaluate(() => window.hashes[0] as Hex)
  const {status} = await node.client.waitForTransactionReceipt({hash})
  assert.equal(status, 'success')

  const arrived = (await node.balance(pair.contract, address)) - before
  assert.equal(String(arrived), baseUnits)
  const decimals = pair.contract
    ? await node.decimals(pair.contract)
    : node.client.chain.nativeCurrency.decimals
  assert.equal(formatUnits(arrived, decimals), shown)
  await isPaidBy(node, pair, hash)
  await untilPhase(page, 'paid')
  await page.close()
}

/** The service reads the chain. */
async function isPaidBy({client}: EvmNode, {network}: Pair, hash: Hex): Promise<void> {
  const {to, value, input} = await client.getTransaction({hash})
  const {recorded} = shop.sandbox.transact({
    network,
    to: to ?? '',
    value: `0x${value.toString(16)}`,
    data: input,
  })
  assert.equal(recorded, true)
}

async function startPaying(pair: Pair, dollars: string, customer: Customer): Promise<EnginePage> {
  const chargeId = await shop.order(dollars)
  const page = await engine.openPage()
  await page.goto(`${shop.url}/?charge=${chargeId}&customer=${customer}`)
  await untilPhase(page, 'choosing')
  const networks = pairs.filter(({convertId}) => convertId === pair.convertId)
  if (networks.length > 1) await clickPair(page, pair.convertId, pair.network)
  else await page.click(`crypto-checkout >>> [data-asset="${pair.convertId}"]`)
  await untilPhase(page, 'paying')
  return page
}

/** With the amount on screen. */
async function quoteOn(page: EnginePage): Promise<Quote & {address: Address; shown: string}> {
  return page.evaluate(() => {
    const {checkout, shadowRoot} = document.querySelector('crypto-checkout')!
    const shown = shadowRoot!.querySelector('[part~=amount]')!.textContent
    return {...checkout!.quote!, address: checkout!.quote!.address as Address, shown}
  })
}
