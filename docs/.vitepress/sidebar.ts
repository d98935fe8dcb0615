/** The pages in reading order. Every page that the site builds is in it, or in the navigation. */
import type {DefaultTheme} from 'vitepress'

const group = (text: string, pages: Readonly<Record<string, string>>): DefaultTheme.SidebarItem => ({
  text,
  items: Object.entries(pages).map(([link, title]) => ({text: title, link})),
})

export const sidebar: DefaultTheme.SidebarItem[] = [
  group('Start', {
    '/quick-start': 'Quick start',
    '/testing': 'Testing and CI',
    '/going-live': 'Going live',
    '/moving': 'Moving from another checkout',
    '/demo': 'Demo shop',
    '/examples': 'Examples',
  }),
  group('Your page', {
    '/element': 'Element: reference',
    '/frameworks': 'Frameworks',
    '/theming': 'Theming',
    '/languages': 'Languages',
    '/wallets': 'Wallets',
    '/content-security-policy': 'Content-Security-Policy',
  }),
  group('Your server', {
    '/server': 'Server: reference',
    '/mounting': 'Mounting the proxy',
    '/runtimes': 'Runtimes',
    '/any-language': 'Any language',
    '/checkout-api': 'Checkout API: reference',
  }),
  group('Orders', {
    '/orders': 'Orders, refunds, accounting',
    '/webhooks': 'Webhooks and fulfilment',
  }),
  group('Operation', {
    '/stores': 'Stores',
    '/scaling': 'Scaling',
    '/doctor': 'Check a deployment',
    '/monitoring': 'Monitoring',
    '/troubleshooting': 'Troubleshooting',
    '/security': 'Security',
    '/versioning': 'Versions and upgrades',
  }),
  group('Project', {
    '/contributing': 'Contributing',
    '/decisions/': 'Decisions',
    '/changelog': 'Changelog',
    '/verification': 'Verification',
    '/reporting': 'Report a vulnerability',
  }),
]
