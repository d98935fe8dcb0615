/**
 * Does what is due: tells, reads, archives. Each round asks the store; a row is claimed by moving its time on, so processes
 * share the work. Reads are paced; a handler that hangs delays nothing else.
 */
import {monotonic} from '../../contract/index.js'
import {errorName} from '../../contract/errors.js'
import type {InFlight} from '../base/in-flight.js'
import {createLogLimit} from '../base/logger.js'
import {Semaphore} from '../base/semaphore.js'
import {isOpened, type ChargeDocument} from '../charges/document.js'
import {isNewer} from '../charges/documents.js'
import {archiveAt, nextReadAt} from '../charges/due.js'
import type {Reader} from '../charge/reader.js'
import type {ServerContext} from '../context.js'
import {CheckoutError} from '../errors.js'
import {archive, type ArchiveOptions} from './archive.js'
import type {Notifier} from './notifier.js'

export interface WorkerOptions extends ArchiveOptions {
  /** Charges a second that are read. */
  readonly reconcileRate: number
  /** Whether this process reads charges that are due. */
  readonly isReading: boolean
  /** Ends the rounds. */
  readonly closing: AbortSignal
}

export interface ReconcileResult {
  /** Charges that were read. */
  readonly read: number
  /** Notifications that this process has delivered meanwhile. */
  readonly delivered: number
}

const INTERVAL_MS = 5_000
const MAX_ROWS = 1_000
/** Rows that are loaded at the same time. */
const BATCH = 16
/** For so many charges handlers run at the same time, and each second for a few more. */
const MAX_TELLING = 20
const NEXT_TELLING_MS = 1_000
const MAX_ARCHIVING = 4
/** A page's read may be so old that the worker need not read. */
const PAGE_AGE_MS = 1_000
/** A process that does not read leaves the charge to `reconcile()` for this time. */
const LEFT_MS = 3_600_000

export class Worker {
  /** When the next read may begin, by the monotonic clock: of a charge with an address, and of another one. */
  #nextReadAt = -Infinity
  #nextUnopenedAt = -Infinity
  /** The turns of charges that were moved to them. */
  readonly #turns = new Map<string, number>()
  /** Charges whose handlers run now. */
  readonly #telling = new Set<Promise<void>>()
  /** All that wait for a place share it: Node warns of more than ten listeners of a signal. */
  #nextTelling: Promise<void> | undefined
  readonly #archiving = new Semaphore(MAX_ARCHIVING)
  /** Only one sleep at a time listens to the signal. */
  readonly #pacing = new Semaphore(1)

  constructor(
    readonly context: ServerContext,
    readonly reader: Reader,
    readonly notifier: Notifier,
    readonly options: WorkerOptions,
    readonly inFlight: InFlight,
  ) {}

  /** Runs rounds until `closing`. The first begins at once. */
  async run(): Promise<void> {
    const {clock, logger} = this.context
    const {closing} = this.options
    const isNews = createLogLimit(clock)
    let hasLearntTime = false
    while (!closing.aborted) {
      try {
        if (!hasLearntTime) await this.#learnTime()
        hasLearntTime = true
        await this.#round()
      } catch (error) {
        const cause = error instanceof CheckoutError ? error.message : errorName(error)
        if (isNews(cause)) logger.error('the store cannot be used', {cause})
      }
      await clock.sleep(INTERVAL_MS, closing, true)
    }
  }

  /** Our clock may be hours behind, and then nothing seems to be due. A charge with notices is read, which tells the time. */
  async #learnTime(): Promise<void> {
    const first = await this.#dueCharges(Number.MAX_SAFE_INTEGER, 1)
    await this.#forEach(first, async (chargeId, {notices}) => {
      if (notices.length > 0) await this.#read(chargeId, PAGE_AGE_MS)
    })
  }

  /** A whole round at once, for everything that has a due time. Tries again what has failed, without its pause. */
  async reconcile(): Promise<ReconcileResult> {
    const before = this.notifier.delivered
    const chargeIds = await this.#dueCharges(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    let read = 0
    await this.#forEach(chargeIds, async (chargeId, document, rev) => {
      if (document.notices.length > 0) await this.#tell(chargeId, true)
      await this.#archive(chargeId, document, rev, this.context.time.now())
      if (document.readAt === undefined) return
      await this.#claimRead(chargeId, Infinity, this.context.time.now())
      await this.#pace()
      if (await this.#read(chargeId, 0)) read += 1
    })
    await this.inFlight.settle()
    this.context.logger.info('reconciled', {read})
    return {read, delivered: this.notifier.delivered - before}
  }

  async #round(): Promise<void> {
    const now = this.context.time.now()
    // Another process may have read them.
    const oldest = monotonic(this.context.clock) - 2 * INTERVAL_MS
    for (const [chargeId, turn] of this.#turns) if (turn < oldest) this.#turns.delete(chargeId)
    await this.#forEach(await this.#dueCharges(now + 1, MAX_ROWS), async (chargeId, document, rev) => {
      const {notices, readAt} = document
      // A notice that waits for its next attempt takes no place: its handler may be the one that hangs.
      if (notices.some(({at}) => at <= now)) await this.#tell(chargeId, false)
      if (readAt !== undefined && readAt <= now) await this.#readInTurn(chargeId, document, readAt, now)
      void this.#archive(chargeId, document, rev, now)
    })
  }

  /** Resolves when the handlers are called. Each second more may be called, because some may hang. */
  async #tell(chargeId: string, force: boolean): Promise<void> {
    const {closing} = this.options
    if (this.#telling.size >= MAX_TELLING) {
      this.#nextTelling ??= this.context.clock
        .sleep(NEXT_TELLING_MS, closing, true)
        .finally(() => (this.#nextTelling = undefined))
      await Promise.race([...this.#telling, this.#nextTelling])
    }
    if (closing.aborted) return
    const telling = this.notifier.start(chargeId, force).finally(() => this.#telling.delete(telling))
    this.#telling.add(telling)
  }

  /** If it is time. Never rejects. */
  async #archive(chargeId: string, document: ChargeDocument, rev: number, now: number): Promise<void> {
    const at = archiveAt(document, this.options.retention)
    if (!isOpened(document) || at === null || at > now) return
    try {
      await this.#archiving.run(() =>
        this.inFlight.run('handlers', () => archive(this.context, chargeId, document, rev, this.options)),
      )
    } catch (error) {
      this.context.logger.error('archiving a charge failed', {chargeId, error: errorName(error)})
    }
  }

  /** Reads now, or moves the row to its turn: what waits behind it in the store must not wait for it. */
  async #readInTurn(
    chargeId: string,
    {minted}: Pick<ChargeDocument, 'minted'>,
    readAt: number,
    now: number,
  ): Promise<void> {
    if (!this.options.isReading) {
      await this.#claimRead(chargeId, readAt, now, now + LEFT_MS)
      return
    }
    const mono = monotonic(this.context.clock)
    const planned = this.#turns.get(chargeId)
    this.#turns.delete(chargeId)
    // Nobody can have paid to a charge without an address, so the others come first.
    const isOvertaken = !minted && this.#nextReadAt > (planned ?? Infinity)
    const turn = planned === undefined || isOvertaken ? mono + this.#takeTurn(minted !== undefined) : planned
    const waitMs = Math.max(0, Math.ceil(turn - mono))
    if (waitMs > INTERVAL_MS) {
      // It is due again in the round before its turn, which it keeps: another one would be as far ahead each time.
      const isOurs = await this.#claimRead(chargeId, readAt, now, now + waitMs - INTERVAL_MS)
      if (isOurs) this.#turns.set(chargeId, turn)
      return
    }
    if (await this.#claimRead(chargeId, readAt, now)) void this.#readAfter(chargeId, waitMs)
  }

  async #readAfter(chargeId: string, waitMs: number): Promise<void> {
    // Without the signal: Node warns of more than ten listeners of one.
    await this.context.clock.sleep(waitMs, undefined, true)
    if (!this.options.closing.aborted)
      await this.inFlight.run('reads', () => this.#read(chargeId, PAGE_AGE_MS))
  }

  /** Returns the milliseconds until the next read may begin. */
  #takeTurn(hasAddress: boolean): number {
    const now = monotonic(this.context.clock)
    const turn = Math.max(now, this.#nextReadAt, hasAddress ? now : this.#nextUnopenedAt)
    const next = turn + 1_000 / this.options.reconcileRate
    if (hasAddress) this.#nextReadAt = next
    else this.#nextUnopenedAt = next
    return turn - now
  }

  async #pace(): Promise<void> {
    await this.#pacing.run(() => this.context.clock.sleep(this.#takeTurn(true), this.options.closing))
  }

  /** Moves the next read on. Resolves to false when another process has done so. */
  async #claimRead(chargeId: string, readAt: number, now: number, at?: number): Promise<boolean> {
    const {charges, rules} = this.context
    const {changed} = await charges.update(chargeId, latest => {
      if (latest?.readAt === undefined || latest.readAt > readAt) return undefined
      return {...latest, readAt: at ?? nextReadAt(latest, now, rules)}
    })
    return changed
  }

  /** Resolves to whether the service was read. */
  async #read(chargeId: string, maxAgeMs: number): Promise<boolean> {
    try {
      await this.reader.read(chargeId, {maxAgeMs})
      return true
    } catch (error) {
      const code = error instanceof CheckoutError ? error.code : errorName(error)
      this.context.logger.warn('reconciling a charge failed', {chargeId, code})
      return false
    }
  }

  async #dueCharges(before: number, limit: number): Promise<string[]> {
    const keys = await this.context.store.due(before, limit)
    return keys.flatMap(key => this.context.charges.kind.idOf(key) ?? [])
  }

  /** One charge must not end a round over all. */
  async #forEach(
    chargeIds: readonly string[],
    work: (chargeId: string, document: ChargeDocument, rev: number) => Promise<void>,
  ): Promise<void> {
    const {charges, logger} = this.context
    for (let start = 0; start < chargeIds.length && !this.options.closing.aborted; start += BATCH)
      await Promise.all(
        chargeIds.slice(start, start + BATCH).map(async chargeId => {
          try {
            const {document, rev} = await charges.load(chargeId)
            // A newer version does it.
            if (document && !isNewer(document)) await work(chargeId, document, rev)
          } catch (error) {
            logger.warn('the work on a charge failed', {chargeId, error: errorName(error)})
          }
        }),
      )
  }
}
