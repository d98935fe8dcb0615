/** The events of the playground's parts. The playground listens to them on itself. */
import type {Act, PlaygroundState} from './state.js'

/** The visitor changed a part of the state. `restart`: the change needs a new charge. */
export class StateChangeEvent extends Event {
  constructor(
    readonly change: (state: PlaygroundState) => PlaygroundState,
    readonly restart = false,
  ) {
    super('state-change', {bubbles: true, composed: true})
  }
}

/** The visitor acts as the customer, the payment service or the time. */
export class ActEvent extends Event {
  constructor(readonly act: Act) {
    super('act', {bubbles: true, composed: true})
  }
}

declare global {
  interface HTMLElementEventMap {
    'state-change': StateChangeEvent
    act: ActEvent
  }
}
