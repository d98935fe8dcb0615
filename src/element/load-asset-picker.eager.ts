import {AssetPicker} from './asset-picker/asset-picker.js'

export const loadAssetPicker = () => Promise.resolve({AssetPicker})
