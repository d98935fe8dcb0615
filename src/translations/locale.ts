/** For Norwegian without a variety, Nynorsk, Portuguese outside of Brazil, and Filipino by its old code. */
const alternatives: Readonly<Record<string, string>> = {no: 'nb', nn: 'nb', pt: 'pt-PT', tl: 'fil'}

/** Languages with one script, and its digits, in every region: the first use of `Intl.Locale` takes long, and would delay the list of assets. */
export const alwaysLatin = /^(de|en|es|fr|it|nl|pl)(-[A-Z]{2})?$/

/**
 * The names of translations for a locale, the most specific first: `zh-TW` also matches `zh-Hant`, and `pt` also matches
 * `pt-BR`, its likely region. A locale in a script that the language does not usually have matches only by its own name,
 * because the customer may not read another. Deprecated codes, such as `iw` for Hebrew, are replaced. Empty for an invalid
 * tag.
 */
export function localeFallbacks(locale: string): string[] {
  const [, latin] = alwaysLatin.exec(locale) ?? []
  if (latin) return [locale, latin]
  try {
    const canonical = new Intl.Locale(locale.replaceAll('_', '-'))
    const {language, script, region} = canonical.maximize()
    const names = [canonical.toString(), canonical.baseName, `${language}-${region}`, `${language}-${script}`]
    if (new Intl.Locale(language).maximize().script === script)
      names.push(language, alternatives[language] ?? language)
    return names
  } catch {
    return []
  }
}

/** The writing direction of a language's script. `Intl.Locale.getTextInfo` is missing in Firefox. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  if (alwaysLatin.test(language)) return 'ltr'
  const {script = ''} = new Intl.Locale(language).maximize()
  return /Adlm|Arab|Hebr|Nkoo|Rohg|Syrc|Thaa/.test(script) ? 'rtl' : 'ltr'
}
