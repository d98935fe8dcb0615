/** The command `npx crypto-checkout schema <database>`: prints the SQL that `migrate()` executes, for a migration tool. */
import {DEFAULT_PREFIX} from '../stores/sql-store.js'
import {mysql} from '../stores/sql/mysql.js'
import {postgres} from '../stores/sql/postgres.js'
import {sqlite} from '../stores/sql/sqlite.js'

const usage = `usage: crypto-checkout schema postgres|mysql|sqlite

Prints the tables and the index of sqlStore. MariaDB has the tables of mysql; libSQL and D1 have those of sqlite.`

const dialects = new Map([postgres, mysql, sqlite].map(dialect => [dialect.name, dialect(DEFAULT_PREFIX)]))

/** Sets exit code 1 for an unknown database. */
export function schemaCommand(
  [database = '', ...rest]: readonly string[],
  print: (line: string) => void = console.log,
): void {
  const dialect = dialects.get(database)
  if (dialect && rest.length === 0)
    return print(dialect.schema.map(statement => `${statement};`).join('\n\n'))
  print(usage)
  if (!['--help', '-h'].includes(database)) process.exitCode = 1
}
