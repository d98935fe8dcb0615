import {create} from 'qrcode/lib/core/qrcode.js'
import {markup, type Markup} from '../markup.js'

/** Modules of white around the code, as ISO/IEC 18004 requires. */
const QUIET_ZONE = 4

/** Dark on light in every theme, because scanners fail on inverted codes. */
export function qrSvg(text: string, description: string): Markup {
  const {modules} = create(text, {errorCorrectionLevel: 'M'})
  const indices = Array.from({length: modules.size}, (_, index) => index)
  const rows = indices.map(y => indices.map(x => (modules.get(y, x) ? '1' : '0')).join(''))
  const path = rows.flatMap((row, y) =>
    Array.from(row.matchAll(/1+/g), ({0: run, index}) => {
      const x = index + QUIET_ZONE
      return `M${x} ${y + QUIET_ZONE}h${run.length}v1H${x}z`
    }),
  )
  const size = modules.size + 2 * QUIET_ZONE
  return markup`<svg class="qr" role="img" aria-label="${description}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path.join('')}"/></svg>`
}
