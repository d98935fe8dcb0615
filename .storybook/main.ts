import type {StorybookConfig} from '@storybook/web-components-vite'

const config: StorybookConfig = {
  framework: '@storybook/web-components-vite',
  stories: ['../stories/**/*.stories.ts'],
  addons: ['@storybook/addon-docs', '@storybook/addon-a11y'],
  core: {disableTelemetry: true, disableWhatsNewNotifications: true},
  // Storybook's own chunks exceed the size that Vite warns about.
  viteFinal: config => ({...config, build: {...config.build, chunkSizeWarningLimit: Infinity}}),
}

export default config
