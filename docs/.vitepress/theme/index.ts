import type {Theme} from 'vitepress'
import {h} from 'vue'
import DefaultTheme from 'vitepress/theme-without-fonts'
import {LiveCheckout} from './live-checkout.js'

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, {'home-hero-image': () => h(LiveCheckout)}),
}

export default theme
