export * from './fetch.js'
export * from './message.js'
export * from './path.js'
export * from './transport.js'
