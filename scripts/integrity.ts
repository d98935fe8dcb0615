/**
 * `integrity [--check]`: the hashes of the script-tag build. The build writes them to `dist/cdn/integrity.json`; this
 * fills the blocks between `<!-- integrity -->` and `<!-- /integrity -->` in docs/content-security-policy.md, as the last step before
 * packing. With `--check` nothing is written: it fails when a block is not what this would write, hashes aside, because
 * they change with every change of the source and have to be right only in what is published.
 */
import {readFileSync, writeFileSync} from 'node:fs'
import {format, resolveConfig} from 'prettier'
import {z} from 'zod'

const isCheck = process.argv.includes('--check')
const hashes = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync('dist/cdn/integrity.json', 'utf8')))
const {'crypto-checkout.js': entry, ...late} = hashes
if (entry === undefined) throw new Error('dist/cdn/integrity.json does not know the entry')

const tag = `<script
  type="module"
  src="/static/crypto-checkout.js"
  integrity="${entry}"
></script>`

const addresses = Object.fromEntries(Object.entries(late).map(([file, hash]) => [`/static/${file}`, hash]))
const map = `<script type="importmap">
  ${JSON.stringify({integrity: addresses}, null, 2).replaceAll('\n', '\n  ')}
</script>`

for (const [file, snippet] of [['docs/content-security-policy.md', `${map}\n${tag}`]] as const) {
  const text = readFileSync(file, 'utf8')
  const filled = text.replace(
    /(<!-- integrity -->\n)[\s\S]*?(<!-- \/integrity -->)/,
    (_all, open: string, close: string) => `${open}\n\`\`\`html\n${snippet}\n\`\`\`\n\n${close}`,
  )
  const formatted = await format(filled, {...(await resolveConfig(file)), parser: 'markdown'})
  if (!isCheck) writeFileSync(file, formatted)
  else if (!text.includes('<!-- integrity -->') || masked(formatted) !== masked(text)) {
    console.error(`${file} does not say how to check the script; npm run integrity mends it`)
    process.exitCode = 1
  }
}

/** Which parts there are, and their hashes, is the build's to say. */
function masked(text: string): string {
  return text.replaceAll(/\n *"\/static\/[^\n]+/g, '').replaceAll(/sha384-[\w+/=]+/g, '')
}
