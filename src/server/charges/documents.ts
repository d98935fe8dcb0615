/**
 * Loads and changes documents. A change is a pure function of the latest document; it is applied again if another process
 * was faster. This gives locks that cannot be stolen, one current quote, and a version that never decreases (invariant 3).
 *
 * The store must have the last version that this process has seen. If not, it has lost writes, and the charge stops with
 * `store_lost`: with another set of addresses, money sent to the first set would not be seen.
 */
import {LRUCache} from 'lru-cache'
import type * as z from 'zod/mini'
import type {Clock, Store, StoredRow} from '../../contract/index.js'
import type {Logger} from '../base/logger.js'
import {CheckoutError, StoreError} from '../errors.js'
import {encode, FORMAT, newWriteId, type Stored} from './stored.js'

/** A document with its version; version 0 has none. */
export interface Loaded<Document> {
  readonly rev: number
  readonly document: Document | undefined
}

export interface Updated<Document> extends Loaded<Document> {
  /** Whether this call has changed it. */
  readonly changed: boolean
}

export type Change<Document> = (document: Document | undefined, rev: number) => Document | undefined

export interface DocumentKind<Document extends Stored> {
  /** The key in the store. */
  keyOf(id: string): string
  /** The id of a key of this kind. */
  idOf(key: string): string | undefined
  readonly schema: z.ZodMiniType<Document>
  /** Fields that are not stored while they have these values. */
  readonly defaults: Partial<Document>
  /** When it needs work: milliseconds since 1970 UTC, or null. */
  dueAt(document: Document): number | null
}

export interface DocumentsContext {
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  /** What this process has seen last, by key. */
  readonly seen: Seen
}

interface SeenWrite {
  readonly rev: number
  readonly write: string | undefined
}

export type Seen = LRUCache<string, SeenWrite>

const MAX_SEEN = 100_000
/** Another process may be faster again and again, but not for ever. */
const MAX_TRIES = 100
const POLL_MS = 200

/** Unlike `max`, `maxSize` reserves no memory in advance. */
export function newSeen(): Seen {
  return new LRUCache({maxSize: MAX_SEEN, sizeCalculation: () => 1})
}

export class Documents<Document extends Stored> {
  #reported = new Set<string>()

  constructor(
    readonly context: DocumentsContext,
    readonly kind: DocumentKind<Document>,
    readonly listener: {
      onChange?(id: string, before: Document | undefined, after: Document, rev: number): void
      onLost?(id: string): void
    } = {},
  ) {}

  /** Rejects with `store_unavailable` or `store_lost`. */
  async load(id: string): Promise<Loaded<Document>> {
    const seen = this.context.seen.get(this.#key(id))
    return this.#read(id, await this.context.store.get(this.#key(id)), seen)
  }

  /**
   * Stores what `change` returns; nothing if it returns undefined. It is called again with a later document if another
   * process was faster, so it must be pure. It may throw.
   */
  async update(id: string, change: Change<Document>, known?: Loaded<Document>): Promise<Updated<Document>> {
    let loaded = known ?? (await this.load(id))
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const next = change(loaded.document, loaded.rev)
      if (!next) return {...loaded, changed: false}
      requireKnown(loaded.document)
      const written = await this.#put(id, loaded.rev + 1, next)
      if (written.isOurs) {
        const {rev, document = next} = written
        this.listener.onChange?.(id, loaded.document, document, rev)
        return {rev, document, changed: true}
      }
      loaded = written
    }
    throw new StoreError('other processes change this document all the time')
  }

  /** Resolves to the document when it has changed, or after this time. */
  async waitForChange(id: string, rev: number, timeoutMs: number): Promise<Loaded<Document>> {
    for (let leftMs = timeoutMs; ; leftMs -= POLL_MS) {
      await this.context.clock.sleep(Math.min(POLL_MS, Math.max(0, leftMs)))
      const loaded = await this.load(id)
      if (loaded.rev !== rev || leftMs <= POLL_MS) return loaded
    }
  }

  /** `isOurs`: also after a lost reply, if what is stored is our write. */
  async #put(
    id: string,
    rev: number,
    next: Document,
  ): Promise<Loaded<Document> & {readonly isOurs: boolean}> {
    const write = newWriteId()
    const key = this.#key(id)
    const value = encode(next, write, this.kind.defaults)
    const seen = this.context.seen.get(key)
    const put = await this.context.store.put(key, rev, value, this.kind.dueAt(next)).then(
      isStored => ({isStored}),
      (error: unknown) => ({error}),
    )
    if ('isStored' in put && put.isStored)
      return {...this.#read(id, {version: rev, value}, seen), isOurs: true}
    // The reply may be lost. Reading again may fail too, and then nothing is known.
    const loaded = await this.load(id)
    const isOurs = loaded.document?.writes.includes(write) === true
    if ('error' in put && !isOurs) throw toError(put.error)
    return {...loaded, isOurs}
  }

  #key(id: string): string {
    return this.kind.keyOf(id)
  }

  /** @param seen what had been seen before the store was asked: replies may arrive in another order */
  #read(id: string, row: StoredRow | undefined, seen: SeenWrite | undefined): Loaded<Document> {
    const document = row && this.#parse(id, row.value)
    const rev = row?.version ?? 0
    const write = document?.writes[0]
    const key = this.#key(id)
    if (seen && (rev < seen.rev || (rev === seen.rev && write !== seen.write))) throw this.lost(id)
    if (row && rev >= (this.context.seen.get(key)?.rev ?? 0)) this.context.seen.set(key, {rev, write})
    return {rev, document}
  }

  #parse(id: string, value: string): Document {
    try {
      // Not what the schema returns: fields of a newer version are kept.
      const document: unknown = {...this.kind.defaults, ...JSON.parse(value)}
      if (this.#isDocument(document)) return document
    } catch {
      // Handled as a document that the schema refuses.
    }
    this.context.logger.error('a document cannot be read', {key: this.#key(id)})
    throw new StoreError('a document cannot be read')
  }

  #isDocument(value: unknown): value is Document {
    return this.kind.schema.safeParse(value).success
  }

  /** Reports once that the store has lost the document. */
  lost(id: string): CheckoutError {
    const key = this.#key(id)
    if (!this.#reported.has(key)) {
      this.#reported.add(key)
      this.context.logger.error('the store has lost what was written', {key})
      this.listener.onLost?.(id)
    }
    return new CheckoutError('store_lost')
  }
}

/** Nothing may be written to it. */
export function isNewer(document: Stored | undefined): boolean {
  return (document?.format ?? 0) > FORMAT
}

/** Throws `store_unavailable` for a document of a newer version, which may mean something else. */
export function requireKnown(document: Stored | undefined): void {
  if (isNewer(document)) throw new StoreError('a newer version has written this document')
}

/** The store of the context rejects with errors only. */
function toError(error: unknown): Error {
  return error instanceof Error ? error : new StoreError('the store failed')
}
