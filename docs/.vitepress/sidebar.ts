/** The pages in reading order. Every page that the site builds is in it, or in the navigation. */
import type {DefaultTheme} from 'vitepress'

const group = (text: string, pages: Readonly<Record<string, string>>): DefaultTheme.SidebarItem => ({
  text,
  items: Object.entries(pages).map(([link, title]) => ({text: title, link})),
})

export const sidebar: DefaultTheme.SidebarItem[] = [
  group('Start', {
    '/quick-start': 'Quick start',
    '/testing': 'Test your integration',
    '/going-live': 'Going live',
    '/demo': 'Demo shop',
    '/examples': 'Examples',
  }),
  group('Page', {
    '/element': 'Element: reference',
    '/frameworks': 'Frameworks',
    '/theming': 'Theming',
    '/languages': 'Languages',
    '/wallets': 'Wallets',
    '/content-security-policy': 'Content-Security-Policy',
  }),
  group('Server', {
    '/server': 'Server: reference',
    '/orders': 'Orders',
    '/checkout-api': 'Checkout API: reference',
    '/mounting': 'Mounting the proxy',
    '/runtimes': 'Runtimes',
    '/any-language': 'Any language',
    '/webhooks': 'Webhooks and fulfilment',
    '/platforms': 'Shop platforms',
    '/stores': 'Stores',
    '/scaling': 'Scaling',
    '/security': 'Security',
  }),
  group('Operation', {
    '/doctor': 'Check a deployment',
    '/monitoring': 'Monitoring',
    '/troubleshooting': 'Troubleshooting',
  }),
  group('Project', {
    '/contributing': 'Contributing',
    '/decisions/': 'Decisions',
    '/versioning': 'Versions',
    '/changelog': 'Changelog',
    '/verification': 'Verification',
    '/reporting': 'Report a vulnerability',
  }),
]
