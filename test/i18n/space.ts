/** The space for messages on a phone of 320 px. A column is the width of an average Latin letter. */
import {english, messagesOf, schemaProperties} from './translation-files.js'

const SAMPLES: Readonly<Record<string, string>> = {
  amount: '49.88503449',
  coin: 'BNB',
  network: 'BNB Smart Chain (BEP-20)',
  symbol: 'USDT',
  wallet: 'MetaMask',
}

/** Chinese, Japanese and Korean characters take two columns, marks above and below letters none. */
export function columnsOf(message: string): number {
  const text = message.replaceAll(/\{(\w+)\}/g, (_, name: string) => SAMPLES[name] ?? 'x'.repeat(10))
  const wide = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff01-\uff60]/u
  return [...text].reduce(
    (sum, letter) => sum + (/[\p{Mn}\p{Me}\p{Cf}]/u.test(letter) ? 0 : wide.test(letter) ? 2 : 1),
    0,
  )
}

const englishColumns = new Map(messagesOf(english).map(([path, text]) => [path, columnsOf(text)]))

/**
 * The columns that the schema gives to messages in buttons and rows. The others wrap, and may be longer than English, but
 * not so long that the address moves off the screen.
 */
export function spaceFor(path: string): number {
  const [key = '', inGroup = ''] = path.split('.')
  const {columns} = schemaProperties[key]?.properties?.[inGroup] ?? schemaProperties[key] ?? {}
  return columns ?? 24 + 1.6 * (englishColumns.get(path) ?? 0)
}
