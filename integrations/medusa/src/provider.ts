/** The payment provider. A charge that is paid is captured: there is nothing to authorize before. */
import {AbstractPaymentProvider, MedusaError, ModuleProvider, Modules} from '@medusajs/framework/utils'
import type {
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  PaymentSessionStatus,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types'
import type {Checkout} from 'crypto-checkout/server'
import {IDENTIFIER, payments, type SessionData} from './payments.js'

type Input = {data?: Record<string, unknown>}

const statusOf: Readonly<Record<Checkout['status'], PaymentSessionStatus>> = {
  open: 'pending',
  pending: 'pending',
  underpaid: 'requires_more',
  paid: 'captured',
  overpaid: 'captured',
  expired: 'error',
  cancelled: 'canceled',
}

class CryptoCheckoutProvider extends AbstractPaymentProvider {
  static override identifier = IDENTIFIER

  constructor(cradle: Record<string, unknown>) {
    super(cradle)
  }

  async initiatePayment({data, amount, currency_code}: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const session = await payments().createCharge(String(data?.['session_id']), amount, currency_code)
    return {id: session.chargeId, data: session}
  }

  /** Medusa replaces the session of a cart whose price has changed. */
  async updatePayment({data = {}}: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    return {data}
  }

  /** Reads the service. The data is that of `createCharge`: Medusa keeps it, and a browser cannot change it. */
  async getPaymentStatus({data = {}}: Input): Promise<GetPaymentStatusOutput> {
    const {collectionId, chargeId} = data as SessionData
    const {checkout} = await payments().checkout.getOrder(collectionId)
    const status = checkout.chargeId === chargeId ? statusOf[checkout.status] : 'error'
    return {status, data: {...data, status: checkout.status}}
  }

  authorizePayment(input: Input): Promise<GetPaymentStatusOutput> {
    return this.getPaymentStatus(input)
  }

  retrievePayment(input: Input): Promise<GetPaymentStatusOutput> {
    return this.getPaymentStatus(input)
  }

  async capturePayment({data = {}}: Input) {
    return {data}
  }

  /** A session is deleted for every view of the page; its charge stays, and the next session shows it. */
  async deletePayment({data = {}}: Input) {
    return {data}
  }

  async cancelPayment({data = {}}: Input) {
    await payments().cancel((data as SessionData).collectionId)
    return {data}
  }

  async refundPayment(): Promise<never> {
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, 'Crypto payments are refunded by hand')
  }

  /** The proxy receives the webhooks. */
  async getWebhookActionAndData(): Promise<WebhookActionResult> {
    return {action: 'not_supported'}
  }
}

export default ModuleProvider(Modules.PAYMENT, {services: [CryptoCheckoutProvider]})
