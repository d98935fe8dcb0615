/**
 * The QR code as one SVG path: dark on light in every theme, with the quiet zone of four modules that ISO/IEC 18004
 * requires. Scanners fail on inverted and on cropped codes. A quarter of the code may be unreadable (level Q), and the icon of
 * the coin covers less than a twentieth of it.
 */
import {html, nothing, svg, type SVGTemplateResult, type TemplateResult} from 'lit'
import {unsafeSVG} from 'lit/directives/unsafe-svg.js'
// The core alone: the main module adds renderers, which no bundler can remove from CommonJS.
import {create} from 'qrcode/lib/core/qrcode.js'

const QUIET_ZONE = 4
/** Of the icon and of the white ring around it, as shares of the code's width. */
const ICON = 0.16
const RING = 0.2
/** From this width on, version 7, there is an alignment pattern in the centre, which scanners need. */
const WITHOUT_ICON = 45
/** Of the icons of `DrawLogos`. */
const ICON_UNITS = 24

/** `icon`: markup of `DrawLogos`. */
export function qrCode(text: string, description: string, icon: string | undefined): TemplateResult {
  const {size, path} = qrPath(text)
  const full = size + 2 * QUIET_ZONE
  return html`<svg
    part="qr"
    class="qr"
    translate="no"
    role="img"
    aria-label=${description}
    viewBox="0 0 ${full} ${full}"
    shape-rendering="crispEdges"
  >
    <path fill="#fff" d="M0 0h${full}v${full}H0z" />
    <path fill="#000" d=${path} />
    ${icon && size < WITHOUT_ICON ? centre(icon, full / 2, size) : nothing}
  </svg>`
}

function centre(icon: string, middle: number, size: number): SVGTemplateResult {
  const side = ICON * size
  const start = middle - side / 2
  return svg`<circle fill="#fff" shape-rendering="auto" cx=${middle} cy=${middle} r=${(RING * size) / 2} />
    <g
      class="centre"
      shape-rendering="auto"
      transform="translate(${start} ${start}) scale(${side / ICON_UNITS})"
    >
      ${unsafeSVG(icon)}
    </g>`
}

export interface QrPath {
  readonly text: string
  readonly size: number
  readonly path: string
}

let last: QrPath | undefined

/** The browser compiles code when it first runs, which takes longer than one QR code. So this runs it before a quote. */
export function compileQr(): void {
  if (!last) qrPath('a'.repeat(42))
}

/** Caches the last result, because the countdown renders every second. */
export function qrPath(text: string): QrPath {
  if (last?.text === text) return last
  const {modules} = create(text, {errorCorrectionLevel: 'Q'})
  let path = ''
  for (let y = 0; y < modules.size; y++) {
    let x = 0
    while (x < modules.size) {
      let end = x
      while (end < modules.size && modules.get(y, end)) end++
      if (end > x) path += `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h${end - x}v1H${x + QUIET_ZONE}z`
      x = end + 1
    }
  }
  return (last = {text, size: modules.size, path})
}
