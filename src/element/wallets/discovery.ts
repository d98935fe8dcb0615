/**
 * Finds the wallets in this browser. In the payment chunk; the wallets' own chunk is loaded only if there is one.
 * @see https://eips.ethereum.org/EIPS/eip-6963
 */
import type {Clock} from '../../contract/clock.js'
import {withoutControls} from '../../core/without-controls.js'
import type {Provider, Wallet} from './wallet.js'

const LEGACY_AFTER_MS = 300
/** Wallets' own browsers may inject `window.ethereum` up to two seconds late. */
const LEGACY_TRIES = 10
const MAX_NAME_LENGTH = 64

/** Calls `onWallet` for each announcement until aborted, and for `window.ethereum` if no wallet announces itself. */
export async function discoverWallets(
  clock: Clock,
  signal: AbortSignal,
  onWallet: (wallet: Wallet) => void,
): Promise<void> {
  let isAnnounced = false
  const onAnnounce = (event: WindowEventMap['eip6963:announceProvider']) => {
    const wallet = announcedBy(event)
    if (!wallet) return
    isAnnounced = true
    onWallet(wallet)
  }
  window.addEventListener('eip6963:announceProvider', onAnnounce)
  signal.addEventListener('abort', () => window.removeEventListener('eip6963:announceProvider', onAnnounce))
  window.dispatchEvent(new CustomEvent('eip6963:requestProvider'))
  // Not in a frame: there, several wallets inject an object that does not work.
  for (let tries = 0; tries < LEGACY_TRIES && window.parent === window; tries++) {
    await clock.sleep(LEGACY_AFTER_MS, signal)
    // A test environment that has ended has no window.
    if (signal.aborted || isAnnounced || !globalThis.window) return
    const provider = window.ethereum
    if (isProvider(provider)) return onWallet({id: 'window.ethereum', name: '', icon: '', provider})
  }
}

/** Anything may be missing: another script made it. */
interface Announcement {
  readonly info?: {readonly rdns?: unknown; readonly name?: unknown; readonly icon?: unknown}
  readonly provider?: Provider
}

declare global {
  interface WindowEventMap {
    'eip6963:announceProvider': CustomEvent<Announcement | null>
  }
  interface Window {
    readonly ethereum?: Provider
  }
}

function announcedBy({detail}: CustomEvent<Announcement | null>): Wallet | null {
  const {info, provider} = detail ?? {}
  const {rdns: id, icon} = info ?? {}
  if (typeof id !== 'string' || typeof info?.name !== 'string' || !id || !isProvider(provider)) return null
  const name = [...withoutControls(info.name)].slice(0, MAX_NAME_LENGTH).join('')
  if (!name) return null
  return {id, name, icon: typeof icon === 'string' && icon.startsWith('data:image/') ? icon : '', provider}
}

function isProvider(value: Provider | undefined): value is Provider {
  return typeof value?.request === 'function'
}
