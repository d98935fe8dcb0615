/** Payments with a wallet in the browser. The sandbox's wallet is the only one that is shown in test mode. */
import {waitFor} from 'storybook/test'
import {createBrowserWallet, type BrowserWallet, type SentRequest} from '../demo/browser-wallet.js'
import {checkout, checkoutIn, click, type Story, waitForPhase} from './checkout.js'
import {openFixture, usdtOnBsc, type StoryFixture} from './fixture.js'
import type {CryptoCheckout} from '../src/index.js'

export default {...checkout, title: 'Wallets'}

const PAY = '[part=wallet]'

let wallet: BrowserWallet | undefined

/** The customer sees what to send, and has the sandbox's wallet, which is on Ethereum. */
function storyWith(
  act: (element: CryptoCheckout, wallet: BrowserWallet) => Promise<void> = () => Promise.resolve(),
  send = ({sandbox}: StoryFixture, transaction: SentRequest) => sandbox.transact(transaction).transactionId,
): Story {
  return {
    args: usdtOnBsc,
    loaders: [
      async () => {
        // The addresses are the same in every story, and a story must not find a payment of another one.
        localStorage.clear()
        const fixture = await openFixture()
        wallet = createBrowserWallet({
          tokens: fixture.sandbox.tokens,
          send: transaction => Promise.resolve({transactionId: send(fixture, transaction)}),
        })
        wallet.announce()
        return {fixture}
      },
    ],
    beforeEach: () => () => wallet?.close(),
    play: async ({canvasElement}) => {
      const element = checkoutIn(canvasElement)
      await waitForPhase(element, 'paying')
      await waitForPart(element, 'wallet')
      if (wallet) await act(element, wallet)
    },
  }
}

async function waitForPart(element: CryptoCheckout, name: string, text = ''): Promise<void> {
  await waitFor(
    () => {
      const part = element.shadowRoot?.querySelector(`[part=${name}]`)
      if (!part?.textContent?.includes(text)) throw new Error(`${name} does not show "${text}"`)
    },
    {timeout: 10_000},
  )
}

async function waitForQuestion(wallet: BrowserWallet): Promise<void> {
  await waitFor(
    () => {
      if (wallet.question === null) throw new Error('the wallet asks nothing')
    },
    {timeout: 10_000},
  )
}

export const Offered = storyWith()

/** The wallet is on another network, and asks whether to switch. */
export const WrongNetwork = storyWith(async (element, wallet) => {
  await click(element, PAY)
  await waitForQuestion(wallet)
})

export const Refused = storyWith(async (element, wallet) => {
  await click(element, PAY)
  await waitForQuestion(wallet)
  wallet.reject()
  await waitForPart(element, 'wallet-status', 'Nothing was sent')
})

export const Confirming = storyWith(async (element, wallet) => {
  wallet.setNetwork('bsc')
  await click(element, PAY)
  await waitForQuestion(wallet)
})

/** The customer has gone back while the wallet asks: address and QR code are there again, and the wallet may still send. */
export const WentBack = storyWith(async (element, wallet) => {
  wallet.setNetwork('bsc')
  await click(element, PAY)
  await waitForQuestion(wallet)
  await click(element, '[part=wallet-back]')
  await waitForPart(element, 'send-again')
})

/** The wallet has sent it, and the payment service has not seen it yet. */
export const Sent = storyWith(
  async (element, wallet) => {
    wallet.setNetwork('bsc')
    await click(element, PAY)
    await waitForQuestion(wallet)
    wallet.confirm()
    await waitForPart(element, 'send-again')
  },
  () => `0x${'5a'.repeat(32)}`,
)

export const Paid = storyWith(async (element, wallet) => {
  await click(element, PAY)
  await waitForQuestion(wallet)
  wallet.confirm()
  await waitForPart(element, 'wallet-status', 'confirm there')
  await waitForQuestion(wallet)
  wallet.confirm()
  await waitForPhase(element, 'paid')
})
