import type {Money} from '../contract/checkout.js'
import {keepLast} from './format.js'

const formatOf = keepLast((locale: Intl.LocalesArgument, currency: string, places: number) => {
  const style = {style: 'currency', currency} as const
  const format = new Intl.NumberFormat(locale, style)
  return places > (format.resolvedOptions().maximumFractionDigits ?? 0)
    ? new Intl.NumberFormat(locale, {...style, maximumFractionDigits: places})
    : format
})

/**
 * Formats local money. `Intl` receives the amount as text and keeps all of its decimal places, so that nothing is
 * rounded, in particular no amount due to zero.
 */
export function formatMoney({amount, currency}: Money, locale: Intl.LocalesArgument): string {
  const places = amount.split('.')[1]?.replace(/0+$/, '').length ?? 0
  try {
    if (isNumeric(amount)) return formatOf(locale, currency, places).format(amount)
  } catch {
    // `Intl` throws for codes that are not three letters, and for more places than it supports.
  }
  return `${amount} ${currency}`
}

function isNumeric(text: string): text is `${number}` {
  return /^[\d.]+$/.test(text)
}
