import jsqr from 'jsqr'
import type {CryptoCheckout} from '../../src/index.js'
import {part} from './fixture.js'

/** Reads the code as a camera would: drawn on a canvas, by a decoder that knows nothing of ours. */
export async function decoded(element: CryptoCheckout): Promise<string | undefined> {
  const svg = part(element, 'qr')
  if (!svg) return undefined
  const size = 400
  const copy = svg.cloneNode(true)
  if (!(copy instanceof SVGElement)) return undefined
  copy.setAttribute('width', String(size))
  copy.setAttribute('height', String(size))
  const image = new Image()
  const isLoaded = new Promise(resolve => (image.onload = resolve))
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await isLoaded
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const context = canvas.getContext('2d')
  context?.drawImage(image, 0, 0)
  const pixels = context?.getImageData(0, 0, size, size)
  return pixels ? jsqr(pixels.data, size, size)?.data : undefined
}
