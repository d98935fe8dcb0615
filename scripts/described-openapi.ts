/** The OpenAPI document of `serve` as it is published: with the comments of the schemas as descriptions. */
import * as z from 'zod'
import * as merchant from '../src/cli/serve/schemas.js'
import {merchantOpenapi, merchantSchemas} from '../src/cli/serve/openapi.js'
import * as contract from '../src/contract/index.js'
import * as ledger from '../src/server/ledger/ledger-payment.js'
import {readComments} from './schema-comments.js'

const sources = ['src/contract/index.ts', 'src/server/ledger/ledger-payment.ts', 'src/cli/serve/schemas.ts']
const fields = z.record(z.string(), z.looseObject({}))
const components = z.record(z.string(), z.looseObject({properties: fields.optional()}))

export function describedOpenapi() {
  const comments = readComments(...sources)
  const named = Object.entries({...contract, ...ledger, ...merchant})
  const schemas = components.parse(merchantOpenapi.components.schemas)
  for (const [id, schema] of Object.entries(schemas)) {
    const [name = ''] = named.find(([, value]) => value === merchantSchemas._idmap.get(id)) ?? []
    const comment = comments[name]
    schema['description'] = comment?.text
    for (const [field, property] of Object.entries(schema.properties ?? {}))
      property['description'] = comment?.fields[field]?.text
  }
  return {...merchantOpenapi, components: {...merchantOpenapi.components, schemas}}
}
