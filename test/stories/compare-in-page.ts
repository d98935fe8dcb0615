/** Runs in a page, because Node cannot decode WebP. */
import pixelmatch from 'pixelmatch'

/** Of colours, from 0 to 1. Letters have other edges with another version of the engine. */
const THRESHOLD = 0.1

export interface Comparison {
  /** Share of the pixels, from 0 to 1. Those of a picture that is wider or higher than the other count. */
  readonly different: number
  /** A PNG as a data URL: what differs in red, over the pale expected picture. */
  readonly difference: string
}

/** @param expected and actual: pictures as data URLs */
export async function compare(expected: string, actual: string): Promise<Comparison> {
  const pictures = [await decode(expected), await decode(actual)]
  const width = Math.max(...pictures.map(picture => picture.width))
  const height = Math.max(...pictures.map(picture => picture.height))
  const contexts = pictures.map(picture => {
    // Transparent beyond the picture.
    const context = contextOf(width, height)
    context.drawImage(picture, 0, 0)
    return context
  })
  const [before, after] = contexts.map(context => context.getImageData(0, 0, width, height))
  if (!before || !after) throw new Error('there are two pictures')
  const context = contextOf(width, height)
  const difference = new ImageData(width, height)
  const count = pixelmatch(before.data, after.data, difference.data, width, height, {
    threshold: THRESHOLD,
    alpha: 0.2,
    checkerboard: false,
  })
  context.putImageData(difference, 0, 0)
  return {different: count / (width * height), difference: context.canvas.toDataURL()}
}

async function decode(url: string): Promise<ImageBitmap> {
  return createImageBitmap(await (await fetch(url)).blob())
}

function contextOf(width: number, height: number): CanvasRenderingContext2D {
  const context = Object.assign(document.createElement('canvas'), {width, height}).getContext('2d')
  if (!context) throw new Error('the page has no canvas')
  return context
}
