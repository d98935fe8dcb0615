/** `@types/qrcode` describes only the main module, which also has renderers. */
declare module 'qrcode/lib/core/qrcode.js' {
  export function create(
    text: string,
    options: {errorCorrectionLevel: 'L' | 'M' | 'Q' | 'H'},
  ): {modules: {size: number; get(row: number, column: number): number}}
}
