/** Draws a QR code as a camera sees it, and decodes it with another library. */
import {assert} from '@open-wc/testing'
import jsqr from 'jsqr'

const SIDE = 240

export async function drawn(svg: SVGElement): Promise<ImageData> {
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

export function read({data}: ImageData): string | undefined {
  return jsqr(data, SIDE, SIDE, {inversionAttempts: 'dontInvert'})?.data
}
