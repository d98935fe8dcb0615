/** Whether a database has the table of sqlStore, and keeps what it has committed. */
import {connect, type SqlClient} from '../../stores/sql/clients.js'
import type {Dialect} from '../../stores/sql/dialects.js'
import {findings, type Finding} from './finding.js'

const {ok, warning, failure} = findings('store')

interface Setting {
  readonly name: string
  readonly safe: readonly string[]
  readonly risk: string
  readonly advice: string
}

interface DialectChecks {
  /** Returns a row for each of these tables that is there. The names are quoted. */
  readonly tables: (names: string) => string
  /** Returns one row with the settings. */
  readonly settings: string
  readonly expected: readonly Setting[]
}

const checks: Readonly<Record<Dialect, DialectChecks>> = {
  postgres: {
    tables: names => `select 1 from unnest(array[${names}]) as name where to_regclass(name) is not null`,
    settings: `select current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit, cast(pg_is_in_recovery() as text) as is_replica`,
    expected: [
      {name: 'fsync', safe: ['on'], risk: 'a crash can corrupt it', advice: 'fsync = on'},
      {
        name: 'full_page_writes',
        safe: ['on'],
        risk: 'a crash can corrupt it',
        advice: 'full_page_writes = on',
      },
      {
        name: 'synchronous_commit',
        safe: ['on', 'local', 'remote_write', 'remote_apply'],
        risk: 'a crash loses the last documents',
        advice: 'synchronous_commit = on',
      },
      {name: 'is_replica', safe: ['false'], risk: 'it cannot be written', advice: 'use the primary'},
    ],
  },
  mysql: {
    tables: names =>
      `select 1 from information_schema.tables where table_schema = database() and table_name in (${names})`,
    settings: `select @@innodb_flush_log_at_trx_commit as innodb_flush_log_at_trx_commit,
      @@innodb_doublewrite as innodb_doublewrite, @@read_only as read_only`,
    expected: [
      {
        name: 'innodb_flush_log_at_trx_commit',
        safe: ['1'],
        risk: 'a crash loses the last second',
        advice: 'innodb_flush_log_at_trx_commit = 1',
      },
      {
        name: 'innodb_doublewrite',
        safe: ['1', 'ON'],
        risk: 'a crash can corrupt it',
        advice: 'innodb_doublewrite = ON',
      },
      {name: 'read_only', safe: ['0', 'OFF'], risk: 'it cannot be written', advice: 'use the primary'},
    ],
  },
  sqlite: {
    tables: names => `select 1 from sqlite_master where type = 'table' and name in (${names})`,
    settings: 'pragma journal_mode',
    expected: [
      {
        name: 'journal_mode',
        safe: ['delete', 'truncate', 'persist', 'wal'],
        risk: 'a crash can corrupt it',
        advice: 'pragma journal_mode = wal',
      },
    ],
  },
}

/** @param prefix of a store that is open, so it is a plain name */
export async function sqlDurability(client: SqlClient, prefix = 'crypto_checkout'): Promise<Finding[]> {
  const {dialect, query} = connect(client)
  const {tables, settings, expected} = checks[dialect]
  const found: Finding[] = []
  try {
    if ((await query(tables(`'${prefix}_rows'`), [])).length === 0)
      found.push(
        failure(
          'the table of sqlStore is missing',
          `await sqlStore(client).migrate(), or npx crypto-checkout schema ${dialect}`,
        ),
      )
    const [row = {}] = await query(settings, [])
    found.push(...expected.flatMap(setting => settingFault(setting, row)))
  } catch {
    // The message of a driver may hold the URL.
    found.push(warning('the settings of the database cannot be read', 'compare them with docs/stores.md'))
  }
  if (dialect === 'sqlite' && found.length === 0)
    return [ok('it has its table; run `pragma synchronous = full` on your own connection')]
  return found.length > 0 ? found : [ok(`it has its table, and ${dialect} keeps what it has committed`)]
}

function settingFault(
  {name, safe, risk, advice}: Setting,
  row: Readonly<Record<string, unknown>>,
): Finding[] {
  const value = String(row[name])
  return safe.includes(value) ? [] : [failure(`${name} is ${value}: ${risk}`, advice)]
}
