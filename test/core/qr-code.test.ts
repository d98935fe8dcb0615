/** An independent decoder reads every QR code, because a wrong address loses money. */
import assert from 'node:assert/strict'
import {test} from 'node:test'
import fc from 'fast-check'
import jsqr from 'jsqr'
import {compileQr, qrPath, type QrPath} from '../../src/element/payment/qr-code.js'
import {createIdGenerator, seedOf} from '../../src/sandbox/generators.js'

const {address} = createIdGenerator(seedOf(() => 0.4))

test('a decoder reads any printable address', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[!-~]{1,300}$/),
    fc.stringMatching(/^[A-Z0-9]{1,20}[a-z:]{0,20}[A-Z0-9]{1,40}$/),
    fc.stringMatching(/^[0-9]{1,40}$/),
  )
  fc.assert(
    fc.property(word, text => assert.equal(scanned(qrPath(text)), text)),
    {numRuns: 100},
  )
})

test('a code that is shown is not created again after the code was compiled', () => {
  const shown = qrPath(address('bitcoin'))
  compileQr()
  assert.equal(qrPath(shown.text), shown)
})

/** Decodes the code at four pixels a module. */
function scanned({size, path}: QrPath): string | undefined {
  const width = 4 * (size + 8)
  const image = new Uint8ClampedArray(4 * width * width).fill(255)
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)/g))
    for (let row = 4 * Number(y); row < 4 * Number(y) + 4; row++)
      image.fill(0, 4 * (row * width + 4 * Number(x)), 4 * (row * width + 4 * (Number(x) + Number(run))))
  for (let alpha = 3; alpha < image.length; alpha += 4) image[alpha] = 255
  return jsqr(image, width, width)?.data
}
