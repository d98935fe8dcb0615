/** Starts the checkout after a restart of the server, although nobody visits a page. It then reads the charges itself. */
import {payments} from '../payments.js'

export default async function reconcile(): Promise<void> {
  await payments().checkout.reconcile()
}

export const config = {name: 'reconcile-crypto-checkout', schedule: '*/5 * * * *'}
