import type {ESLint} from 'eslint'

export const roomsPlugin: ESLint.Plugin
