/**
 * Fixed prices, so that runs are reproducible. Most are not round, so that amounts have as many digits as those of the
 * real service.
 */

/** US dollars for one unit of an asset, by convert id. Default: 1. */
export const usdPrices: Readonly<Record<string, number>> = {
  825: 1.0003,
  1027: 3127.48,
  4687: 0.9998,
  1839: 641.27,
  3408: 0.9999,
  4943: 1.0001,
  4030: 0.1834,
  52: 2.2134,
  2010: 0.5621,
  6636: 3.187,
  3890: 0.2113,
  5805: 17.43,
  3717: 96412.55,
  7083: 7.412,
  1975: 13.87,
  1966: 0.2746,
  3513: 0.4418,
}

/** US dollars for one unit of a local currency. Default: 1. */
const usdRates: Readonly<Record<string, number>> = {
  USD: 1,
  EUR: 1.0842,
  GBP: 1.2631,
  JPY: 0.006731,
  NGN: 0.000648,
  KWD: 3.2534,
}

export function usdRate(currency: string): number {
  return usdRates[currency.toUpperCase()] ?? 1
}
