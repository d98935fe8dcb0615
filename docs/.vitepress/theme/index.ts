/// <reference types="vite/client" />
import type {Theme} from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import {Figures} from './figures.js'
import {LiveCheckout} from './live-checkout.js'
import './style.css'

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({app}) {
    app.component('Figures', Figures).component('LiveCheckout', LiveCheckout)
  },
}

export default theme
