import type {AssetPicker} from './asset-picker/asset-picker.js'
import type {DialogController, DialogHost} from './dialog/dialog-controller.js'
import type {Environment} from './environment.js'
import {Logos} from './logos/logos.js'
import type {PaymentPanel} from './payment/payment-panel.js'
import type {Chunk} from './session/session.js'
import type {ElementLike, ViewHost} from './views/context.js'

interface LazyViewsHost extends DialogHost, Pick<ViewHost, 'translation' | 'announce' | 'reportStep'> {
  readonly element: ElementLike & {readonly environment: Environment}
}

/** The views in lazy chunks; null until loaded. A failed load is repeated at the next call. */
export class LazyViews {
  assetPicker: AssetPicker | null = null
  payment: PaymentPanel | null = null
  dialog: DialogController | null = null

  readonly #logos: Logos

  constructor(private readonly host: LazyViewsHost) {
    this.#logos = new Logos({element: host.element, environment: host.element.environment})
  }

  get #environment(): Environment {
    return this.host.element.environment
  }

  load(chunk: Chunk): Promise<unknown> {
    return chunk === 'payment' ? this.loadPayment() : this.#loadAssetPicker()
  }

  async loadPayment(): Promise<PaymentPanel> {
    const {PaymentPanel} = await this.#environment.loadPayment()
    return (this.payment ??= new PaymentPanel({
      ...this.host,
      environment: this.#environment,
      logos: this.#logos,
    }))
  }

  reset(): void {
    this.assetPicker?.reset()
    this.payment?.reset()
  }

  updateDialog(): void {
    if (this.dialog) this.dialog.hostUpdated()
    else if (this.host.element.modal) void this.#loadDialog()
  }

  async #loadAssetPicker(): Promise<void> {
    const {AssetPicker} = await this.#environment.loadAssetPicker()
    this.assetPicker ??= new AssetPicker({
      ...this.host,
      environment: this.#environment,
      logos: this.#logos,
      loadPayment: () => this.loadPayment(),
    })
  }

  async #loadDialog(): Promise<void> {
    const {element} = this.host
    try {
      const {DialogController} = await this.#environment.loadDialog()
      this.dialog ??= new DialogController(this.host)
      this.dialog.hostUpdated()
    } catch {
      // Without the chunk the dialog still opens and closes.
      const dialog = element.renderRoot.querySelector('dialog')
      if (!element.open) dialog?.close?.()
      else if (dialog?.isConnected && !dialog.open) dialog.showModal?.()
    }
  }
}
