/** A page that shows what differs: expected, actual, difference. */
import {dataUrl} from './comparer.js'

export interface Difference {
  readonly name: string
  /** Missing for a new story. */
  readonly expected?: Buffer | undefined
  /** Missing for a story that was removed. */
  readonly actual?: Buffer | undefined
  /** A PNG as a data URL. */
  readonly difference?: string
  /** Such as "1.2 % of the pixels differ". */
  readonly reason: string
}

export function differencesPage(differences: readonly Difference[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Differences of ${differences.length} pictures</title>
<style>
  body { font-family: sans-serif; margin: 24px; background: #ddd }
  div { display: flex; gap: 16px; align-items: start }
  figure { margin: 0 }
  img { max-inline-size: 30vw; border: 1px solid #888 }
</style>
<h1>Differences of ${differences.length} pictures</h1>
<p>If they are what you intended, <code>npm run screens</code> stores the new pictures.</p>
${differences
  .map(
    ({name, expected, actual, difference, reason}) => `<h2>${name}: ${reason}</h2>
<div>${figure('Expected', expected && dataUrl(expected))}${figure('Actual', actual && dataUrl(actual))}${figure('Difference', difference)}</div>`,
  )
  .join('\n')}
</html>
`
}

function figure(caption: string, url: string | undefined): string {
  return url ? `<figure><figcaption>${caption}</figcaption><img src="${url}" alt="${caption}"></figure>` : ''
}
