import {emptying, PAGE, type Dialect} from './dialect.js'

const NOW = `cast((julianday('now') - 2440587.5) * 86400000 as integer)`

/** For SQLite, libSQL, D1 and Durable Objects. Text is compared by bytes, and writes run one at a time. */
export function sqlite(prefix: string): Dialect {
  const entries = `${prefix}_entries`
  const leases = `${prefix}_leases`
  return {
    name: 'sqlite',
    schema: [
      `create table if not exists ${entries} (
  charge_id text not null,
  rev integer not null,
  entry text not null,
  append_id text not null,
  is_open integer not null,
  primary key (charge_id, rev)
) without rowid`,
      `create index if not exists ${prefix}_open on ${entries} (charge_id) where is_open = 1`,
      `create table if not exists ${leases} (
  name text not null primary key,
  expires_at integer not null
) without rowid`,
    ],
    appendFirst: `insert into ${entries} (charge_id, rev, entry, append_id, is_open)
values (:charge_id, 1, :entry, :append_id, 1)
on conflict (charge_id, rev) do nothing
returning rev`,
    appendNext: `insert into ${entries} (charge_id, rev, entry, append_id, is_open)
select charge_id, rev + 1, :entry, :append_id, 0 from ${entries}
where charge_id = :charge_id and rev = :previous
on conflict (charge_id, rev) do nothing
returning rev`,
    findAppendId: `select append_id from ${entries} where charge_id = :charge_id and rev = :rev`,
    read: `select rev, entry from ${entries} where charge_id = :charge_id and rev > :after order by rev`,
    openCharges: `select charge_id from ${entries}
where is_open = 1 and charge_id > :after order by charge_id limit ${PAGE}`,
    closeCharge: `update ${entries} set is_open = 0
where charge_id = :charge_id and rev = 1 and is_open = 1
returning rev`,
    delete: `delete from ${entries} where charge_id = :charge_id returning rev`,
    empty: emptying(entries),
    lease: [
      `insert into ${leases} (name, expires_at) values (:name, ${NOW} + :duration_ms)
on conflict (name) do update set expires_at = excluded.expires_at
where ${leases}.expires_at <= ${NOW}
returning name`,
    ],
    deleteExpiredLeases: `delete from ${leases} where expires_at <= ${NOW} returning name`,
  }
}
