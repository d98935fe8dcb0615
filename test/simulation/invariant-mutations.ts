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
    change: 'the journal gets a quote before the convert has succeeded',
    file: 'src/server/charge/quote.ts',
    from: '      const response = await service.convert({',
    to: `      const early = toQuote(pair, covers, '1', time.now(), quoteTtl)
      await journal.update(latest =>
        latest.quotes.length === 0 ? {kind: 'quoted', quote: early} : undefined,
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
    invariant: 3,
    change: 'minting ignores the lock',
    file: 'src/server/charge/create-once.ts',
    from: 'isDone(state) || isLocked(state, time.now())',
    to: 'isDone(state)',
    tests: ['test/server/charge/mint.test.ts'],
  },
  {
    invariant: 3,
    change: 'a second quote request converts again while the first quote is valid',
    file: 'src/server/charge/quote.ts',
    from: 'Date.parse(last.refreshAfter) > time.now()',
    to: 'Date.parse(last.refreshAfter) > time.now() + quoteTtl / 2',
  },
  {
    invariant: 4,
    change: 'another address for a displayed pair raises no alert',
    file: 'src/server/charge/detect-change.ts',
    from: "return changed && {kind: 'address_mismatch', asset: changed.asset, network: changed.network}",
    to: 'return void changed',
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
    from: "if (isPaid(state.status)) return value === 'overpaid' ? value : state.status",
    to: '',
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
    file: 'src/server/charge/open.ts',
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
        from: '{part}: QuoteRequest): Money {\n  const {due} = balance(state)\n',
        to: `{part, ...request}: QuoteRequest): Money {
  const {due: all} = balance(state)
  const due = {...all, ...(request as {amount?: string})}
`,
      },
    ],
  },
  {
    invariant: 7,
    change: 'the page sends an amount',
    file: 'src/element/session/api-client.ts',
    from: "requestCheckout(chargeId, '/quote', signal, {asset, network, part})",
    to: "requestCheckout(chargeId, '/quote', signal, {asset, network, part, amount: '1'})",
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
    from: '    state.opened.acceptsPartial &&\n',
    to: '',
    tests: ['test/server/charge/parts.test.ts'],
  },
  {
    invariant: 8,
    change: 'the proxy trusts a webhook that says paid',
    file: 'src/server/fulfilment/webhook.ts',
    from: '  const {alerts, status, isIncomplete} = await journal.state()\n',
    to: `  const {alerts, status, isIncomplete} = await journal.state()
    const checkout = {chargeId: journal.id, status: 'paid'} as never
    await notifier.options.handlers.onPaid?.(checkout, {charge: charge as never, signal: new AbortController().signal})`,
  },
  {
    invariant: 8,
    change: 'verify uses a read that started before its call',
    file: 'src/server/charge/shared-read.ts',
    from: '    return (state.queued ??= this.#forceInTurn(journal, state, urgent))',
    to: '    return state.running?.result ?? (state.queued ??= this.#forceInTurn(journal, state, urgent))',
    tests: ['test/server/charge/shared-read.test.ts'],
  },
  {
    invariant: 9,
    change: 'a page expires the checkout by its own clock',
    file: 'src/element/session/session.ts',
    from: '  get state(): State {\n    return this.#state\n',
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
    invariant: 3,
    change: 'a store accepts an entry without the one before it',
    file: 'src/stores/memory-store.ts',
    from: 'if (rev !== journal.first + journal.entries.length) return',
    to: 'if (rev < journal.first + journal.entries.length) return',
    tests: ['test/stores/local-stores.test.ts'],
  },
  {
    invariant: 3,
    change: 'a journal that has lost entries is continued',
    file: 'src/server/journal/journal.ts',
    from: '      if (!(await this.#isReplaced(last))) throw this.#lost()\n',
    to: '',
  },
  {
    invariant: 4,
    change: 'a crypto charge may have another price',
    file: 'src/server/charge/detect-change.ts',
    from: '[snapshot.localPrice, priceOf(state)].every(',
    to: '[snapshot.localPrice, priceOf(state)].some(',
  },
  {
    invariant: 5,
    change: 'a failed payment keeps the charge pending',
    file: 'src/server/checkout/status.ts',
    from: 'return [...payments.values()].filter(({dropped}) => !dropped)',
    to: 'return [...payments.values()]',
  },
  {
    invariant: 5,
    change: 'a charge that was paid elsewhere waits for a payment of its own',
    file: 'src/server/checkout/status.ts',
    from: '  if (isPaid(value) && (!isUnconfirmed(state) || isPaidForLong(state, now))) return value\n',
    to: '',
  },
  {
    invariant: 9,
    change: 'a response without an expiry removes the known one',
    file: 'src/server/checkout/status.ts',
    from: '(observed.expiresAt ?? state.expiresAt)',
    to: 'observed.expiresAt',
    tests: ['test/server/checkout/rules.test.ts'],
  },
  {
    invariant: 10,
    change: 'a notification that has once begun is not pending',
    file: 'src/server/fulfilment/pending.ts',
    from: '.filter(({subject}) => !state.notifications.get(subject)?.done)',
    to: '.filter(({subject}) => !state.notifications.has(subject))',
  },
  {
    invariant: 10,
    change: 'the claim of a killed process never ends',
    file: 'src/server/fulfilment/pending.ts',
    from: 'if (until > 0 || failures === 0) return until',
    to: 'if (until > 0 || failures === 0) return until > 0 ? Infinity : 0',
  },
  {
    invariant: 10,
    change: 'nothing sweeps',
    file: 'src/server/fulfilment/fulfilment.ts',
    from: '      this.#repeat(SWEEP_INTERVAL_MS, () => this.#sweep.run()),\n',
    to: '',
  },
  {
    invariant: 10,
    change: 'a webhook gets 200 although a handler failed',
    file: 'src/server/fulfilment/webhook.ts',
    from: "      throw new CheckoutError('internal')\n    if (pending",
    to: '      return\n    if (pending',
  },
  {
    invariant: 10,
    change: 'a handler has no time limit',
    file: 'src/server/fulfilment/notifier.ts',
    from: 'await callHandler(context, handler, handlerTimeout, signal => call({...found, id, signal}))',
    to: 'await call({...found, id, signal: new AbortController().signal})',
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
    invariant: 5,
    change: 'only FAILED is a failed payment',
    file: 'src/server/checkout/status.ts',
    from: '...(failedWords.has(word) ?',
    to: "...(word === 'FAILED' ?",
    tests: ['test/server/checkout/rules.test.ts'],
  },
  {
    invariant: 10,
    change: 'a charge whose payments nobody confirms stays pending',
    file: 'src/server/checkout/status.ts',
    from: 'return paidSince !== undefined && now - paidSince >= UNCONFIRMED_PAID_AFTER_MS',
    to: 'return paidSince !== undefined && now < paidSince',
  },
  {
    invariant: 10,
    change: 'nobody hears that unknown words made a charge paid',
    file: 'src/server/charge/detect-change.ts',
    from: '    unconfirmedPaid(state, now),\n',
    to: '',
  },
  {
    invariant: 10,
    change: 'a store that hangs once while a result is recorded is not asked again',
    file: 'src/server/fulfilment/notifier.ts',
    from: 'if (!(error instanceof StoreError) || clock.now() >= deadline) throw error',
    to: 'throw error',
    tests: ['test/server/fulfilment/notify.test.ts'],
  },
  {
    invariant: 3,
    change: 'an append that was sent again is taken for another’s',
    file: 'src/stores/file-store.ts',
    from: 'return (await readIfExists(join(folder, name))) === text',
    to: 'return false',
    tests: ['test/stores/local-stores.test.ts'],
  },
  {
    invariant: 5,
    change: 'the clock of the process follows the wall clock',
    file: 'src/contract/clock.ts',
    from: 'now: () => Math.floor(performance.timeOrigin + performance.now()),',
    to: 'now: () => Date.now(),',
    tests: ['test/contract/clock.test.ts'],
  },
  {
    invariant: 3,
    change: 'an older version appends to a newer journal',
    file: 'src/server/journal/journal.ts',
    from: "      if (state.isIncomplete) throw new StoreError('a journal has an entry that this version cannot read')\n",
    to: '',
  },
  {
    invariant: 5,
    change: 'what an older version knows of a newer journal is not stale',
    file: 'src/server/charge/operations.ts',
    from: 'context.stale || state.isIncomplete',
    to: 'context.stale',
  },
  {
    invariant: 10,
    change: 'a webhook of a newer journal gets 200 by an older version',
    file: 'src/server/fulfilment/webhook.ts',
    from: "  if (isIncomplete) throw new StoreError('a newer version has to process a webhook')\n",
    to: '',
  },
  {
    invariant: 3,
    change: 'an archived charge is opened and minted again',
    file: 'src/server/charge/open.ts',
    from: "    if (archived) throw new CheckoutError('expired')\n",
    to: '    void archived\n',
    tests: ['test/server/fulfilment/fulfilment.test.ts'],
  },
  {
    invariant: 10,
    change: 'money for an archived charge is silent',
    file: 'src/server/charge/late-payment.ts',
    from: "? undefined : {kind: 'alert', alert: 'payment_after_archive'}",
    to: '? undefined : (undefined as never)',
  },
  {
    invariant: 10,
    change: 'each webhook reports the money for an archived charge again',
    file: 'src/server/charge/late-payment.ts',
    from: "    alerts.has('payment_after_archive') ? undefined",
    to: "    alerts.has('payment_unreadable') ? undefined",
  },
  {
    invariant: 11,
    change: 'a former charge stays payable',
    file: 'src/server/checkout/to-checkout.ts',
    from: '    !state.isReplaced &&\n',
    to: '',
    tests: ['test/simulation/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'a charge is payable while another is pending or paid',
    file: 'src/server/checkout/to-checkout.ts',
    from: 'payable: !isBlocked && isPayable(state, latest)',
    to: 'payable: isPayable(state, latest)',
    tests: ['test/simulation/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'an order creates a charge without its lock',
    file: 'src/server/orders/orders.ts',
    from: '      minting?.rev === lock',
    to: '      minting !== null',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'a charge with money is replaced',
    file: 'src/server/orders/orders.ts',
    from: '    if (withMoney.length > 0) {',
    to: '    if (withMoney.length > 9) {',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'onPaid is called for each charge of an order',
    file: 'src/server/orders/settle-order.ts',
    from: 'onPaid: first?.chargeId === journal.id',
    to: 'onPaid: first !== undefined',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'nobody hears of a second charge that is paid',
    file: 'src/server/orders/settle-order.ts',
    from: '  if (index > 0) await raise',
    to: '  if (index > 9) await raise',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'onPaid is called for a former charge of another price',
    file: 'src/server/orders/settle-order.ts',
    from: 'const hasPrice = sameMoney(priceOf(charge), current.price)',
    to: 'const hasPrice = sameMoney(priceOf(charge), priceOf(charge))',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'money after a cancellation is silent',
    file: 'src/server/charge/detect-change.ts',
    from: '    paidAfterCancel(state),\n',
    to: '',
    tests: ['test/simulation/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'onExpired is called although a former charge has money',
    file: 'src/server/orders/settle-order.ts',
    from: 'if (hasMoney(await journal.state(), context.time.now())) return true',
    to: 'if (journal.id === chargeId) continue',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'the price is paid although an order was cancelled',
    file: 'src/server/checkout/to-checkout.ts',
    from: '    !state.withdrawn &&\n',
    to: '',
    tests: ['test/server/orders/orders.test.ts'],
  },
  {
    invariant: 10,
    change: 'each webhook calls a handler that fails',
    file: 'src/server/fulfilment/notifier.ts',
    from: 'force ? notification.until : nextAttemptAt(notification)',
    to: 'notification.until',
    tests: ['test/server/fulfilment/notify.test.ts'],
  },
  {
    invariant: 10,
    change: 'a connection whose packets were dropped is used again',
    file: 'src/stores/sql/deadline.ts',
    from: 'this.#alive = new WeakSet()',
    to: '',
    tests: ['test/stores/sql-store.test.ts'],
  },
  {
    invariant: 9,
    change: 'one response with a wrong date sets the time',
    file: 'src/server/base/service-time.ts',
    from: 'const isConfirmed = isAgreed && ',
    to: 'const isConfirmed = true || ',
    tests: ['test/server/service/service-time.test.ts'],
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
    change: 'failed converts use up the quotes of a charge',
    file: 'src/server/journal/state.ts',
    from: 'entry.failed ? -1 : 1',
    to: '1',
    tests: ['test/server/charge/quote.test.ts'],
  },
  {
    change: 'what repeats fills a journal',
    file: 'src/server/journal/state.ts',
    from: 'state.repeats < MAX_REPEATS || ',
    to: 'true || ',
    tests: ['test/server/checkout/rules.test.ts'],
  },
  {
    change: 'each webhook reads the service',
    file: 'src/server/charge/shared-read.ts',
    from: 'const FORCED_MS = 2_000',
    to: 'const FORCED_MS = 0',
    tests: ['test/server/charge/shared-read.test.ts'],
  },
  {
    change: 'rejected tokens refuse valid ones behind the same address',
    edits: [
      {
        file: 'src/server/api/access.ts',
        from: 'if (isValidToken(tokenSecret, chargeId, token, this.context.clock.now())) return\n',
        to: 'const isValid = isValidToken(tokenSecret, chargeId, token, this.context.clock.now())\n',
      },
      {
        file: 'src/server/api/access.ts',
        from: 'return mapMaybePromise(limits.consume(',
        to: 'if (isValid) return\n      return mapMaybePromise(limits.consume(',
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
]
