/** The shop's page is complete before its script runs, so that nothing moves: with its basket, or with the order of its URL. */
import type {basket} from './orders.js'

/** @param html `index.html` */
export function fillPage(html: string, {items, total, currency}: typeof basket, hasSandbox: boolean): string {
  const {format} = new Intl.NumberFormat('en-US', {style: 'currency', currency})
  const rows = items.map(
    ({name, note, price}) =>
      `<li><span>${name}<span class="note">${note}</span></span> <span class="price">${format(Number(price))}</span></li>`,
  )
  const filled = html
    .replace('<!-- items -->', rows.join(''))
    .replace('<!-- total -->', format(Number(total)))
  return hasSandbox ? filled : filled.replace(/<link[^>]*wallet.css[^>]*>|<aside [^]*<\/aside>/g, '')
}

/** @param page of `fillPage` */
export function withOrder(page: string, chargeId: string, token?: string): string {
  return page
    .replace('data-stage="basket"', 'data-stage="order"')
    .replace('Your basket', 'Your order')
    .replace('<crypto-checkout ', `$&charge-id="${chargeId}" ${token ? `token="${token}" ` : ''}`)
}
