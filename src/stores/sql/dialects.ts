/** The SQL of the store in each kind of database. Each statement is atomic by itself, so there are no transactions. */
export type Dialect = 'postgres' | 'mysql' | 'sqlite'

export interface Statements {
  /** Key → version, value. */
  readonly get: string
  /** Key, value, due. Changes a row, or adds none because there is one. */
  readonly insert: string
  /** Version, value, due, key, version before. Changes a row, or none. */
  readonly update: string
  /** Time → keys. */
  due(limit: number): string
  /** From, until → keys. */
  keys(limit: number): string
}

/** Text is compared by bytes in all of them. */
const columns: Readonly<Record<Dialect, string>> = {
  postgres: `
  key text collate "C" primary key,
  version integer not null,
  value text not null,
  due bigint`,
  mysql: `
  \`key\` varchar(255) character set ascii collate ascii_bin not null primary key,
  version int not null,
  value mediumtext character set ascii collate ascii_bin not null,
  due bigint`,
  sqlite: `
  key text not null primary key,
  version integer not null,
  value text not null,
  due integer`,
}

export function isDialect(name: string): name is Dialect {
  return Object.hasOwn(columns, name)
}

/** The statements that create what is absent. */
export function schema(dialect: Dialect, prefix: string): readonly string[] {
  const rows = `${prefix}_rows`
  // MySQL has no partial indexes, and none that are created only if they are absent.
  if (dialect === 'mysql')
    return [
      `create table if not exists ${rows} (${columns.mysql},\n  key ${prefix}_due (due)\n) engine = innodb`,
    ]
  return [
    `create table if not exists ${rows} (${columns[dialect]}\n)`,
    `create index if not exists ${prefix}_due on ${rows} (due) where due is not null`,
  ]
}

export function statements(dialect: Dialect, prefix: string): Statements {
  const rows = `${prefix}_rows`
  const isMysql = dialect === 'mysql'
  const key = isMysql ? '`key`' : 'key'
  // MySQL reports the number of changed rows. D1's number is only a rough figure.
  const returning = isMysql ? '' : ' returning version'
  const numbered = (sql: string) => {
    let count = 0
    return dialect === 'postgres' ? sql.replaceAll('?', () => `$${++count}`) : sql
  }
  // `insert ignore` would cut long text, so on MySQL a row that is there is an error.
  const unlessThere = isMysql ? '' : ' on conflict (key) do nothing'
  return {
    get: numbered(`select version, value from ${rows} where ${key} = ?`),
    insert: numbered(
      `insert into ${rows} (${key}, version, value, due) values (?, 1, ?, ?)${unlessThere}${returning}`,
    ),
    update: numbered(
      `update ${rows} set version = ?, value = ?, due = ? where ${key} = ? and version = ?${returning}`,
    ),
    // A limit that is bound has another type in MySQL 8.
    due: limit => numbered(`select ${key} from ${rows} where due < ? order by due limit ${limit}`),
    keys: limit =>
      numbered(`select ${key} from ${rows} where ${key} >= ? and ${key} < ? order by ${key} limit ${limit}`),
  }
}
