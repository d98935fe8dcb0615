/** A command in a process of its own, as `npx crypto-checkout` runs it. */
import {main} from '../../src/cli/main.js'

await main(process.argv.slice(2))
