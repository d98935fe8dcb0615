/** What is mutated, and by which tests it must be caught: those that run in one process of Node and start no other. */
const server = [
  'addresses',
  'amounts',
  'canary',
  'json',
  'limits',
  'memory-store',
  'minting',
  'quoting',
  'routes',
  'status',
  'telling',
].map(name => `test/server/${name}.test.ts`)

const contract = ['dates', 'decimal', 'service'].map(name => `test/contract/${name}.test.ts`)

const money = name => `src/server/${name}.ts`

export const rooms = {
  core: {
    mutate: ['src/core/*.ts'],
    tests: ['advance', 'any-order', 'choice', 'countdown', 'ladder', 'stream', 'watch'].map(
      name => `test/core/${name}.test.ts`,
    ),
  },
  contract: {
    // The wire's other words are types and tables; `zod-in-a-page` stands in for a library in the page.
    mutate: ['src/contract/!(zod-in-a-page|index).ts'],
    tests: [...contract, ...server],
  },
  status: {mutate: ['status', 'local-money', 'compose'].map(money), tests: server},
  quoting: {mutate: ['mint', 'quote', 'opening'].map(money), tests: server},
  chains: {mutate: ['src/server/chains/*.ts'], tests: server},
  journal: {mutate: ['src/server/journal/*.ts'], tests: server},
  telling: {mutate: ['tell', 'fulfilment', 'reader'].map(money), tests: server},
}
