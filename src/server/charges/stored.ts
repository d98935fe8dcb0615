/** What every document has, and how it is written. */
import * as z from 'zod/mini'

/** The format that this version writes. It never changes a document of a newer one. */
export const FORMAT = 1
/** So many writes are remembered, the latest first. */
const MAX_WRITES = 8

export const documentFields = {
  format: z.number(),
  /** Ids of its last writes, the latest first. By them a process knows its own write after a lost reply. */
  writes: z.array(z.string()),
}

/** The right to create at the service, or to convert. */
export const lockFields = {
  lock: z.optional(
    z.object({
      id: z.string(),
      until: z.number(),
      /** The request was sent, and its outcome is not known. */
      isUnknown: z.optional(z.boolean()),
    }),
  ),
  /** After the service has refused a create, the next one waits until then. */
  pausedUntil: z.optional(z.number()),
  refusals: z.optional(z.number()),
}

export interface Stored {
  format: number
  writes: string[]
}

export interface Lockable extends Stored {
  lock?: {id: string; until: number; isUnknown?: boolean | undefined} | undefined
  pausedUntil?: number | undefined
  refusals?: number | undefined
}

/** ASCII only, so that no character set of a database can change it. */
export function toAscii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * @param write the id of this write
 * @param defaults fields that are left out while they have these values
 */
export function encode<Document extends Stored>(
  document: Document,
  write: string,
  defaults: Partial<Document>,
): string {
  const writes = [write, ...document.writes].slice(0, MAX_WRITES)
  const fields = Object.entries({...document, format: Math.max(FORMAT, document.format), writes})
  const kept = fields.filter(
    ([name, value]) =>
      !(name in defaults) || JSON.stringify(value) !== JSON.stringify(Reflect.get(defaults, name)),
  )
  return toAscii(Object.fromEntries(kept))
}

/** Short, because a document has eight. */
export function newWriteId(): string {
  return crypto.randomUUID().slice(0, 13)
}
