/// <reference types="vite/client" />
import {setCustomElementsManifest, type Preview} from '@storybook/web-components-vite'
// As text, because the type checker also runs before the manifest has been made.
import manifest from '../dist/custom-elements.json?raw'

setCustomElementsManifest(JSON.parse(manifest))

const preview: Preview = {
  tags: ['autodocs'],
  parameters: {
    a11y: {test: 'error'},
    controls: {expanded: true},
    layout: 'centered',
  },
}

export default preview
