import {assert} from '@open-wc/testing'
import {render} from 'lit'
import {drawIcons} from '../../src/element/logos/icons.js'
import {qrCode} from '../../src/element/payment/qr-code.js'
import {createIdGenerator, seedOf} from '../../src/sandbox/generators.js'
import {paymentRequestUri} from '../../src/server/chains/index.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import {seededRandom} from '../seeded-random.js'
import {drawn, read} from './decode-qr.js'
import {container} from './fixture.js'

const CASES_A_TEST = 20

/** How a code may look to a camera, from black 0 to white 255. */
const looks: Readonly<Record<string, (grey: number) => number>> = {
  'as it is': grey => grey,
  'at half contrast': grey => 64 + grey / 2,
  'printed in black and white': grey => (grey < 128 ? 0 : 255),
}

describe('the QR code with the coin in its centre', () => {
  const random = seededRandom(5)
  const {address} = createIdGenerator(seedOf(random))
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]

  for (let cases = CASES_A_TEST; cases <= 200; cases += CASES_A_TEST)
    it(`is read at 240 px, also at half contrast and printed, in ${cases} random cases`, async () => {
      for (let index = 0; index < CASES_A_TEST; index++) {
        const {symbol, network, contract, assetId} = pick(pairs) ?? assert.fail()
        const to = address(network)
        const baseUnits = String(Math.floor(random() * 1e15) + 1)
        const request = paymentRequestUri({network, contract: contract ?? assetId, address: to, baseUnits})
        const text = index % 2 === 0 ? to : (request ?? to)
        const icon = drawIcons.svg(symbol)
        assert.exists(icon, symbol)
        render(qrCode(text, '', icon), container())
        const image = await drawn(container().querySelector('svg') ?? assert.fail())
        for (const [name, look] of Object.entries(looks))
          assert.equal(read(image, look), text, `${symbol} on ${network}, ${name}`)
      }
    })
})
