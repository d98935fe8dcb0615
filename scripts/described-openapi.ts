/** The OpenAPI documents as they are published: with the comments of the schemas as descriptions. */
import * as z from 'zod'
import * as merchant from '../src/cli/serve/schemas.js'
import {merchantOpenapi, merchantSchemas} from '../src/cli/serve/openapi.js'
import * as contract from '../src/contract/index.js'
import {openapi, schemas} from '../src/contract/openapi.js'
import * as ledger from '../src/server/ledger/ledger-payment.js'
import {readComments} from './schema-comments.js'

const sources = ['src/contract/index.ts', 'src/server/ledger/ledger-payment.ts', 'src/cli/serve/schemas.ts']
const fields = z.record(z.string(), z.looseObject({}))
const components = z.record(z.string(), z.looseObject({properties: fields.optional()}))

export function describedOpenapi() {
  return describe(openapi, schemas, contract)
}

export function describedMerchantOpenapi() {
  return describe(merchantOpenapi, merchantSchemas, {...contract, ...ledger, ...merchant})
}

function describe<Document extends {components: {schemas: Record<string, unknown>}}>(
  document: Document,
  registry: typeof schemas,
  named: object,
) {
  const comments = readComments(...sources)
  const described = components.parse(document.components.schemas)
  for (const [id, schema] of Object.entries(described)) {
    const [name = ''] = Object.entries(named).find(([, value]) => value === registry._idmap.get(id)) ?? []
    const comment = comments[name]
    schema['description'] = comment?.text
    for (const [field, property] of Object.entries(schema.properties ?? {}))
      property['description'] = comment?.fields[field]?.text
  }
  return {...document, components: {...document.components, schemas: described}}
}
