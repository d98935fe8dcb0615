/**
 * Local money as people of a locale write it. An amount stays decimal text: `Intl` is given the text, and is allowed
 * every place that the text has, so that nothing is ever rounded, least of all what is due to zero.
 */
import type {Money} from '../../contract/checkout.js'

export function formatMoney({amount, currency}: Money, locale: Intl.LocalesArgument): string {
  const places = amount.split('.')[1]?.replace(/0+$/, '').length ?? 0
  try {
    const style = {style: 'currency', currency} as const
    const usual = new Intl.NumberFormat(locale, style)
    const most = Math.max(places, usual.resolvedOptions().maximumFractionDigits ?? 0)
    const format = new Intl.NumberFormat(locale, {...style, maximumFractionDigits: most})
    if (isNumeric(amount)) return format.format(amount)
  } catch {
    // `Intl` refuses codes that are not three letters, and more places than it knows. The price is the price.
  }
  return `${amount} ${currency}`
}

function isNumeric(text: string): text is `${number}` {
  return /^[\d.]+$/.test(text)
}
