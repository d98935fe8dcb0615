import type {Messages} from './translation-files.js'

const CYRILLIC = 'а б в г д ђ е ж з и ј к л љ м н њ о п р с т ћ у ф х ц ч џ ш'.split(' ')
const LATIN = 'a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š'.split(' ')
const latinOf = new Map(CYRILLIC.map((letter, index) => [letter, LATIN[index] ?? '']))

/** Each Cyrillic letter of Serbian has one counterpart, so no second translation is needed. */
export function inLatinLetters(messages: Messages): Messages {
  return Object.fromEntries(
    Object.entries(messages).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.replaceAll(/\p{sc=Cyrillic}/gu, latinLetter) : inLatinLetters(value),
    ]),
  )
}

function latinLetter(letter: string): string {
  const latin = latinOf.get(letter.toLowerCase()) ?? letter
  return letter === letter.toLowerCase() ? latin : latin.slice(0, 1).toUpperCase() + latin.slice(1)
}
