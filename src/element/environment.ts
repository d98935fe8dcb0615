import type {PageEnvironment} from '../core/poller.js'
import type {Language} from '../translations/generated/languages.js'

/** Everything that the element takes from the browser, so that tests can replace it. */
export interface Environment extends PageEnvironment {
  /** Resolves when what was rendered is on screen, so that less urgent work can begin. Not while the page is hidden. */
  nextPaint(): Promise<void>
  navigate(address: string): void
  /** A `pairKey`, or null. Does not throw. */
  loadLastPair(): string | null
  /** Takes a `pairKey`. Does not throw. */
  saveLastPair(pair: string): void
  loadAssetPicker(): Promise<Pick<typeof import('./asset-picker/asset-picker.js'), 'AssetPicker'>>
  loadIcons(): Promise<typeof import('./logos/icons.js')>
  loadPayment(): Promise<typeof import('./payment/payment-panel.js')>
  loadWallets(): Promise<typeof import('./wallets/wallet-panel.js')>
  loadDialog(): Promise<typeof import('./dialog/dialog-controller.js')>
  loadTranslation(language: Language): Promise<{default: object}>
}
