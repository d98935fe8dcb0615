/** The colours of the product around the stories. */
import {addons} from 'storybook/manager-api'
import {create} from 'storybook/theming/create'

const isDark = matchMedia('(prefers-color-scheme: dark)').matches
const accent = isDark ? '#9db7ff' : '#1d4ed8'

addons.setConfig({
  theme: create({
    base: isDark ? 'dark' : 'light',
    brandTitle: 'crypto-checkout',
    brandUrl: '../',
    brandTarget: '_self',
    colorPrimary: accent,
    colorSecondary: accent,
    barSelectedColor: accent,
    barHoverColor: accent,
    appBorderRadius: 8,
    fontBase: 'system-ui, sans-serif',
  }),
})
