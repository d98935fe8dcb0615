/**
 * Sheets of pictures for `docs/`. With the fonts of the machine, which must have those of all scripts, such as Debian's
 * fonts-noto-core.
 */
import {writeFileSync} from 'node:fs'
import type {Page} from 'puppeteer-core'
import {dataUrl} from './comparer.js'
import {fixPage} from './fixed-page.js'
import {takePicture} from './pictures.js'
import {openStorybook, type StorybookDriver, type Variant} from './storybook-driver.js'

interface Tile {
  readonly caption: string
  readonly story: string
  readonly variant: Variant
}

const QUALITY = 70
/** Pixels of a sheet for each CSS pixel of a story. */
const SCALE = 0.75

const phone: Variant = {width: 390, theme: 'light', lang: 'en'}
const desktop: Variant = {...phone, width: 720}
const languageNames = new Intl.DisplayNames('en', {type: 'language'})

/** Widths of the sheets in pixels. */
const widths = {scripts: 1500, wallets: 1300, widths: 1920}

const sheets: Readonly<Record<keyof typeof widths, readonly Tile[]>> = {
  scripts: ['ar', 'ur', 'am', 'hi', 'km', 'ka', 'hy', 'my', 'bn', 'el'].map(lang => ({
    caption: languageNames.of(lang) ?? lang,
    story: 'phases--paying',
    variant: {...phone, width: 360, lang},
  })),
  wallets: [
    {caption: 'A phone: “Open in wallet”', story: 'phases--paying', variant: {...phone, isPhone: true}},
    {caption: 'A wallet in the browser', story: 'wallets--offered', variant: phone},
    {caption: 'The wallet is on another network', story: 'wallets--wrong-network', variant: phone},
    {caption: 'Refused', story: 'wallets--refused', variant: phone},
    {caption: 'The wallet asks', story: 'wallets--confirming', variant: phone},
    {caption: 'Sent', story: 'wallets--sent', variant: phone},
    {caption: 'Paid', story: 'wallets--paid', variant: phone},
    {caption: 'Expired, with the link back', story: 'phases--expired', variant: phone},
  ],
  widths: [
    {caption: '1280 px', story: 'wallets--offered', variant: {...desktop, width: 1280}},
    {caption: '390 px, dark', story: 'wallets--offered', variant: {...phone, theme: 'dark'}},
    {caption: '390 px, Arabic', story: 'wallets--offered', variant: {...phone, lang: 'ar'}},
    {caption: '320 px', story: 'wallets--offered', variant: {...phone, width: 320}},
  ],
}

/** Every state of a checkout, in the order of a payment. */
const states =
  `phases--loading phases--choosing variations--search-for-bitcoin variations--pay-a-part phases--quoting phases--paying
  variations--from-an-exchange wallets--offered wallets--confirming wallets--went-back wallets--sent phases--confirming
  phases--underpaid variations--a-part-arrived variations--paid-after-expiry variations--shop-has-the-address variations--paying-the-rest
  phases--paid phases--overpaid variations--where-to-send-it-back variations--no-longer-needed
  faults--time-is-up
  phases--expired phases--cancelled phases--unavailable faults--address-mismatch faults--offline-while-paying
  faults--payment-dropped faults--renewal-refused`.split(/\s+/)

const windows: Readonly<Record<string, Variant>> = {
  phone: {...phone, height: 664, isPhone: true},
  'phone-dark': {...phone, height: 664, isPhone: true, theme: 'dark'},
  'phone-arabic': {...phone, height: 664, isPhone: true, lang: 'ar'},
  'phone-german': {...phone, height: 664, isPhone: true, lang: 'de'},
  'phone-large-text': {...phone, height: 664, isPhone: true, fontSize: 32},
  tablet: {...phone, width: 768, height: 1024, isPhone: true},
  desktop: {...phone, width: 1280, height: 720},
  'desktop-dark': {...phone, width: 1280, height: 720, theme: 'dark'},
}

/** One sheet for each window, with a line where it ends. */
export async function drawStates(folder: string): Promise<void> {
  const storybook = await openStorybook()
  try {
    const [page, sheetPage] = [await storybook.newPage(fixPage()), await storybook.newPage()]
    for (const [name, variant] of Object.entries(windows)) {
      const tiles = states.map(story => ({caption: story, story, variant}))
      await sheetPage.setViewport({width: Math.ceil((variant.width * SCALE + 16) * 5 + 32), height: 100})
      writeFileSync(`${folder}/${name}.webp`, await drawSheet(storybook, page, sheetPage, tiles, 1, 40))
    }
  } finally {
    await storybook.close()
  }
}

/** One picture each, for the README. */
const pictures: Readonly<Record<string, Omit<Tile, 'caption'>>> = {
  'paying-wallet': {story: 'wallets--offered', variant: desktop},
  'paying-phone': {story: 'phases--paying', variant: {...phone, isPhone: true}},
  sent: {story: 'wallets--sent', variant: desktop},
  paid: {story: 'wallets--paid', variant: desktop},
}

export async function drawContactSheets(): Promise<void> {
  const storybook = await openStorybook()
  try {
    const [page, sheetPage] = [await storybook.newPage(fixPage()), await storybook.newPage()]
    for (const name of ['scripts', 'wallets', 'widths'] as const) {
      const file = `docs/images/${name}.webp`
      await sheetPage.setViewport({width: widths[name], height: 100})
      const sheet = await drawSheet(storybook, page, sheetPage, sheets[name])
      writeFileSync(file, sheet)
      console.log(`${file}: ${(sheet.length / 1000).toFixed()} kB`)
    }
    for (const [name, {story, variant}] of Object.entries(pictures)) {
      await storybook.showUnchecked(page, storybook.story(story), {...variant, scale: 2})
      const element = await page.waitForSelector('crypto-checkout')
      if (!element) throw new Error(`${story} has no checkout`)
      const picture = await element.screenshot({type: 'webp', quality: QUALITY})
      writeFileSync(`docs/images/${name}.webp`, picture)
    }
  } finally {
    await storybook.close()
  }
}

async function drawSheet(
  storybook: StorybookDriver,
  page: Page,
  sheetPage: Page,
  tiles: readonly Tile[],
  scale = 2,
  quality = QUALITY,
): Promise<Uint8Array> {
  const figures: string[] = []
  for (const {caption, story: id, variant} of tiles) {
    const picture = await takePicture(storybook, page, storybook.story(id), {...variant, scale}, 90)
    figures.push(
      `<figure><figcaption>${caption}</figcaption><img src="${dataUrl(picture)}" width="${variant.width * SCALE}"></figure>`,
    )
  }
  await sheetPage.setContent(`<meta charset="utf-8"><style>
    body { display: flex; flex-wrap: wrap; gap: 24px 16px; justify-content: center; margin: 0; padding: 16px; background: #f4f5f7 }
    figure { margin: 0 }
    figcaption { font: 600 16px system-ui; text-align: center; margin-block-end: 8px }
    img { display: block }
  </style>${figures.join('')}`)
  return sheetPage.screenshot({type: 'webp', quality, fullPage: true})
}
