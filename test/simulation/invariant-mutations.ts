/**
 * The nine invariants, each broken on purpose: small edits that a hurried hand could make. `scripts/break-invariants.ts`
 * applies them one at a time to a copy of the code.
 */
export interface Break {
  readonly invariant: number
  readonly what: string
  readonly edits: readonly Edit[]
  /** For what no history can show: the files of tests that have to. */
  readonly tests?: readonly string[]
}

export interface Edit {
  readonly file: string
  /** Stands there exactly once. */
  readonly from: string
  readonly to: string
}

export const breaks: readonly Break[] = [
  {
    invariant: 1,
    what: 'a convert that answered for another coin counts as an activation',
    edits: [
      {
        file: 'src/server/charge/quote.ts',
        from: "if (!names.includes(answer.currency.toUpperCase())) throw new CheckoutError('activation_failed')",
        to: '',
      },
    ],
  },
  {
    invariant: 1,
    what: 'the quote is written down before the convert has answered',
    edits: [
      {
        file: 'src/server/charge/quote.ts',
        from: '      const answer = await service.convert({',
        to: `      const early = toQuote(pair, covers, '1', clock.now(), quoteTtl)
      await journals.change(chargeId, latest =>
        latest.quotes.length === 0 ? {kind: 'quoted', quote: early} : undefined,
      )
      const answer = await service.convert({`,
      },
    ],
  },
  {
    invariant: 2,
    what: 'the amount is rounded to the nearest, not up',
    edits: [
      {
        file: 'src/server/chains/amounts.ts',
        from: "toTrimmedText(rounded(value, places, 'up'))",
        to: "toTrimmedText(rounded(value, places, 'nearest'))",
      },
    ],
  },
  {
    invariant: 2,
    what: 'base units come from the amount before it was rounded',
    edits: [
      {
        file: 'src/server/charge/quote.ts',
        from: 'requestFields(id, token.contract ?? undefined, address, payable, token.decimals)',
        to: 'requestFields(id, token.contract ?? undefined, address, amount, token.decimals)',
      },
    ],
  },
  {
    invariant: 3,
    what: 'minting does not heed the lock',
    edits: [
      {
        file: 'src/server/charge/mint.ts',
        from: 'state.minted || isLocked(state, clock.now())',
        to: 'state.minted',
      },
    ],
    tests: ['test/server/charge/mint.test.ts'],
  },
  {
    invariant: 3,
    what: 'asking again converts again, before the time of the first quote is over',
    edits: [
      {
        file: 'src/server/charge/quote.ts',
        from: '        sameMoney(covers, due) &&\n        Date.parse(refreshAfter) > clock.now(),',
        to: '        sameMoney(covers, due) &&\n        Date.parse(refreshAfter) > clock.now() + quoteTtl / 2,',
      },
    ],
  },
  {
    invariant: 4,
    what: 'another address from the service for a pair that was shown is no alarm',
    edits: [
      {
        file: 'src/server/service/snapshot.ts',
        from: "return changed && {kind: 'address_mismatch', asset: changed.asset, network: changed.network}",
        to: 'return void changed',
      },
    ],
  },
  {
    invariant: 4,
    what: "a page takes over whatever quote is the proxy's current one",
    edits: [
      {
        file: 'src/core/advance.ts',
        from: '  return {...state, checkout: next, step: canKeepStep(state, next) ? state.step : initial, problem: null}',
        to: `  if (next.quote && state.step.kind === 'paying')
    return displayQuote({...state, checkout: next, problem: null}, next.quote)
  return {...state, checkout: next, step: canKeepStep(state, next) ? state.step : initial, problem: null}`,
      },
    ],
  },
  {
    invariant: 5,
    what: 'what was paid may become less again',
    edits: [
      {
        file: 'src/server/checkout/status.ts',
        from: "if (isPaid(before)) return isSettled && value === 'overpaid' ? value : before",
        to: '',
      },
    ],
  },
  {
    invariant: 5,
    what: 'a page takes the address away when a read fails',
    edits: [
      {
        file: 'src/core/advance.ts',
        from: "if (problem.code !== 'not_open' || isPaid(state.checkout.status)) return {...state, problem}",
        to: "if (problem.code !== 'not_open') return {kind: 'unavailable', chargeId: state.checkout.chargeId, problem}",
      },
    ],
  },
  {
    invariant: 6,
    what: 'the log gets the whole charge',
    edits: [
      {
        file: 'src/server/charge/mint.ts',
        from: "logger.info('minted', {chargeId,",
        to: "logger.info('minted', {chargeId, charge: JSON.stringify(charge),",
      },
    ],
  },
  {
    invariant: 6,
    what: "the page gets more of the charge's billing than was named",
    edits: [
      {
        file: 'src/server/charge/open.ts',
        from: '{description: billing.description}',
        to: '{description: `${billing.description} ${JSON.stringify(charge)}`}',
      },
    ],
  },
  {
    invariant: 7,
    what: 'the proxy converts the amount that the browser sent, if it sent one',
    edits: [
      {
        file: 'src/contract/quote-request.ts',
        from: 'z.object({asset: id, network: id})',
        to: 'z.looseObject({asset: id, network: id})',
      },
      {
        file: 'src/server/charge/quote.ts',
        from: '    const covers = balance(state).due\n',
        to: '    const {amount = balance(state).due.amount} = wanted as {amount?: string}\n    const covers = {...balance(state).due, amount}\n',
      },
      {
        file: 'src/server/charge/quote.ts',
        from: 'const hasMoved = storedQuote(latest) !== undefined || !sameMoney(balance(latest).due, covers)',
        to: 'const hasMoved = storedQuote(latest) !== undefined',
      },
    ],
  },
  {
    invariant: 7,
    what: 'the page says what amount it wants',
    edits: [
      {
        file: 'src/element/session/api-client.ts',
        from: "requestCheckout(chargeId, '/quote', signal, {asset, network})",
        to: "requestCheckout(chargeId, '/quote', signal, {asset, network, amount: '1'})",
      },
    ],
  },
  {
    invariant: 8,
    what: 'the proxy believes a webhook that says paid',
    edits: [
      {
        file: 'src/server/fulfilment/fulfilment.ts',
        from: '          const {failed} = await readAndNotify(chargeId)',
        to: `          const {checkout, charge} = await readNow(chargeId)
          if (body.includes('"paid"')) await handlers.onPaid?.(checkout, {charge})
          const {failed} = await notifySerially(checkout, charge)`,
      },
    ],
  },
  {
    invariant: 8,
    what: 'verify is content with a read that began before it was asked',
    edits: [
      {
        file: 'src/server/service/poller.ts',
        from: '    return (state.queued ??= state.running.result.then(next, next))',
        to: '    void next\n    return state.running.result',
      },
    ],
    tests: ['test/server/service/poller.test.ts'],
  },
  {
    invariant: 9,
    what: "a page expires the checkout by its own machine's clock",
    edits: [
      {
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
    ],
  },
  {
    invariant: 9,
    what: 'the proxy expires a charge five minutes early, to be on the safe side',
    edits: [
      {
        file: 'src/server/checkout/status.ts',
        from: 'return expiresAt !== null && expiresAt <= now',
        to: 'return expiresAt !== null && expiresAt - 300_000 <= now',
      },
    ],
  },
]
