import {emptying, PAGE, type Dialect} from './dialect.js'

/**
 * The previous entry is locked, so that an append and a delete at the same time leave no entry without those before it.
 * The collation "C" compares ids by bytes.
 */
export function postgres(prefix: string): Dialect {
  const entries = `${prefix}_entries`
  const leases = `${prefix}_leases`
  return {
    name: 'postgres',
    schema: [
      `create table if not exists ${entries} (
  charge_id text collate "C" not null,
  rev integer not null check (rev > 0),
  entry text not null,
  append_id text not null,
  is_open boolean not null,
  primary key (charge_id, rev)
)`,
      `create index if not exists ${prefix}_open on ${entries} (charge_id) where is_open`,
      `create unlogged table if not exists ${leases} (
  name text collate "C" primary key,
  expires_at timestamptz not null
)`,
    ],
    appendFirst: `insert into ${entries} (charge_id, rev, entry, append_id, is_open)
values (:charge_id, 1, :entry, :append_id, true)
on conflict (charge_id, rev) do nothing
returning rev`,
    appendNext: `insert into ${entries} (charge_id, rev, entry, append_id, is_open)
select charge_id, rev + 1, :entry, :append_id, false from ${entries}
where charge_id = :charge_id and rev = :previous for key share
on conflict (charge_id, rev) do nothing
returning rev`,
    findAppendId: `select append_id from ${entries} where charge_id = :charge_id and rev = :rev`,
    read: `select rev, entry from ${entries} where charge_id = :charge_id and rev > :after order by rev`,
    openCharges: `select charge_id from ${entries}
where is_open and charge_id > :after order by charge_id limit ${PAGE}`,
    closeCharge: `update ${entries} set is_open = false
where charge_id = :charge_id and rev = 1 and is_open
returning rev`,
    delete: `delete from ${entries} where charge_id = :charge_id returning rev`,
    empty: emptying(entries),
    lease: [
      `insert into ${leases} as lease (name, expires_at)
values (:name, clock_timestamp() + :duration_ms * interval '1 millisecond')
on conflict (name) do update set expires_at = excluded.expires_at
where lease.expires_at <= clock_timestamp()
returning name`,
    ],
    deleteExpiredLeases: `delete from ${leases} where expires_at <= clock_timestamp() returning name`,
  }
}
