import type pg from 'pg'

/**
 * Fills the demo's database with so many riders of its three franchisees: most are certified, some are students, few are
 * banned or gone, their money is spread. Everything is a function of a rider's number. All have one phone, `sealed`; one
 * has the certificate and forty have the name whose hashes are given.
 */
export async function addRiders(
  database: pg.Client,
  count: number,
  known: { readonly sealed: string; readonly hash: string; readonly nameHash: string; readonly certHash: string },
): Promise<void> {
  const run = (sql: string) => database.query(sql)
  // References and indexes are right by construction; keeping them up row by row takes longer than writing the rows.
  await run(`set session_replication_role = replica`)
  // All riders share one sealed phone number, so its hash is not unique.
  await run(`alter table rider drop constraint rider_agent_id_phone_hash_key`)
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'rider' and indexname not in (select conname from pg_constraint where conrelid = 'rider'::regclass)`,
  )
  for (const { name } of indexes) await run(`drop index ${name}`)
  await database.query(
    `insert into rider (id, agent_id, phone_hash, phone_sealed, name_hash, cert_hash, cert_sealed, certified_at, closed_at,
       created_at, last_active_at, banned, certificate_kind, balance_mark)
     select 1000000 + n, 3 + n % 3, $2, $1,
       case when n % ${Math.max(1, Math.floor(count / 40))} = 7 then $3 else 'bench ' || n % 99991 end,
       case when n = 4711 then $4 when n % 7 > 0 then 'bench ' || n end, case when n = 4711 or n % 7 > 0 then 'x' end,
       case when n = 4711 or n % 7 > 0 then now() end, case when n % 211 = 0 then now() end,
       now() - interval '900 days' * (1 - n::float8 / ${count}), now() - interval '1 second' * (n::bigint * 7919 % 31536000),
       n % 401 = 0, case when n % 17 = 0 then 'student' when n % 1009 = 0 then 'profession' end,
       (array[0, 0, 0, 0, 1, 1, 2, 0, 0, 3])[1 + n % 10]
     from generate_series(1, ${count}) n`,
    [known.sealed, known.hash, known.nameHash, known.certHash],
  )
  for (const { definition } of indexes) await run(definition)
  await run(`vacuum (analyze) rider`)
}
