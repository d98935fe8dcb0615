/** Control and direction characters, with which a name could show as another one. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

export function withoutControls(text: string): string {
  return text.replace(CONTROLS, '')
}
