/** The command `npx crypto-checkout schema <database>`: prints the SQL that `migrate()` executes, for a migration tool. */
import {sqlSchema} from '../stores/sql-store.js'
import {isDialect} from '../stores/sql/dialects.js'
import {CommandError, parse, runCommand, type Print} from './command.js'

const usage = `usage: crypto-checkout schema postgres|mysql|sqlite [--prefix shop_2]

Prints the table and the index of sqlStore. MariaDB has the table of mysql; libSQL and D1 have that of sqlite.
--prefix is the option of sqlStore, if the shop sets it.`

/** Sets exit code 1 for an unknown database. */
export function schemaCommand(args: readonly string[], print: Print = console.log): Promise<void> {
  return runCommand(args, usage, print, () => {
    const {values, positionals} = parse(args, {prefix: {type: 'string'}})
    const [database = '', ...rest] = positionals
    if (!isDialect(database) || rest.length > 0) throw new CommandError(usage)
    print(sqlSchema(database, values.prefix))
    return Promise.resolve()
  })
}
