/** Draws the spans of one trace as an SVG: one row each, in order of their start. */
import type {ReadableSpan} from '@opentelemetry/sdk-trace-base'

const ROW = 18
const LEFT = 230
const WIDTH = 480
const colors: Readonly<Record<string, string>> = {service: '#2563eb', store: '#7c8698', handler: '#15803d'}

export function drawTrace(spans: readonly ReadableSpan[]): string {
  const milliseconds = ([seconds, nanoseconds]: readonly [number, number]) =>
    seconds * 1000 + nanoseconds / 1e6
  const rows = spans
    .map(({name, startTime, duration}) => ({
      name,
      start: milliseconds(startTime),
      length: milliseconds(duration),
    }))
    .sort((a, b) => a.start - b.start || b.length - a.length)
  const origin = Math.min(...rows.map(({start}) => start))
  const total = Math.max(...rows.map(({start, length}) => start + length)) - origin
  const scale = (value: number) => ((value / total) * WIDTH).toFixed(1)
  const height = rows.length * ROW + 12
  const lines = rows.map(({name, start, length}, index) => {
    const y = index * ROW + 6
    const color = colors[name.split(' ')[0] ?? ''] ?? '#b45309'
    const x = LEFT + Number(scale(start - origin))
    return [
      `<text class="name" x="6" y="${y + 12}">${name}</text>`,
      `<rect x="${x.toFixed(1)}" y="${y + 2}" width="${Math.max(1, Number(scale(length)))}" height="12" fill="${color}"/>`,
      `<text x="${LEFT + WIDTH + 8}" y="${y + 12}">${length.toFixed(1)} ms</text>`,
    ].join('')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 780 ${height}" font-family="sans-serif" font-size="11">
<rect width="780" height="${height}" fill="#fff"/>
${lines.join('\n')}
</svg>
`
}
