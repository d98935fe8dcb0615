/** The script-tag build takes `list-at-once.ts` in the place of this: its first load has all that one chooses from. */
export const loadAssetPicker = () => import('./asset-picker/asset-picker.js')
