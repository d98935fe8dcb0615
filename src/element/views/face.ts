/** One phase, one face. The switch is exhaustive: a new phase without a view does not compile. */
import {html, nothing} from 'lit'
import type {Scene} from '../../core/phase.js'
import type {Desk, DeskScene} from '../desk/desk.js'
import type {List} from '../list/list.js'
import {soon} from './soon.js'
import {unavailable} from './unavailable.js'
import {heading, type Html, type View} from './view.js'

/** What draws the phases that are not drawn here, once it is there. */
export interface LateParts {
  readonly list: Pick<List, 'draw'> | null
  readonly desk: Pick<Desk, 'draw'> | null
}

/** List and desk come late. Until they are there, or if they cannot be had, their phases have at least a heading. */
export function face(view: View, scene: Scene, {list, desk}: LateParts): Html {
  switch (scene.phase) {
    case 'idle':
      return nothing
    case 'unavailable':
      return unavailable(view, scene.why, scene.chargeId)
    case 'loading':
    case 'choosing':
    case 'quoting':
      return list && scene.phase !== 'loading'
        ? list.draw(view, scene)
        : html`${heading(view.words.status[scene.phase])} ${soon()}`
    case 'paying':
    case 'confirming':
    case 'underpaid':
    case 'paid':
    case 'overpaid':
    case 'expired':
    case 'cancelled':
      return desk ? desk.draw(view, scene) : heading(view.words.status[scene.phase])
  }
}

/** Before there are words: nothing is said, and nothing of another language is seen. */
export const silence = html`<div part="base" aria-busy="true">
  <div class="view">
    <p class="blank"></p>
    ${soon()}
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
