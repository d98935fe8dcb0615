/** The element without its face: its session, client, stream and core, all real. What it would draw is its scene. */
import {sceneOf} from '../../src/core/phase.js'
import {checkoutOf} from '../../src/core/advance.js'
import {openNetworks} from '../../src/core/choice.js'
import {pairForRest} from '../../src/core/rest.js'
import type {Clock} from '../../src/contract/clock.js'
import {createClient} from '../../src/element/client.js'
import {page} from '../../src/element/page.js'
import {Session} from '../../src/element/session.js'
import * as parts from '../../src/element/stream.js'
import {Teller} from '../../src/element/tell.js'
import {HeldAttention} from '../held-attention.js'
import type {Seen, Tab, TabOptions} from './tab.js'

const ENDPOINT = 'https://shop.example/crypto-checkout'

export function sessionTab(clock: Clock, {chargeId, fetch, changed}: TabOptions): Tab {
  let ahead = 0
  let saidPaid = 0
  const teller = new Teller()
  const attention = new HeldAttention()
  const time = {
    now: () => clock.now() + ahead,
    sleep: (milliseconds: number, signal?: AbortSignal) => clock.sleep(milliseconds, signal),
  }
  const session = new Session({
    client: createClient(() => ({endpoint: ENDPOINT, token: null, fetch}), time),
    surroundings: {...page, time, random: () => 0.5, attention, loadStream: () => Promise.resolve(parts)},
    loadList: () => Promise.resolve(),
    loadDesk: () => Promise.resolve(),
    changed: (before, event) => {
      for (const told of teller.tell(before, event, session.state))
        if (told.type === 'checkout-paid') saidPaid++
      changed()
    },
  })
  session.follow(chargeId)
  session.resume()

  function seen(): Seen {
    const scene = sceneOf(session.state)
    return {
      phase: scene.phase,
      quote: scene.phase === 'paying' ? scene.way.quote : null,
      checkout: checkoutOf(session.state),
      saidPaid,
    }
  }

  return {
    seen,
    choose(asset, network) {
      const scene = sceneOf(session.state)
      if (scene.phase !== 'choosing') return
      const option = scene.checkout.assets.find(({id}) => id === asset)
      if (option && openNetworks(option).some(({id}) => id === network)) void session.ask({asset, network})
    },
    back() {
      if (/^(quoting|paying|underpaid)$/.test(seen().phase)) session.back()
    },
    ask() {
      const scene = sceneOf(session.state)
      if (scene.phase === 'paying') void session.ask(scene.way.quote)
      else if (scene.phase === 'unavailable') session.retry()
      else if (scene.phase === 'choosing' && scene.refused) void session.ask(scene.refused.pair)
      else if (scene.phase === 'underpaid' && scene.checkout.payable) {
        const pair = pairForRest(scene.checkout, scene.last)
        if (pair) void session.ask(pair)
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
