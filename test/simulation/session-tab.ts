/** The element without its face: its session, client, stream and core, all real. What it would draw is its scene. */
import {viewStateOf} from '../../src/core/phase.js'
import {checkoutOf} from '../../src/core/advance.js'
import {availableNetworks} from '../../src/core/choice.js'
import {pairForRemaining} from '../../src/core/remaining.js'
import type {Clock} from '../../src/contract/clock.js'
import {createClient} from '../../src/element/session/api-client.js'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import {Session} from '../../src/element/session/session.js'
import * as parts from '../../src/element/session/event-stream.js'
import {EventTracker} from '../../src/element/session/event-tracker.js'
import {FakeVisibility} from '../fake-visibility.js'
import type {TabView, Tab, TabOptions} from './tab.js'

const ENDPOINT = 'https://shop.example/crypto-checkout'

/** There is nothing to render. */
const host = {
  addController() {},
  removeController() {},
  requestUpdate() {},
  updateComplete: Promise.resolve(true),
}

export function sessionTab(clock: Clock, {chargeId, fetch, changed}: TabOptions): Tab {
  let ahead = 0
  let saidPaid = 0
  const teller = new EventTracker()
  const attention = new FakeVisibility()
  const time = {
    now: () => clock.now() + ahead,
    sleep: (milliseconds: number, signal?: AbortSignal) => clock.sleep(milliseconds, signal),
  }
  const session = new Session(host, {
    client: createClient(() => ({endpoint: ENDPOINT, token: null, fetch}), time),
    environment: {
      ...browserEnvironment,
      clock: time,
      random: () => 0.5,
      visibility: attention,
      loadStream: () => Promise.resolve(parts),
    },
    loadAssetPicker: () => Promise.resolve(),
    loadPayment: () => Promise.resolve(),
    onChange: (before, event) => {
      for (const told of teller.eventsFor(before, event, session.state))
        if (told.type === 'checkout-paid') saidPaid++
      changed()
    },
  })
  session.setCharge(chargeId)
  session.resume()

  function seen(): TabView {
    const scene = viewStateOf(session.state)
    return {
      phase: scene.phase,
      quote: scene.phase === 'paying' ? scene.step.quote : null,
      checkout: checkoutOf(session.state),
      saidPaid,
    }
  }

  return {
    seen,
    choose(asset, network) {
      const scene = viewStateOf(session.state)
      if (scene.phase !== 'choosing') return
      const option = scene.checkout.assets.find(({id}) => id === asset)
      if (option && availableNetworks(option).some(({id}) => id === network))
        void session.requestQuote({asset, network})
    },
    back() {
      if (/^(quoting|paying|underpaid)$/.test(seen().phase)) session.back()
    },
    ask() {
      const scene = viewStateOf(session.state)
      if (scene.phase === 'paying') void session.requestQuote(scene.step.quote)
      else if (scene.phase === 'unavailable') session.retry()
      else if (scene.phase === 'choosing' && scene.refused) void session.requestQuote(scene.refused.pair)
      else if (scene.phase === 'underpaid' && scene.checkout.payable) {
        const pair = pairForRemaining(scene.checkout, scene.last)
        if (pair) void session.requestQuote(pair)
      }
    },
    refresh: () => void session.refresh(),
    leave: () => session.pause(),
    return: () => session.resume(),
    hide: () => attention.change(false),
    show: () => attention.change(true),
    skew(milliseconds) {
      ahead += milliseconds
    },
    close: () => session.pause(),
  }
}
