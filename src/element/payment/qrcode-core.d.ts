/** `@types/qrcode` describes only the main module, which also has renderers. */
declare module 'qrcode/lib/core/qrcode.js' {
  export {create} from 'qrcode'
}
