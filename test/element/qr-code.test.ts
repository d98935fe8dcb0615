import {assert} from '@open-wc/testing'
import jsqr from 'jsqr'
import {render} from 'lit'
import {drawIcons} from '../../src/element/logos/icons.js'
import {qrCode} from '../../src/element/payment/qr-code.js'
import {createIdGenerator, seedOf} from '../../src/sandbox/generators.js'
import {paymentRequestUri} from '../../src/server/chains/index.js'
import pairs from '../fixtures/pairs.json' with {type: 'json'}
import {seededRandom} from '../seeded-random.js'
import {container} from './fixture.js'

const SIDE = 240
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

async function drawn(svg: SVGElement): Promise<ImageData> {
  svg.querySelector('.centre')?.setAttribute('clip-path', 'circle(12px at 12px 12px)')
  for (const side of ['width', 'height']) svg.setAttribute(side, String(SIDE))
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(svg))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = SIDE
  const context = canvas.getContext('2d') ?? assert.fail()
  context.drawImage(image, 0, 0)
  return context.getImageData(0, 0, SIDE, SIDE)
}

function read({data}: ImageData, look: (grey: number) => number): string | undefined {
  const pixels = new Uint8ClampedArray(data.length)
  for (let index = 0; index < data.length; index += 4) {
    const [red = 0, green = 0, blue = 0] = data.subarray(index, index + 3)
    pixels.fill(look(0.299 * red + 0.587 * green + 0.114 * blue), index, index + 3)
    pixels[index + 3] = 255
  }
  return jsqr(pixels, SIDE, SIDE, {inversionAttempts: 'dontInvert'})?.data
}
