/** Stores a row, or looks for what is due, and kills itself before change number `dieAt` of the files. Prints the result. */
import {fileStore} from '../../src/stores/file-store.js'
import {interceptSteps} from '../stores/file-steps.js'

const [folder = '', isInUse = '', dieAt = '', key = '', version = '', value = '', due = ''] =
  process.argv.slice(2)
const store = fileStore(folder)
// In a folder that is in use, fewer steps are left.
if (isInUse) await store.put('ready', 1, 'x', null)
let changes = 0
interceptSteps((isChange, step) => {
  if (isChange && ++changes === Number(dieAt)) process.kill(process.pid, 'SIGKILL')
  return step()
})
const result = version
  ? await store.put(key, Number(version), value, due ? Number(due) : null)
  : await store.due(Number.MAX_SAFE_INTEGER, 10)
// Writing to a pipe is synchronous, so it is written before the process ends.
process.stdout.write(JSON.stringify(result))
