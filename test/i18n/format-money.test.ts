import assert from 'node:assert/strict'
import {test} from 'node:test'
import {formatMoney} from '../../src/translations/format-money.js'

test('money is formatted for the locale, is never rounded to zero, and is plain if Intl does not know it', () => {
  const tiny = `0.${'0'.repeat(200)}1`
  for (const [amount, currency, locale, expected] of [
    ['1234.50', 'EUR', 'de', '1.234,50\u00a0€'],
    ['1200', 'JPY', 'en', '¥1,200'],
    ['5', 'USD', 'en', '$5.00'],
    ['0.004', 'USD', 'en', '$0.004'],
    ['0.4', 'JPY', 'en', '¥0.4'],
    ['9007199254740993.01', 'USD', 'en', '$9,007,199,254,740,993.01'],
    ['12.5', 'USDT', 'en', '12.5 USDT'],
    [tiny, 'USD', 'en', `${tiny} USD`],
  ] as const)
    assert.equal(formatMoney({amount, currency}, [locale]), expected)
})

test('what is formatted without Intl, for its speed, is what Intl would show', () => {
  const languages = 'de en es fr it nl pl'.split(' ')
  const regions = [
    '',
    ...'US IN GB IE CA NZ DE AT CH ES FR BE IT NL PL'.split(' ').map(region => `-${region}`),
  ]
  for (const locale of languages.flatMap(language => regions.map(region => language + region)))
    for (const currency of ['USD', 'EUR', 'GBP', 'AUD'])
      for (const amount of ['0', '0.05', '5', '10.5', '49.90', '999.99', '1000.00', '007', '1.'] as const)
        assert.equal(
          formatMoney({amount, currency}, [locale, 'en']),
          new Intl.NumberFormat([locale, 'en'], {style: 'currency', currency}).format(amount),
          `${amount} ${currency} ${locale}`,
        )
})
