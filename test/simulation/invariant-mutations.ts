/**
 * Small edits that break an invariant or another rule. `scripts/break-invariants.ts` applies them one at a time to a copy
 * of the code.
 */
export interface Edit {
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly from: string
  readonly to: string
}

interface Mutation {
  /** Undefined for another rule, such as a limit. */
  readonly invariant?: number
  readonly change: string
  /** The test files that must fail, if no history can. */
  readonly tests?: readonly string[]
}

export type InvariantMutation = Mutation & (Edit | {readonly edits: readonly Edit[]})

export const invariantMutations: readonly InvariantMutation[] = [
  {
    invariant: 1,
    change: 'a convert response for another coin counts as an activation',
    file: 'src/server/charge/quote.ts',
    from: "if (!names.includes(response.currency.toUpperCase())) throw new CheckoutError('activation_failed')",
    to: '',
    tests: ['test/server/charge/quote.test.ts'],
  },
  {
    invariant: 1,
    change: 'a quote is stored before the convert has succeeded',
    file: 'src/server/charge/quote.ts',
    from: '    const response = await service.convert({',
    to: `    const early = toQuote(pair, covers, '1', time.now(), options.quoteTtl)
    await charges.update(chargeId, latest =>
      latest?.quotes.length === 0 ? withQuote(latest, early) : undefined,
    )
    const response = await service.convert({`,
  },
  {
    invariant: 2,
    change: 'the amount is rounded to the nearest unit, not up',
    file: 'src/server/chains/amounts.ts',
    from: "toTrimmedText(rounded(value, places, 'up'))",
    to: "toTrimmedText(rounded(value, places, 'nearest'))",
  },
  {
    invariant: 2,
    change: 'the base units are those of the amount before rounding',
    file: 'src/server/charge/to-quote.ts',
    from: 'requestFields(id, token.contract ?? undefined, address, payable, token.decimals)',
    to: 'requestFields(id, token.contract ?? undefined, address, amount, token.decimals)',
  },
  {
    invariant: 2,
    change: 'a quote of before stays after a part was paid',
    file: 'src/server/checkout/to-checkout.ts',
    from: 'if (!last || !isPayable(charge, expiry) || !isQuoteOf(balance(charge).due, last)) return null',
    to: 'if (!last || !isPayable(charge, expiry)) return null',
  },
  {
    invariant: 2,
    change: 'letter case tells two payments apart',
    file: 'src/server/checkout/transfers.ts',
    from: '.toLowerCase()',
    to: '',
    tests: ['test/server/checkout/transfers.test.ts'],
  },
  {
    invariant: 2,
    change: 'only the payments of the crypto charge count',
    file: 'src/server/charge/observe.ts',
    from: 'lists: [snapshot?.payments ?? [], reading.charge.payments].map(list =>',
    to: 'lists: [snapshot?.payments ?? []].map(list =>',
    tests: ['test/server/checkout/rules.test.ts'],
  },
  {
    invariant: 3,
    change: 'minting ignores the lock',
    file: 'src/server/charge/lock.ts',
    from: 'isDone(latest, rev) || endOfWait(latest, endedLock) > time.now()',
    to: 'isDone(latest, rev)',
  },
  {
    invariant: 3,
    change: 'a create with an unknown outcome ends the lock',
    file: 'src/server/charge/lock.ts',
    from: 'if (isUnknown) return {...latest, lock: {...latest.lock, isUnknown}}',
    to: '',
    tests: ['test/server/charge/mint.test.ts'],
  },
  {
    invariant: 3,
    change: 'a second crypto charge replaces the first one',
    file: 'src/server/charge/mint.ts',
    from: 'if (!isOpened(latest) || latest.minted) return undefined',
    to: 'if (!isOpened(latest)) return undefined',
    tests: ['test/server/charge/mint.test.ts'],
  },
  {
    invariant: 3,
    change: 'a second quote request converts again while the first quote is valid',
    file: 'src/server/charge/quote.ts',
    from: 'Date.parse(last.refreshAfter) > now',
    to: 'Date.parse(last.refreshAfter) > 2 * now - Date.parse(last.quotedAt)',
  },
  {
    invariant: 3,
    change: 'quoting ignores the lock',
    file: 'src/server/charge/quote.ts',
    from: 'if ((charge.lock?.until ?? 0) > time.now() || storedQuote(charge, request, time.now())) return undefined',
    to: 'if (storedQuote(charge, request, time.now())) return undefined',
    tests: ['test/server/charge/quote.test.ts'],
  },
  {
    invariant: 3,
    change: 'a convert whose lock has ended replaces a later quote',
    file: 'src/server/charge/quote.ts',
    from: 'if (!latest || !holds(latest, lock)) return undefined',
    to: 'if (!latest) return undefined',
    tests: ['test/server/charge/quote.test.ts'],
  },
  {
    invariant: 3,
    change: 'after a conflict, the change of the older document is written',
    file: 'src/server/charges/documents.ts',
    from: '      loaded = written\n',
    to: '      loaded = {...written, document: loaded.document}\n',
  },
  {
    invariant: 3,
    change: 'the store in memory ignores the version',
    file: 'src/stores/memory-store.ts',
    from: '      if ((rows.get(key)?.version ?? 0) !== version - 1) return false\n',
    to: '',
    tests: ['test/stores/local-stores.test.ts'],
  },
  {
    invariant: 3,
    change: 'the file store ignores the version',
    file: 'src/stores/file-store.ts',
    from: '    if ((previous?.version ?? 0) !== version - 1) return false\n',
    to: '',
    tests: ['test/stores/local-stores.test.ts'],
  },
  {
    invariant: 3,
    change: 'the SQL store replaces a later version',
    file: 'src/stores/sql/dialects.ts',
    from: 'where ${key} = ? and version = ?${returning}',
    to: 'where ${key} = ? and version >= ?${returning}',
    tests: ['test/stores/sql-store.test.ts'],
  },
  {
    invariant: 3,
    change: 'a store that has lost versions is used on',
    file: 'src/server/charges/documents.ts',
    from: '    if (seen && (rev < seen.rev || (rev === seen.rev && write !== seen.write))) throw this.lost(id)\n',
    to: '',
    tests: ['test/server/charges/documents.test.ts'],
  },
  {
    invariant: 3,
    change: 'a restored document with the same version is taken for the one that was seen',
    file: 'src/server/charges/documents.ts',
    from: '(rev < seen.rev || (rev === seen.rev && write !== seen.write))',
    to: 'rev < seen.rev',
    tests: ['test/server/charges/documents.test.ts'],
  },
  {
    invariant: 3,
    change: 'after a lost reply, our own write is taken for a conflict',
    file: 'src/server/charges/documents.ts',
    from: 'const isOurs = loaded.document?.writes.includes(write) === true',
    to: 'const isOurs = false',
    tests: ['test/server/charges/documents.test.ts'],
  },
  {
    invariant: 3,
    change: 'an older version changes a document of a newer one',
    file: 'src/server/charges/documents.ts',
    from: '      requireKnown(loaded.document)\n',
    to: '',
  },
  {
    change: 'fields of a newer version are removed',
    file: 'src/server/charges/documents.ts',
    from: 'if (this.#isDocument(document)) return document',
    to: 'return this.kind.schema.parse(document)',
    tests: ['test/server/charges/documents.test.ts'],
  },
  {
    invariant: 3,
    change: 'an archived charge is minted again',
    edits: [
      {
        file: 'src/server/charge/read-now.ts',
        from: 'if (before && (before.archived || isNewer(before))) {',
        to: 'if (before && isNewer(before)) {',
      },
      {
        file: 'src/server/charge/read-now.ts',
        from: 'before ? undefined : create?.(charge)',
        to: 'before && !before.archived ? undefined : create?.(charge)',
      },
      {
        file: 'src/server/charge/read-now.ts',
        from: 'const before = document ?? created',
        to: 'const before = document?.archived ? created : (document ?? created)',
      },
    ],
    tests: ['test/server/fulfilment/worker.test.ts'],
  },
  {
    invariant: 4,
    change: 'another address for a displayed pair raises no alert',
    file: 'src/server/charge/observe.ts',
    from: "return changed ? withAlert(charge, 'address_mismatch', now) : charge",
    to: 'return void (changed && now) ?? charge',
  },
  {
    invariant: 4,
    change: 'a crypto charge may have another price',
    file: 'src/server/charge/observe.ts',
    from: '[snapshot.localPrice, priceOf(charge)].every(',
    to: '[snapshot.localPrice, priceOf(charge)].some(',
    tests: ['test/server/charge/observe.test.ts'],
  },
  {
    invariant: 4,
    change: 'a pair is quoted at another address than that at minting',
    file: 'src/server/charge/quote.ts',
    from: 'if (!isUnchanged || checked === undefined)',
    to: 'if (checked === undefined)',
    tests: ['test/server/charge/quote.test.ts'],
  },
  {
    invariant: 4,
    change: 'a page displays the current quote of the proxy, which it did not request',
    file: 'src/core/advance.ts',
    from: '  return {...state, checkout: next, step: stepAfter(state, next), problem: null}',
    to: `  if (next.quote && state.step.kind === 'paying')
    return displayQuote({...state, checkout: next, problem: null}, next.quote)
  return {...state, checkout: next, step: stepAfter(state, next), problem: null}`,
  },
  {
    invariant: 5,
    change: 'a paid status may become a lower one',
    file: 'src/server/checkout/status.ts',
    from: "  if (isPaid(charge.status)) return value === 'overpaid' ? value : charge.status\n",
    to: '',
  },
  {
    invariant: 5,
    change: 'a response from before a cancellation undoes it',
    file: 'src/server/checkout/status.ts',
    from: 'cancelled: charge.cancelled || observed.cancelled',
    to: 'cancelled: observed.cancelled',
    tests: ['test/server/checkout/status.test.ts'],
  },
  {
    invariant: 5,
    change: 'a payment that is no longer listed is forgotten',
    file: 'src/server/checkout/status.ts',
    from: '  const next = {...recorded}\n',
    to: "  const next: ChargeDocument['payments'] = {}\n",
  },
  {
    invariant: 5,
    change: 'a failed payment keeps the charge pending',
    file: 'src/server/checkout/status.ts',
    from: 'return paymentsOf(charge).filter(({dropped}) => !dropped)',
    to: 'return paymentsOf(charge)',
    tests: ['test/server/checkout/rules.test.ts'],
  },
  {
    invariant: 5,
    change: 'only FAILED is a failed payment',
    file: 'src/server/checkout/status.ts',
    from: '...(failedWords.has(word) ?',
    to: "...(word === 'FAILED' ?",
    tests: ['test/server/checkout/rules.test.ts'],
  },
  {
    invariant: 5,
    change: 'a charge that was paid elsewhere waits for a payment of its own',
    file: 'src/server/checkout/status.ts',
    from: '  if (isPaid(value) && (!isUnconfirmed(charge) || isPaidForLong(charge, expiry))) return value\n',
    to: '',
  },
  {
    invariant: 5,
    change: 'while the crypto charge cannot be read, a paid charge is not paid',
    file: 'src/server/charge/read-now.ts',
    from: 'error instanceof ServiceError && isPaid(charge.status.value)',
    to: 'false',
    tests: ['test/server/checkout/status.test.ts'],
  },
  {
    invariant: 5,
    change: 'the crypto charge is not read',
    file: 'src/server/charge/read-now.ts',
    from: '  if (cryptoChargeId === undefined) return {charge, snapshot: undefined}\n',
    to: "  if (cryptoChargeId !== '') return {charge, snapshot: undefined}\n",
  },
  {
    invariant: 5,
    change: 'only the crypto charge is read, not the status of the payment charge',
    file: 'src/server/charge/observe.ts',
    from: 'chargeStatus: reading.charge.status.value,',
    to: "chargeStatus: snapshot ? 'unpaid' : reading.charge.status.value,",
  },
  {
    invariant: 5,
    change: 'what an older version knows of a newer document is not stale',
    file: 'src/server/checkout/to-checkout.ts',
    from: 'stale: stale || isNewer(charge)',
    to: 'stale',
  },
  {
    invariant: 5,
    change: 'a page removes the address when a read fails',
    file: 'src/core/advance.ts',
    from: "if (problem.code !== 'not_open' || isPaid(state.checkout.status)) return {...state, problem}",
    to: "if (problem.code !== 'not_open') return {kind: 'unavailable', chargeId: state.checkout.chargeId, problem}",
  },
  {
    invariant: 6,
    change: 'the log contains the whole charge',
    file: 'src/server/charge/mint.ts',
    from: "logger.info('minted', {chargeId,",
    to: "logger.info('minted', {chargeId, charge: JSON.stringify(charge),",
  },
  {
    invariant: 6,
    change: 'the description contains the whole charge',
    file: 'src/server/charge/charge-of.ts',
    from: '{description: billing.description}',
    to: '{description: `${billing.description} ${JSON.stringify(charge)}`}',
  },
  {
    invariant: 7,
    change: 'the proxy converts an amount sent by the browser',
    edits: [
      {
        file: 'src/contract/quote-request.ts',
        from: 'quoteRequestSchema = z.object(',
        to: 'quoteRequestSchema = z.looseObject(',
      },
      {
        file: 'src/server/charge/quote.ts',
        from: `{part}: QuoteRequest): Money {
  const {due} = balance(charge)
`,
        to: `{part, ...request}: QuoteRequest): Money {
  const {due: all} = balance(charge)
  const due = {...all, ...(request as {amount?: string})}
`,
      },
    ],
  },
  {
    invariant: 7,
    change: 'the page sends an amount',
    file: 'src/element/session/api-client.ts',
    from: 'body: {asset, network, part}',
    to: "body: {asset, network, part, amount: '1'}",
  },
  {
    invariant: 7,
    change: 'a part may be more than what is due',
    file: 'src/server/charge/quote.ts',
    from: '    compare(asked, limit) <= 0\n',
    to: '    compare(asked, limit) <= 1\n',
    tests: ['test/server/charge/parts.test.ts'],
  },
  {
    invariant: 7,
    change: 'a part is quoted of a charge with a fixed price',
    file: 'src/server/charge/quote.ts',
    from: '    charge.opened.acceptsPartial &&\n',
    to: '',
    tests: ['test/server/charge/parts.test.ts'],
  },
  {
    invariant: 8,
    change: 'the proxy trusts a webhook that says paid',
    file: 'src/server/fulfilment/webhook.ts',
    from: '  requireKnown(document)\n',
    to: `  requireKnown(document)
  const paid = {chargeId, status: 'paid'} as never
  await notifier.options.handlers.onPaid?.(paid, {charge: charge as never} as never)
`,
  },
  {
    invariant: 8,
    change: 'verify uses a read that began before its call',
    file: 'src/server/charge/reader.ts',
    from: '    return (state.queued ??= this.#queue(chargeId, state))',
    to: '    return running ?? (state.queued ??= this.#queue(chargeId, state))',
    tests: ['test/server/charge/reader.test.ts'],
  },
  {
    invariant: 8,
    change: 'less than a cent is not due, of any price',
    file: 'src/server/checkout/money.ts',
    from: ' && compare(missing, percentOf(price, one)) < 0',
    to: '',
    tests: ['test/server/checkout/rules.test.ts'],
  },
  {
    invariant: 8,
    change: 'a token of one charge is valid for another one',
    file: 'src/server/api/client-token.ts',
    from: 'utf8ToBytes(`${chargeId}.${expires}`)',
    to: 'utf8ToBytes(`${chargeId.slice(0, 0)}.${expires}`)',
    tests: ['test/server/api/routes.test.ts'],
  },
  {
    invariant: 9,
    change: 'a page expires the checkout by its own clock',
    file: 'src/element/session/session.ts',
    from: `  get state(): State {
    return this.#state
`,
    to: `  get state(): State {
    const state = this.#state
    const ends = Date.parse(checkoutOf(state)?.expiresAt ?? '')
    if (state.kind === 'active' && state.checkout.status === 'open' && this.options.environment.clock.now() > ends)
      return {...state, checkout: {...state.checkout, status: 'expired', payable: false}}
    return state
`,
  },
  {
    invariant: 9,
    change: 'the proxy expires a charge five minutes early',
    file: 'src/server/checkout/status.ts',
    from: 'return expiresAt !== null && expiresAt <= now',
    to: 'return expiresAt !== null && expiresAt - 300_000 <= now',
  },
  {
    invariant: 9,
    change: 'a charge has expired once the clock of the server says so',
    file: 'src/server/base/service-time.ts',
    from: 'return isAgreed ? this.#at(last) : Math.min(this.clock.now(), this.#at(last))',
    to: 'return this.clock.now()',
  },
  {
    invariant: 9,
    change: 'a charge has expired once one response of the service says so',
    file: 'src/server/base/service-time.ts',
    from: 'return isAgreed ? this.#at(last) : Math.min(this.clock.now(), this.#at(last))',
    to: 'return this.#at(last)',
    tests: ['test/server/service/service-time.test.ts'],
  },
  {
    invariant: 9,
    change: 'a charge is quoted again until both clocks have passed its expiry',
    file: 'src/server/base/service-time.ts',
    from: 'return Math.max(this.clock.now(), ',
    to: 'return Math.min(this.clock.now(), ',
    tests: ['test/server/service/service-time.test.ts'],
  },
  {
    invariant: 9,
    change: 'one response with a wrong date sets the time',
    file: 'src/server/base/service-time.ts',
    from: 'counted.find(({votes}) => votes === most)?.offset ?? ours',
    to: 'this.#offsets.at(-1) ?? ours',
    tests: ['test/server/service/service-time.test.ts'],
  },
  {
    invariant: 9,
    change: 'a response without an expiry removes the known one',
    file: 'src/server/checkout/status.ts',
    from: 'return observed ?? known',
    to: 'return observed',
    tests: ['test/server/checkout/rules.test.ts'],
  },
  {
    invariant: 9,
    change: 'waits and ages follow the wall clock',
    file: 'src/contract/clock.ts',
    from: 'monotonic: () => performance.now(),',
    to: 'monotonic: () => Date.now(),',
    tests: ['test/contract/clock.test.ts'],
  },
  {
    invariant: 10,
    change: 'a notice is stored after the change that it reports',
    edits: [
      {
        file: 'src/server/charge/observe.ts',
        from: 'return withNotices(before, {...after, readAt}, rules.handled, now, rev)',
        to: 'return {...after, readAt}',
      },
      {
        file: 'src/server/create-checkout.ts',
        from: "import {exportLog, type ChargeLogLine} from './charges/log.js'\n",
        to: `import {exportLog, type ChargeLogLine} from './charges/log.js'
import {withNotices} from './charges/notices.js'
`,
      },
      {
        file: 'src/server/parts.ts',
        from: '      reader.onChange(chargeId, after, rev)\n',
        to: `      reader.onChange(chargeId, after, rev)
      void context.charges
        .update(chargeId, (latest, latestRev) => {
          const {rules, time} = context
          const told = latest && withNotices(before, latest, rules.handled, time.now(), latestRev)
          return told === latest ? undefined : told
        })
        .catch(() => undefined)
`,
      },
    ],
  },
  {
    invariant: 10,
    change: 'what the merchant was told is told again',
    file: 'src/server/charges/notices.ts',
    from: '      !after.told.includes(subject) &&\n',
    to: '',
  },
  {
    invariant: 10,
    change: 'a handler that has succeeded is not recorded',
    file: 'src/server/fulfilment/notifier.ts',
    from: '    await this.#recordTold(chargeId, subject)\n',
    to: '',
  },
  {
    invariant: 10,
    change: 'a notification that has failed is given up',
    file: 'src/server/fulfilment/notifier.ts',
    from: 'this.options.retention > 0 && next.at - next.since > this.options.retention',
    to: 'next.at > next.since',
  },
  {
    invariant: 10,
    change: 'a claim of another process is ignored',
    file: 'src/server/fulfilment/notifier.ts',
    from: '(at <= this.context.time.now() || (force && claim === undefined))',
    to: '(at <= this.context.time.now() || force || claim !== undefined)',
  },
  {
    invariant: 10,
    change: 'the claim of a killed process never ends',
    file: 'src/server/fulfilment/notifier.ts',
    from: '(at <= this.context.time.now() || (force && claim === undefined))',
    to: 'claim === undefined && (at <= this.context.time.now() || force)',
  },
  {
    invariant: 10,
    change: 'nothing works on what is due',
    file: 'src/server/create-checkout.ts',
    from: 'const rounds = shared ? undefined : worker.run()',
    to: 'const rounds = void worker',
  },
  {
    invariant: 10,
    change: 'a notice has no due time',
    file: 'src/server/charges/due.ts',
    from: '[...notices.map(({at}) => at), ...(readAt',
    to: '[...notices.slice(notices.length).map(({at}) => at), ...(readAt',
    tests: ['test/server/charges/due.test.ts'],
  },
  {
    invariant: 10,
    change: 'a webhook gets 200 although a handler failed',
    file: 'src/server/fulfilment/webhook.ts',
    from: "if (!(await notifier.notify(chargeId))) throw new CheckoutError('internal')",
    to: 'if (!(await notifier.notify(chargeId))) return',
    tests: ['test/server/fulfilment/notify.test.ts'],
  },
  {
    invariant: 10,
    change: 'a webhook gets 200 while another process is telling',
    file: 'src/server/fulfilment/webhook.ts',
    from: 'if (notices.length === 0) return',
    to: 'if (notices.every(({claim}) => claim !== undefined)) return',
    tests: ['test/server/fulfilment/notify.test.ts'],
  },
  {
    invariant: 10,
    change: 'a webhook of a newer document gets 200 by an older version',
    file: 'src/server/fulfilment/webhook.ts',
    from: '  requireKnown(document)\n',
    to: '',
    tests: ['test/server/fulfilment/notify.test.ts'],
  },
  {
    invariant: 10,
    change: 'a handler has no time limit',
    file: 'src/server/fulfilment/notifier.ts',
    from: `      await callHandler(context, handler, options.handlerTimeout, signal =>
        tell(options.handlers, chargeId, told.document, notice, told, signal),
      )
`,
    to: `      const {signal} = new AbortController()
      await tell(options.handlers, chargeId, told.document, notice, told, signal)
`,
  },
  {
    invariant: 10,
    change: 'each webhook calls a handler that fails',
    file: 'src/server/fulfilment/notifier.ts',
    from: 'at: retryAt(notice, this.context.time.now())',
    to: 'at: this.context.time.now()',
    tests: ['test/server/fulfilment/notify.test.ts'],
  },
  {
    invariant: 10,
    change: 'a store that hangs once while a result is recorded is not asked again',
    file: 'src/server/fulfilment/notifier.ts',
    from: 'if (!(error instanceof StoreError) || monotonic(clock) >= deadline) throw error',
    to: 'throw error',
    tests: ['test/server/fulfilment/notify.test.ts'],
  },
  {
    invariant: 10,
    change: 'only CONFIRMED, as it is written, is a confirmed payment',
    file: 'src/server/checkout/status.ts',
    from: 'confirmed: confirmedWords.has(word),',
    to: "confirmed: payment.status === 'CONFIRMED',",
    tests: ['test/server/checkout/rules.test.ts'],
  },
  {
    invariant: 10,
    change: 'a charge whose payments nobody confirms stays pending',
    file: 'src/server/checkout/status.ts',
    from: 'return paidSince !== undefined && expiry - paidSince >= UNCONFIRMED_PAID_AFTER_MS',
    to: 'return paidSince !== undefined && expiry < paidSince',
  },
  {
    invariant: 10,
    change: 'nobody hears that unknown words made a charge paid',
    file: 'src/server/charge/observe.ts',
    from: "  raiseOnce('unconfirmed_paid', isPaid(status) && isUnconfirmed(charge) && isPaidForLong(charge, expiry))\n",
    to: '',
  },
  {
    invariant: 10,
    change: 'only the first part is told',
    file: 'src/server/charges/notices.ts',
    from: '`underpaid ${countConfirmed(after)}`',
    to: "'underpaid'",
    tests: ['test/server/fulfilment/notify.test.ts'],
  },
  {
    invariant: 10,
    change: 'money for an archived charge is silent',
    file: 'src/server/charge/archived-money.ts',
    from: 'return withNotices(latest, listed, rules.handled, now, rev)',
    to: 'return listed',
  },
  {
    invariant: 10,
    change: 'a charge that can be paid is not read after its expiry',
    file: 'src/server/charges/due.ts',
    from: 'Math.min(soon, end + AFTER_EXPIRY_MS) : soon',
    to: 'Math.min(soon, end + AFTER_EXPIRY_MS) : undefined',
    tests: ['test/server/charges/due.test.ts'],
  },
  {
    invariant: 10,
    change: 'the row of the ledger is written after its change',
    file: 'src/server/charge/read-now.ts',
    from: '  if (next) await ledger.add(chargeId, loaded.document, next)\n  return charges.update(chargeId, change, loaded)',
    to: `  const updated = await charges.update(chargeId, change, loaded)
  if (next) await ledger.add(chargeId, loaded.document, next)
  return updated`,
    tests: ['test/server/ledger/ledger.test.ts'],
  },
  {
    invariant: 10,
    change: 'the ledger loses the payments of an archived charge',
    file: 'src/server/ledger/ledger.ts',
    from: 'return row.isFinal || isLate(row, document) ? row : undefined',
    to: 'return undefined',
    tests: ['test/server/ledger/ledger.test.ts'],
  },
  {
    invariant: 10,
    change: 'a connection whose packets were dropped is used again',
    file: 'src/stores/sql/mysql2.ts',
    from: 'else connection.destroy()',
    to: 'else connection.release()',
    tests: ['test/stores/sql-store.test.ts'],
  },
  {
    invariant: 11,
    change: 'a former charge stays payable',
    edits: [
      {
        file: 'src/server/checkout/status.ts',
        from: "  if (hasNoMoney && isReplaced) return 'expired'\n",
        to: '',
      },
      {
        file: 'src/server/checkout/to-checkout.ts',
        from: '    !charge.isReplaced &&\n',
        to: '',
      },
    ],
    tests: ['test/simulation/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'a charge is payable while another one is pending or paid',
    file: 'src/server/checkout/to-checkout.ts',
    from: 'payable: !isBlocked && isPayable(charge, expiry)',
    to: 'payable: isPayable(charge, expiry)',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'the former charges are not read before quoting',
    file: 'src/server/charge/quote.ts',
    from: 'await readFormers(context, reader, read.document)',
    to: 'await Promise.all(reader ? [] : await readFormers(context, reader, read.document))',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'a charge of an order is created after another process has changed the order',
    file: 'src/server/orders/orders.ts',
    from: 'isDone: (_, latestRev) => latestRev !== rev',
    to: 'isDone: () => false',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'a charge with money is replaced',
    file: 'src/server/orders/orders.ts',
    from: '    if (held.length > 0) {',
    to: '    if (held.length > 9) {',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'a charge is replaced by what was read of it an hour ago',
    file: 'src/server/orders/orders.ts',
    from: 'const CREATE_AGE_MS = 10_000',
    to: 'const CREATE_AGE_MS = 3_600_000',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'onPaid is called for each charge of an order',
    file: 'src/server/orders/settle-order.ts',
    from: '!order.isWithdrawn && order.paid.find(({hasPrice}) => hasPrice)?.chargeId === chargeId',
    to: '!order.isWithdrawn',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'nobody hears of a second charge that is paid',
    file: 'src/server/orders/settle-order.ts',
    from: '  if (index > 0) next = withAlert',
    to: '  if (index > 9) next = withAlert',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'onPaid is called for a former charge of another price',
    file: 'src/server/orders/settle-order.ts',
    from: 'const hasPrice = sameMoney(price, orderPriceOf(current))',
    to: 'const hasPrice = sameMoney(price, price)',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 10,
    change: 'a webhook is answered although the payments of a paid charge are not known',
    file: 'src/server/charge/read-now.ts',
    from: 'if (failure && !isKnownAsPaid(result.document)) throw failure',
    to: 'void failure',
    tests: ['test/simulation/regressions.test.ts'],
  },
  {
    invariant: 8,
    change: 'a part covers the wrong one of two prices',
    file: 'src/server/checkout/status.ts',
    from: "!hasAlert(charge, 'price_mismatch') && ",
    to: '',
    tests: ['test/server/checkout/rules.test.ts'],
  },
  {
    invariant: 11,
    change: 'money after a cancellation is silent',
    file: 'src/server/charge/observe.ts',
    from: "    'payment_after_cancel',\n    withdrawn !== undefined &&",
    to: "    'payment_after_cancel',\n    withdrawn === null &&",
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'onExpired is called although a former charge has money',
    file: 'src/server/fulfilment/notifier.ts',
    from: 'if (!isLeft && !(await hasMoneyElsewhere(context, reader, document))) return',
    to: 'if (!isLeft) return',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'the rest is payable although an order was cancelled',
    file: 'src/server/checkout/to-checkout.ts',
    from: '    !charge.withdrawn &&\n',
    to: '',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'an order that the store has lost is not noticed',
    file: 'src/server/charge/formers.ts',
    from: '  if (!document) throw orders.lost(order.id)\n',
    to: '',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    change: 'what has not changed is written',
    file: 'src/server/charge/read-now.ts',
    from: 'return after === document ? undefined : after',
    to: 'return after',
    tests: ['test/server/charge/reader.test.ts'],
  },
  {
    change: 'failed converts use up the quotes of a charge',
    file: 'src/server/charge/quote.ts',
    from: 'lock: undefined, converts: latest.converts - 1}',
    to: 'lock: undefined}',
    tests: ['test/server/charge/quote.test.ts'],
  },
  {
    change: 'what repeats fills the log',
    file: 'src/server/charges/log.ts',
    from: 'if (index >= 0)',
    to: 'if (index >= log.length)',
    tests: ['test/server/checkout/rules.test.ts'],
  },
  {
    change: 'each webhook reads the service',
    file: 'src/server/charge/reader.ts',
    from: 'const INTERVAL_MS = 1_000',
    to: 'const INTERVAL_MS = 0',
    tests: ['test/server/charge/reader.test.ts'],
  },
  {
    change: 'pages cause any number of reads',
    file: 'src/server/charge/operations.ts',
    from: 'if (!this.reader.isReading(chargeId) && !this.#mayRead(chargeId)) return this.#stored(chargeId, false)',
    to: '',
    tests: ['test/server/charge/read-budget.test.ts'],
  },
  {
    change: 'the worker does not move on what it reads',
    file: 'src/server/fulfilment/worker.ts',
    from: 'return {...latest, readAt: at ?? nextReadAt(latest, now, rules)}',
    to: 'return {...latest, readAt: now || at || nextReadAt(latest, now, rules)}',
    tests: ['test/server/fulfilment/worker.test.ts'],
  },
  {
    change: 'a charge that another process reads is read as well',
    file: 'src/server/fulfilment/worker.ts',
    from: 'if (latest?.readAt === undefined || latest.readAt > readAt) return undefined',
    to: 'if (latest?.readAt === undefined) return undefined',
    tests: ['test/server/fulfilment/worker.test.ts'],
  },
  {
    change: 'rejected tokens refuse valid ones behind the same address',
    edits: [
      {
        file: 'src/server/api/access.ts',
        from: 'if (isValidToken(tokenSecret, chargeId, token, this.context.time.now())) return\n',
        to: 'const isValid = isValidToken(tokenSecret, chargeId, token, this.context.time.now())\n',
      },
      {
        file: 'src/server/api/access.ts',
        from: "    limits.consume('rejected_token'",
        to: "    if (isValid) return\n    limits.consume('rejected_token'",
      },
    ],
    tests: ['test/server/api/rate-limit.test.ts'],
  },
  {
    change: 'a client token may be valid for any time',
    file: 'src/server/create-checkout.ts',
    from: '!Number.isInteger(expiresIn) || expiresIn < 1 || expiresIn > YEAR_SECONDS',
    to: 'expiresIn < 1',
    tests: ['test/server/create-checkout.test.ts'],
  },
  {
    change: 'a client token is valid for ever',
    file: 'src/server/api/client-token.ts',
    from: 'return isGenuine && Number(expires) * 1000 > now',
    to: 'return isGenuine',
    tests: ['test/server/api/routes.test.ts'],
  },
]
