/**
 * A file store whose writes fail while the limit on the size of files is low, like on a full disk. Takes the name of a
 * function and its arguments over IPC, and replies with the result or the error.
 */
import type {Store} from '../../src/contract/store.js'
import {fileStore} from '../../src/stores/file-store.js'

// Otherwise the limit ends the process instead of failing a write.
process.on('SIGXFSZ', () => undefined)

const [folder = ''] = process.argv.slice(2)
const store = fileStore(folder)
process.on('message', ([name, ...args]: [keyof Store, ...unknown[]]) => {
  const call = Reflect.apply(store[name], store, args) as Promise<unknown>
  void call.catch(String).then(result => process.send?.(result))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
