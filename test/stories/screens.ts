/**
 * `npm run screens` takes a picture of every story, and stores it in `test/stories/pictures`. With `--check` it compares
 * them with the stored ones, and writes `reports/screens.html` if they differ. With `--docs` it makes the pictures of
 * `docs/` instead, and with `--states` sheets of all states in `test/stories/states`, one for each kind of window.
 */
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {openComparer} from './comparer.js'
import {drawContactSheets, drawStates} from './contact-sheets.js'
import {differencesPage, type Difference} from './differences-page.js'
import {fixedStyles, fixPage, fontFiles} from './fixed-page.js'
import {takePictures, type Pictures} from './pictures.js'
import {openStorybook} from './storybook-driver.js'

const folder = 'test/stories/pictures'
const report = 'reports/screens.html'
/** Share of the pixels. With other settings for text, Chromium differs in 0.02 %; a grey that is 6 % lighter is 0.25 %. */
const TOLERANCE = 0.0005

const {
  values: {check, docs, states},
} = parseArgs({options: {check: {type: 'boolean'}, docs: {type: 'boolean'}, states: {type: 'boolean'}}})

if (docs) await drawContactSheets()
else if (states) await drawStates('test/stories/states')
else {
  const pictures = await takeAll()
  if (check) await compareAll(pictures)
  else store(pictures)
}

async function takeAll(): Promise<Pictures> {
  const storybook = await openStorybook(fontFiles)
  try {
    return await takePictures(storybook, fixPage(fixedStyles))
  } finally {
    await storybook.close()
  }
}

function store(pictures: Pictures): void {
  rmSync(folder, {recursive: true, force: true})
  mkdirSync(folder, {recursive: true})
  for (const [name, picture] of pictures) writeFileSync(join(folder, `${name}.webp`), picture)
  const bytes = [...pictures.values()].reduce((sum, {length}) => sum + length, 0)
  console.log(`stored ${pictures.size} pictures, ${(bytes / 1_000_000).toFixed(2)} MB`)
}

async function compareAll(actual: Pictures): Promise<void> {
  const expected: Pictures = new Map(
    readdirSync(folder).map(file => [file.replace('.webp', ''), readFileSync(join(folder, file))]),
  )
  const differences = await findDifferences(expected, actual)
  rmSync(report, {force: true})
  if (differences.length === 0) return console.log(`all ${actual.size} pictures are as stored`)
  for (const {name, reason} of differences) console.log(`${name}: ${reason}`)
  mkdirSync('reports', {recursive: true})
  writeFileSync(report, differencesPage(differences))
  console.log(`${differences.length} of ${actual.size} pictures differ, see ${report}`)
  process.exitCode = 1
}

async function findDifferences(expected: Pictures, actual: Pictures): Promise<Difference[]> {
  const differences: Difference[] = []
  const comparer = await openComparer()
  try {
    for (const name of [...new Set([...expected.keys(), ...actual.keys()])].sort()) {
      const [before, after] = [expected.get(name), actual.get(name)]
      const pictures = {name, expected: before, actual: after}
      if (!before || !after)
        differences.push({...pictures, reason: before ? 'the story is gone' : 'no picture is stored'})
      else if (!before.equals(after)) {
        const {different, difference} = await comparer.compare(before, after)
        const reason = `${(different * 100).toFixed(2)} % of the pixels differ`
        if (different > TOLERANCE) differences.push({...pictures, difference, reason})
      }
    }
  } finally {
    await comparer.close()
  }
  return differences
}
