/** A tab without rendering: the element's session and client; the view state replaces the page. */
import {viewStateOf} from '../../src/core/phase.js'
import {checkoutOf} from '../../src/core/advance.js'
import {availableNetworks} from '../../src/core/choice.js'
import {pairForRemaining} from '../../src/core/remaining.js'
import type {Clock} from '../../src/contract/clock.js'
import {ApiClient} from '../../src/element/session/api-client.js'
import {browserEnvironment} from '../../src/element/browser-environment.js'
import {Session} from '../../src/element/session/session.js'
import {EventTracker} from '../../src/element/session/event-tracker.js'
import {FakeVisibility} from '../fake-visibility.js'
import type {TabView, Tab, TabOptions} from './tab.js'

const ENDPOINT = 'https://shop.example/crypto-checkout'

/** The simulation has nothing to render. */
const host = {
  addController() {},
  removeController() {},
  requestUpdate() {},
  updateComplete: Promise.resolve(true),
}

export function sessionTab(clock: Clock, {chargeId, fetch, onChange}: TabOptions): Tab {
  let skewMs = 0
  let paidEvents = 0
  const eventTracker = new EventTracker()
  const visibility = new FakeVisibility()
  const tabClock = {
    now: () => clock.now() + skewMs,
    sleep: (milliseconds: number, signal?: AbortSignal) => clock.sleep(milliseconds, signal),
  }
  const session = new Session(host, {
    client: new ApiClient(() => ({endpoint: ENDPOINT, token: null, fetch}), tabClock),
    environment: {
      ...browserEnvironment,
      clock: tabClock,
      random: () => 0.5,
      visibility,
    },
    load: () => Promise.resolve(),
    onChange: (before, action) => {
      for (const event of eventTracker.eventsFor(before, action, session.state))
        if (event.type === 'checkout-paid') paidEvents++
      onChange()
    },
  })
  session.setCharge(chargeId)
  session.resume()

  function view(): TabView {
    const viewState = viewStateOf(session.state)
    return {
      phase: viewState.phase,
      quote: viewState.phase === 'paying' ? viewState.step.quote : null,
      checkout: checkoutOf(session.state),
      paidEvents,
    }
  }

  return {
    view,
    choose(asset, network) {
      const viewState = viewStateOf(session.state)
      if (viewState.phase !== 'choosing') return
      const option = viewState.checkout.assets.find(({id}) => id === asset)
      if (option && availableNetworks(option).some(({id}) => id === network))
        void session.requestQuote({asset, network})
    },
    back() {
      if (/^(quoting|paying|underpaid)$/.test(view().phase)) session.back()
    },
    requestQuote() {
      const viewState = viewStateOf(session.state)
      if (viewState.phase === 'paying') void session.requestQuote(viewState.step.quote)
      else if (viewState.phase === 'unavailable') session.retry()
      else if (viewState.phase === 'choosing' && viewState.refused)
        void session.requestQuote(viewState.refused.pair)
      else if (viewState.phase === 'underpaid' && viewState.checkout.payable) {
        const pair = pairForRemaining(viewState.checkout, viewState.last)
        if (pair) void session.requestQuote(pair)
      }
    },
    refresh: () => void session.refresh(),
    leave: () => session.pause(),
    return: () => session.resume(),
    hide: () => visibility.change(false),
    show: () => visibility.change(true),
    skew(milliseconds) {
      skewMs += milliseconds
    },
    close: () => session.pause(),
  }
}
