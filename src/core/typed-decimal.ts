/**
 * The decimal that the customer typed, as plain text with a point. Null for anything else. Digits may be of any script, and
 * the decimal sign a comma.
 */
export function typedDecimal(text: string): string | null {
  const plain = text.trim().replace(/[\p{Nd}]/gu, latinDigit)
  return /^\d+([.,٫]\d+)?$/.test(plain) ? plain.replace(/[,٫]/, '.') : null
}

/** Unicode encodes the digits of each script in ascending order, without another digit before zero. */
function latinDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (/[\p{Nd}]/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}
