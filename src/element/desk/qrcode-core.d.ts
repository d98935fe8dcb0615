/** The part of `qrcode` that works out the modules, without its renderers. */
declare module 'qrcode/lib/core/qrcode.js' {
  import type {QRCode, QRCodeOptions} from 'qrcode'
  export function create(text: string, options?: QRCodeOptions): QRCode
}
