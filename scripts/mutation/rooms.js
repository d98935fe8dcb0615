/** What is mutated, and by which tests it must be caught: those that run in one process of Node and start no other. */
const tests = (folder, ...names) => names.map(name => `test/${folder}/${name}.test.ts`)

const server = tests(
  'server',
  'late-locks',
  'minting',
  'quote-details',
  'quoting',
  'routes',
  'standing',
  'status',
  'telling',
  'untold',
)

const money = name => `src/server/${name}.ts`

export const rooms = {
  core: {
    mutate: ['src/core/*.ts'],
    tests: tests(
      'core',
      'advance',
      'any-order',
      'choice',
      'countdown',
      'details',
      'ladder',
      'stream',
      'watch',
    ),
  },
  contract: {
    // The wire's other words are types and tables; `zod-in-a-page` stands in for a library in the page.
    mutate: ['src/contract/!(zod-in-a-page|index).ts'],
    tests: [
      ...tests('contract', 'checkout-fields', 'clock', 'dates', 'decimal', 'service', 'service-fields'),
      ...tests('server', 'quoting', 'status'),
    ],
  },
  status: {mutate: ['status', 'local-money', 'compose'].map(money), tests: server},
  quoting: {mutate: ['mint', 'quote', 'opening'].map(money), tests: server},
  chains: {mutate: ['src/server/chains/*.ts'], tests: tests('server', 'addresses', 'amounts', 'quoting')},
  journal: {
    mutate: ['src/server/journal/*.ts'],
    tests: [...tests('server', 'journal-entries', 'journals'), ...server],
  },
  telling: {mutate: ['tell', 'fulfilment'].map(money), tests: server},
  reading: {
    mutate: [money('reader')],
    tests: tests('server', 'looking', 'reader', 'status', 'telling', 'untold'),
  },
}
