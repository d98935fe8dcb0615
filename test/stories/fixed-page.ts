/** What would differ from run to run or between machines in a picture: fonts, the time, ids, the caret. */
import {join} from 'node:path'
import {installTools} from '../package/project.js'

/** DejaVu, because an npm package has all of its styles. Customers see the font of their system. */
const fonts = [
  {family: 'Picture', weight: 400, file: 'DejaVuSans.ttf'},
  {family: 'Picture', weight: 700, file: 'DejaVuSans-Bold.ttf'},
  // Chromium takes it for the name of a font.
  {family: 'ui-monospace', weight: 400, file: 'DejaVuSansMono.ttf'},
  // Of the story with a merchant's theme.
  {family: 'Georgia', weight: 400, file: 'DejaVuSerif.ttf'},
] as const

const tools = await installTools('test/stories/tools.json')

/** The files of the fonts, by the path to serve them at. */
export const fontFiles = Object.fromEntries(
  fonts.map(({file}) => [`/fonts/${file}`, join(tools, 'dejavu-fonts-ttf/ttf', file)]),
)

/** With these styles the page looks the same wherever Chromium runs. The time left is hidden, but keeps its place. */
export const fixedStyles = `
  ${fonts
    .map(
      ({family, weight, file}) =>
        `@font-face { font-family: "${family}"; font-weight: ${weight}; src: url("/fonts/${file}") }`,
    )
    .join('\n')}
  :root { --checkout-font: Picture; caret-color: transparent }
  crypto-checkout::part(countdown) { inline-size: 8em; visibility: hidden; white-space: nowrap }`

/**
 * Runs in the page before a story. Dates show minutes; the time goes on, because caches and polls wait for it. Text, because
 * tsx may add helper functions that do not exist there.
 */
export function fixPage(styles = ''): string {
  return `{
    const offset = Date.parse('2026-11-21T10:00:00Z') - Date.now()
    window.Date = class extends Date {
      constructor(...args) { args.length > 0 ? super(...args) : super(Date.now()) }
      static now() { return super.now() + offset }
    }
    Object.defineProperty(performance, 'timeOrigin', {value: performance.timeOrigin + offset})
    let random = 0
    crypto.randomUUID = () => '00000000-0000-4000-8000-' + String(++random).padStart(12, '0')
    localStorage.clear()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(${JSON.stringify(styles)})
    document.adoptedStyleSheets.push(sheet)
  }`
}
