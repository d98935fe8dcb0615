/** The script-tag build replaces this file by `load-asset-picker.eager.ts`, so that its first file can show the choice. */
export const loadAssetPicker = () => import('./asset-picker/asset-picker.js')
