/** The command `npx crypto-checkout schema <database>`: prints the SQL that `migrate()` executes, for a migration tool. */
import {DEFAULT_PREFIX, parsePrefix} from '../stores/sql-store.js'
import {mysql} from '../stores/sql/mysql.js'
import {postgres} from '../stores/sql/postgres.js'
import {sqlite} from '../stores/sql/sqlite.js'
import {CommandError, parse, runCommand, type Print} from './command.js'

const usage = `usage: crypto-checkout schema postgres|mysql|sqlite [--prefix shop_2]

Prints the tables and the index of sqlStore. MariaDB has the tables of mysql; libSQL and D1 have those of sqlite.
--prefix is the option of sqlStore, if the shop sets it.`

const dialects = {postgres, mysql, sqlite}

/** Sets exit code 1 for an unknown database. */
export function schemaCommand(args: readonly string[], print: Print = console.log): Promise<void> {
  return runCommand(args, usage, print, () => {
    const {values, positionals} = parse(args, {prefix: {type: 'string', default: DEFAULT_PREFIX}})
    const [database = '', ...rest] = positionals
    if (!isDialect(database) || rest.length > 0) throw new CommandError(usage)
    const {schema} = dialects[database](parsePrefix(values.prefix))
    print(schema.map(statement => `${statement};`).join('\n\n'))
    return Promise.resolve()
  })
}

function isDialect(name: string): name is keyof typeof dialects {
  return Object.hasOwn(dialects, name)
}
