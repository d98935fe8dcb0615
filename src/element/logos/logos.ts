import {adopt} from '../styles/index.js'
import type {ElementLike} from '../views/context.js'
import type {DrawLogos} from './draw-logos.js'
import {createRemoteLogos} from './remote-logos.js'

interface LogosHost {
  readonly element: ElementLike
  readonly environment: {nextPaint(): Promise<void>; loadIcons(): Promise<typeof import('./icons.js')>}
}

/** The logos that the attribute `logos` asks for. Icons load once a view that has them is on screen. */
export class Logos {
  #icons: typeof import('./icons.js') | null = null
  #hasRequestedIcons = false
  readonly #remote = createRemoteLogos()

  constructor(private readonly host: LogosHost) {}

  /** Null without logos, and before the icons have loaded. */
  get draw(): DrawLogos | null {
    switch (this.host.element.logos) {
      case 'remote':
        return this.#remote
      case 'none':
        return null
      default:
        return this.#icons?.drawIcons ?? null
    }
  }

  /** Called after a view that has logos was rendered. */
  async load(): Promise<void> {
    const {element, environment} = this.host
    if (this.#hasRequestedIcons || element.logos === 'remote' || element.logos === 'none') return
    this.#hasRequestedIcons = true
    await environment.nextPaint()
    const chunk = await environment.loadIcons().catch(() => null)
    if (!chunk) return
    this.#icons = chunk
    adopt(chunk.iconStyles, element.renderRoot)
    element.requestUpdate()
  }
}
