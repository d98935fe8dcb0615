/** What is stored under the id of a crypto charge: it leads a webhook with only this id to the charge. */
import * as z from 'zod/mini'
import {documentFields} from './stored.js'

export const aliasSchema = z.object({...documentFields, chargeId: z.string()})

export type Alias = z.infer<typeof aliasSchema>
