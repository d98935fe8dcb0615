/** One phase, one face. The switch is exhaustive: a new phase without a view does not compile. */
import {html, nothing} from 'lit'
import type {Scene} from '../../core/phase.js'
import type {Desk, DeskScene} from '../desk/desk.js'
import {choosing, choosingSoon, type ChoosingView} from './choosing.js'
import {unavailable} from './unavailable.js'
import {heading, type Html} from './view.js'

/** The desk comes late. Until it is there, or if it cannot be had, its phases have at least their heading. */
export function face(view: ChoosingView, scene: Scene, drawDesk: Desk['draw'] | null): Html {
  switch (scene.phase) {
    case 'idle':
      return nothing
    case 'loading':
      return html`${heading(view.words.status.loading)} ${choosingSoon()}`
    case 'unavailable':
      return unavailable(view, scene.why, scene.chargeId)
    case 'choosing':
    case 'quoting':
      return choosing(view, scene)
    case 'paying':
    case 'confirming':
    case 'underpaid':
    case 'paid':
    case 'overpaid':
    case 'expired':
    case 'cancelled':
      return drawDesk ? drawDesk(view, scene) : heading(view.words.status[scene.phase])
  }
}

/** Before there are words: nothing is said, and nothing of another language is seen. */
export const silence = html`<div part="base" aria-busy="true">
  <div class="view">
    <p class="blank"></p>
    ${choosingSoon()}
  </div>
</div>`

/** Whether it is the desk that draws this. */
export function isForDesk(scene: Scene): scene is DeskScene {
  switch (scene.phase) {
    case 'idle':
    case 'loading':
    case 'unavailable':
    case 'choosing':
    case 'quoting':
      return false
    default:
      return true
  }
}
