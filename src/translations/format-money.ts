import type {Money} from '../contract/checkout.js'
import {keepLast} from './format.js'

const currencies = ['USD', 'EUR', 'GBP']

/**
 * Zero in these currencies, euros and pounds, as `Intl` formats it for most customers. The first use of `Intl.NumberFormat` takes a
 * tenth of a second on a phone, because V8 then looks for all languages that it knows. The list of assets waits for a price.
 */
const zeros: Readonly<Record<string, string>> = {
  'en en-US en-IN': '$0.00 €0.00 £0.00',
  'en-GB en-IE en-CA en-NZ': 'US$0.00 €0.00 £0.00',
  'de de-DE': '0,00\xA0$ 0,00\xA0€ 0,00\xA0£',
  'es es-ES': '0,00\xA0US$ 0,00\xA0€ 0,00\xA0GBP',
  'fr fr-FR fr-BE': '0,00\xA0$US 0,00\xA0€ 0,00\xA0£GB',
  'it it-IT': '0,00\xA0USD 0,00\xA0€ 0,00\xA0£',
  'nl nl-NL nl-BE': 'US$\xA00,00 €\xA00,00 £\xA00,00',
  'pl pl-PL': '0,00\xA0USD 0,00\xA0€ 0,00\xA0GBP',
}

const formatOf = keepLast((locale: readonly string[], currency: string, places: number) => {
  const style = {style: 'currency', currency} as const
  const format = new Intl.NumberFormat(locale, style)
  return places > (format.resolvedOptions().maximumFractionDigits ?? 0)
    ? new Intl.NumberFormat(locale, {...style, maximumFractionDigits: places})
    : format
})

/**
 * Formats local money as `Intl` does. It receives the amount as text and keeps all of its decimal places, so that nothing is
 * rounded, in particular no amount due to zero.
 */
export function formatMoney({amount, currency}: Money, locale: readonly string[]): string {
  const [, units, cents = ''] = /^(0|[1-9]\d{0,2})(?:\.(\d{1,2}))?$/.exec(amount) ?? []
  const zero = units && zeroOf(currency, locale)
  if (zero) return zero.replace(/0(.)00/, (_, point: string) => units + point + cents.padEnd(2, '0'))
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

function zeroOf(currency: string, [tag = '']: readonly string[]): string | undefined {
  const [, texts] = Object.entries(zeros).find(([tags]) => tags.split(' ').includes(tag)) ?? []
  return texts?.split(' ')[currencies.indexOf(currency)]
}
