/** The fallback content of docs/element.md before the script has loaded, under a policy that allows a style sheet only. */
import assert from 'node:assert/strict'
import {readFileSync} from 'node:fs'
import {test} from 'node:test'
import {skipWithoutEngine} from '../engines/engine.js'
import {launch} from '../engines/launch.js'
import {serve} from '../http/loopback.js'

const section = /## Fallback content([^]+?)\n## /.exec(readFileSync('docs/element.md', 'utf8'))?.[1] ?? ''
const [, styles = ''] = /```css\n([^]+?)```/.exec(section) ?? []
const [, markup = ''] = /```html\n([^]+?)```/.exec(section) ?? []
const html = `<!doctype html><link rel="stylesheet" href="/shop.css">${markup}<p id="after"></p>`

const title = 'the fallback text is neutral, keeps the height, and shows a hint after eight seconds'

test(title, {skip: skipWithoutEngine('chromium')}, async t => {
  const port = await serve(t, (req, res) => {
    const isStyleSheet = req.url === '/shop.css'
    res.setHeader('content-security-policy', "default-src 'none'; style-src 'self'")
    res.setHeader('content-type', isStyleSheet ? 'text/css' : 'text/html; charset=utf-8')
    res.end(isStyleSheet ? styles : html)
  })
  const engine = await launch('chromium')
  t.after(() => engine.close())
  const page = await engine.openPage()
  await page.goto(`http://127.0.0.1:${port}/`)

  assert.equal(await textAt(7_999), 'Loading the payment…')
  assert.match(await textAt(8_001), /^Loading the payment…\s+If nothing appears, reload this page or contact/)
  assert(await page.evaluate(() => document.querySelector('#after')!.getBoundingClientRect().top > 600))

  /** The visible text at a time of the animation. */
  async function textAt(ms: number): Promise<string> {
    return page.evaluate(at => {
      for (const animation of document.getAnimations()) animation.currentTime = at
      return document.querySelector('crypto-checkout')!.innerText.trim()
    }, ms)
  }
})
