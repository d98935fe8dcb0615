import {emptying, PAGE, type Dialect} from './dialect.js'

const NOW = `timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000`

/**
 * For MySQL and MariaDB. Inserts are plain, because `insert ignore` truncates long text: an entry that is there is an
 * error (1062). The previous entry is locked, so that an append and a delete at the same time leave no entry without those
 * before it. The binary collation compares ids by bytes.
 */
export function mysql(prefix: string): Dialect {
  const entries = `${prefix}_entries`
  const leases = `${prefix}_leases`
  const id = 'varchar(255) character set utf8mb4 collate utf8mb4_bin'
  return {
    name: 'mysql',
    schema: [
      `create table if not exists ${entries} (
  charge_id ${id} not null,
  rev int unsigned not null,
  entry longtext character set utf8mb4 collate utf8mb4_bin not null,
  append_id char(36) character set ascii not null,
  is_open boolean not null,
  primary key (charge_id, rev),
  key ${prefix}_open (is_open, charge_id)
) engine = innodb`,
      `create table if not exists ${leases} (
  name ${id} not null primary key,
  expires_at bigint not null
) engine = innodb`,
    ],
    appendFirst: `insert into ${entries} (charge_id, rev, entry, append_id, is_open)
values (:charge_id, 1, :entry, :append_id, true)`,
    appendNext: `insert into ${entries} (charge_id, rev, entry, append_id, is_open)
select charge_id, rev + 1, :entry, :append_id, false from ${entries}
where charge_id = :charge_id and rev = :previous lock in share mode`,
    findAppendId: `select append_id from ${entries} where charge_id = :charge_id and rev = :rev`,
    read: `select rev, entry from ${entries} where charge_id = :charge_id and rev > :after order by rev`,
    openCharges: `select charge_id from ${entries}
where is_open = true and charge_id > :after order by charge_id limit ${PAGE}`,
    closeCharge: `update ${entries} set is_open = false where charge_id = :charge_id and rev = 1`,
    delete: `delete from ${entries} where charge_id = :charge_id`,
    empty: emptying(entries),
    lease: [
      `update ${leases} set expires_at = ${NOW} + :duration_ms where name = :name and expires_at <= ${NOW}`,
      `insert into ${leases} (name, expires_at) values (:name, ${NOW} + :duration_ms)`,
    ],
    deleteExpiredLeases: `delete from ${leases} where expires_at <= ${NOW}`,
  }
}
