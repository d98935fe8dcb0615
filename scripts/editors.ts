/**
 * What editors want to know of the element, from its manifest: `dist/vscode.html-custom-data.json` for VS Code, and
 * `dist/web-types.json` for the JetBrains ones, which find it by the `web-types` of package.json.
 */
import {readFileSync, writeFileSync} from 'node:fs'
import {z} from 'zod'
import type {Element, Entry} from './manifest.js'

const packageSchema = z.object({name: z.string(), version: z.string()})

export function writeEditorData(element: Element): void {
  write('dist/vscode.html-custom-data.json', customData(element))
  write('dist/web-types.json', webTypes(element))
}

/** https://github.com/microsoft/vscode-html-languageservice/blob/main/docs/customData.md */
function customData({tagName, description, attributes}: Element) {
  return {
    version: 1.1,
    tags: [
      {
        name: tagName,
        description,
        attributes: attributes.map(({name, description, type}) => ({
          name,
          description,
          ...(isFlag(type) && {valueSet: 'v'}),
          ...(literals(type) && {values: literals(type)?.map(value => ({name: value}))}),
        })),
      },
    ],
  }
}

/** https://github.com/JetBrains/web-types */
function webTypes({
  tagName,
  description,
  attributes,
  members,
  events,
  slots,
  cssParts,
  cssProperties,
}: Element) {
  const {name, version} = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')))
  const described = ({name, description}: Entry) => ({name, description})
  const toldEvents = events.map(each => ({...described(each), type: each.type?.text}))
  return {
    $schema: 'https://json.schemastore.org/web-types',
    name,
    version,
    'description-markup': 'markdown',
    contributions: {
      html: {
        elements: [
          {
            name: tagName,
            description,
            attributes: attributes.map(each => ({
              ...described(each),
              value: isFlag(each.type) ? {type: 'boolean', kind: 'no-value'} : {type: each.type?.text},
            })),
            slots: slots.map(described),
            js: {
              properties: members
                .filter(({kind, static: isStatic}) => kind === 'field' && !isStatic)
                .map(each => ({...described(each), type: each.type?.text})),
              events: toldEvents,
            },
            css: {
              parts: cssParts.map(described),
              properties: cssProperties.map(described),
            },
          },
        ],
      },
    },
  }
}

type Type = Element['attributes'][number]['type']

function isFlag(type: Type): boolean {
  return type?.text === 'boolean'
}

/** What a union of literals allows; undefined for any other type. */
function literals(type: Type): string[] | undefined {
  const parts = (type?.text ?? '').split(' | ')
  return parts.every(part => /^'[^']+'$/.test(part)) ? parts.map(part => part.slice(1, -1)) : undefined
}

function write(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
