/// <reference types="vite/client" />
import {setCustomElementsManifest, type Preview} from '@storybook/web-components-vite'
import {html} from 'lit'
// As text, because the type checker also runs before the manifest is generated.
import manifest from '../dist/custom-elements.json?raw'
import {languages} from '../src/translations/generated/languages.js'
import './preview.css'

setCustomElementsManifest(JSON.parse(manifest))

const preview: Preview = {
  tags: ['autodocs'],
  parameters: {
    a11y: {test: 'error'},
    controls: {expanded: true},
    options: {storySort: {order: ['Phases', 'Flows', 'Wallets', 'Variations', 'Dialog', 'Faults']}},
  },
  initialGlobals: {dir: 'ltr', lang: 'en', width: 'full'},
  globalTypes: {
    dir: {
      description: 'Direction of the page',
      toolbar: {icon: 'transfer', items: ['ltr', 'rtl'], dynamicTitle: true},
    },
    lang: {
      description: 'Language of the page',
      toolbar: {icon: 'globe', items: ['en', ...languages], dynamicTitle: true},
    },
    width: {
      description: 'Width of the container',
      toolbar: {icon: 'grow', items: ['280px', '360px', '480px', '720px', 'full'], dynamicTitle: true},
    },
  },
  decorators: [
    (story, {globals: {dir, lang, width}}) =>
      html`<main class="container ${width}" dir=${dir} lang=${lang}>${story()}</main>`,
  ],
}

export default preview
