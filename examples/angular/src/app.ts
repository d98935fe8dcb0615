import {Component, CUSTOM_ELEMENTS_SCHEMA, signal} from '@angular/core'
import 'crypto-checkout'
import {placeOrder} from './order'

@Component({
  selector: 'shop-root',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    @if (chargeId(); as id) {
      <crypto-checkout [attr.charge-id]="id" (checkout-paid)="isPaid.set(true)"></crypto-checkout>
    } @else {
      <button type="button" (click)="order()">Pay with crypto</button>
    }
    @if (isPaid()) {
      <p role="status">Thank you! We have your payment.</p>
    }
  `,
})
export class App {
  readonly chargeId = signal<string | undefined>(undefined)
  readonly isPaid = signal(false)

  async order(): Promise<void> {
    this.chargeId.set(await placeOrder())
  }
}
