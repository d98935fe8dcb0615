/** The OpenAPI document as it is published: with the comments of the schemas as descriptions. */
import * as z from 'zod'
import * as contract from '../src/contract/index.js'
import {openapi, schemas} from '../src/contract/openapi.js'
import {readComments} from './schema-comments.js'

const fields = z.record(z.string(), z.looseObject({}))
const components = z.record(z.string(), z.looseObject({properties: fields.optional()}))

export function describedOpenapi() {
  const comments = readComments('src/contract/index.ts')
  const described = components.parse(openapi.components.schemas)
  for (const [id, schema] of Object.entries(described)) {
    const [name = ''] = Object.entries(contract).find(([, value]) => value === schemas._idmap.get(id)) ?? []
    const comment = comments[name]
    schema['description'] = comment?.text
    for (const [field, property] of Object.entries(schema.properties ?? {}))
      property['description'] = comment?.fields[field]?.text
  }
  return {...openapi, components: {...openapi.components, schemas: described}}
}
