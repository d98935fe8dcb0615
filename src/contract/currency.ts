/** ISO 4217. `Intl` follows CLDR, whose minor units differ for several of these currencies. */
const minorUnits: readonly (readonly [places: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

/** Made when it is first needed, so that the element does not pay for it. */
let isoCurrencies: ReadonlySet<string> | undefined

/** The decimals of a currency by ISO 4217, such as 2 for `HUF`, where `Intl` has none; 2 if it is unknown. */
export function minorUnit(currency: string): number {
  const code = currency.toUpperCase()
  return minorUnits.find(([, currencies]) => currencies.split(' ').includes(code))?.[0] ?? 2
}

export function isIsoCurrency(currency: string): boolean {
  isoCurrencies ??= new Set(Intl.supportedValuesOf('currency'))
  return isoCurrencies.has(currency.toUpperCase())
}
