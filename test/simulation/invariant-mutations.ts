/**
 * Small edits that break an invariant, and are no mutation of Stryker or are in a folder that it does not mutate.
 * `scripts/break-invariants.ts` applies them one at a time to a copy of the code.
 */
export interface Edit {
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly from: string
  readonly to: string
}

interface Mutation {
  readonly invariant: number
  readonly change: string
  /** The test files that must fail, if no history can. */
  readonly tests?: readonly string[]
}

export type InvariantMutation = Mutation & (Edit | {readonly edits: readonly Edit[]})

export const invariantMutations: readonly InvariantMutation[] = [
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
    change: 'a quote of before stays after a part was paid',
    file: 'src/server/checkout/to-checkout.ts',
    from: 'if (!last || !isPayable(charge, expiry) || !isQuoteOf(balance(charge).due, last)) return null',
    to: 'if (!last || !isPayable(charge, expiry)) return null',
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
    change: 'a second quote request converts again while the first quote is valid',
    file: 'src/server/charge/quote.ts',
    from: 'Date.parse(last.refreshAfter) > now',
    to: 'Date.parse(last.refreshAfter) > 2 * now - Date.parse(last.quotedAt)',
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
    invariant: 4,
    change: 'another address for a displayed pair raises no alert',
    file: 'src/server/charge/observe.ts',
    from: "return changed ? withAlert(charge, 'address_mismatch', now) : charge",
    to: 'return void (changed && now) ?? charge',
    tests: ['test/server/charge/observe.test.ts'],
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
    change: 'the crypto charge is not read',
    file: 'src/server/charge/read-now.ts',
    from: '  if (cryptoChargeId === undefined) return {charge, snapshot: undefined}\n',
    to: "  if (cryptoChargeId !== '') return {charge, snapshot: undefined}\n",
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
    change: 'a charge has expired once the clock of the server says so',
    file: 'src/server/base/service-time.ts',
    from: 'return isAgreed ? this.#at(last) : Math.min(this.clock.now(), this.#at(last))',
    to: 'return this.clock.now()',
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
    tests: ['test/simulation/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'what counts towards the rest of an order can be sent back',
    file: 'src/server/charge/refundable.ts',
    from: 'if (charge.order && (hasEnded || isPaid(status))) {',
    to: 'if (charge.order && isPaid(status)) {',
    tests: ['test/simulation/orders.test.ts'],
  },
  {
    invariant: 11,
    change: 'what a customer wants back still counts towards the rest of the order',
    file: 'src/server/orders/orders.ts',
    from: 'return computeBalance(price, charges.flatMap(countedOn)).due',
    to: 'return computeBalance(price, charges.flatMap(confirmedOn)).due',
    tests: ['test/server/charge/refunds.test.ts'],
  },
  {
    invariant: 10,
    change: 'a webhook is answered although the payments of a paid charge are not known',
    file: 'src/server/charge/read-now.ts',
    from: 'if (failure && !isKnownAsPaid(result.document)) throw failure',
    to: 'void failure',
    tests: ['test/simulation/regressions.test.ts'],
  },
]
