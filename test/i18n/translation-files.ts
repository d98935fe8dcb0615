/** The translations and their schema, as they are stored. */
import {readdirSync, readFileSync} from 'node:fs'
import * as z from 'zod'

export interface Messages {
  readonly [key: string]: string | Messages
}

const messages: z.ZodType<Messages> = z.lazy(() => z.record(z.string(), z.union([z.string(), messages])))

const annotations = z.object({
  description: z.string(),
  columns: z.number().optional(),
})
const group = annotations.extend({properties: z.record(z.string(), annotations).optional()})

export const folder = 'src/translations'
const languageFile = /^[a-z]{2,3}(-\w+)?\.json$/
const schemaText = readFileSync(`${folder}/schema.json`, 'utf8')

export const translationSchema = z.fromJSONSchema(z.record(z.string(), z.any()).parse(JSON.parse(schemaText)))

/** What the schema says about each message or group of messages. */
export const schemaProperties = z
  .object({properties: z.record(z.string(), group)})
  .parse(JSON.parse(schemaText)).properties

/** By language, English included. */
export const translations: ReadonlyMap<string, Messages> = new Map(
  readdirSync(folder)
    .filter(file => languageFile.test(file))
    .map(file => [file.slice(0, -5), readTranslation(file)]),
)

export const english: Messages = readTranslation('en.json')

/** Every message with its path, such as `problems.offline`. */
export function messagesOf(translation: Messages, above = ''): [string, string][] {
  return Object.entries(translation).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[above + key, value]] : messagesOf(value, `${above}${key}.`),
  )
}

function readTranslation(file: string): Messages {
  return messages.parse(JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')))
}
