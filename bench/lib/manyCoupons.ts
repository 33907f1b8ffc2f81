import type pg from 'pg'

const templates = 300
const batchesOfEach = 10
const riders = 200_000
const firstTemplate = 50_000
/** A third of all coupons is of this kind. */
export const largeTemplate = firstTemplate
export const smallTemplate = firstTemplate + 7
export const aRider = 1_000_300
export const aCode = 'BENCH2345678'

/**
 * Fills the demo's database with so many coupons of its three franchisees: of 300 kinds in 3,000 batches, one kind with a
 * third of them, over a year and in every state. Everything is a function of a coupon's number.
 */
export async function addCoupons(
  database: pg.Client,
  count: number,
  phone: { readonly sealed: string; readonly hash: string },
): Promise<void> {
  const run = (sql: string) => database.query(sql)
  // References and indexes are right by construction; keeping them up row by row takes longer than writing the rows.
  await run(`set session_replication_role = replica`)
  await run(`alter table rider drop constraint rider_agent_id_phone_hash_key`)
  await database.query(
    `insert into rider (id, agent_id, phone_hash, phone_sealed, created_at, last_active_at)
     select 1000000 + n, 3 + n % 3, $2, $1, now() - interval '400 days', now() from generate_series(1, ${riders}) n`,
    [phone.sealed, phone.hash],
  )
  const terms = `jsonb_build_object('name', 'bench ' || n, 'effect', jsonb_build_object('off', 'cents', 'cents', 200),
    'validDays', 30, 'validUntil', null)`
  await run(`insert into coupon_template (id, agent_id, name, version, created_at, changed_at, changed_by)
    select ${firstTemplate} + n, 3 + n % 3, 'bench ' || n, 1, now() - interval '400 days', now() - interval '400 days', 'bench'
    from generate_series(0, ${templates - 1}) n`)
  await run(`insert into coupon_template_version (template_id, agent_id, version, terms, made_at, made_by)
    select ${firstTemplate} + n, 3 + n % 3, 1, ${terms}, now() - interval '400 days', 'bench'
    from generate_series(0, ${templates - 1}) n`)
  await run(`insert into coupon_batch (id, agent_id, template_id, version, source, wanted, issued, made_at, made_by)
    select (${firstTemplate} + n / ${batchesOfEach}) * 10 + n % ${batchesOfEach}, 3 + n / ${batchesOfEach} % 3,
      ${firstTemplate} + n / ${batchesOfEach}, 1, 'riders', 1, 1, now() - interval '400 days', 'bench'
    from generate_series(0, ${templates * batchesOfEach - 1}) n`)
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'coupon' and indexname not in (select conname from pg_constraint where conrelid = 'coupon'::regclass)`,
  )
  for (const { name } of indexes) await run(`drop index ${name}`)
  await run(`
    insert into coupon (id, agent_id, template_id, version, batch_id, rider_id, code, state, issued_at, claimed_at, ends_at,
      used_at, order_id, saved_cents, revoked_at, revoked_by)
    select 1000000 + n, 3 + t % 3, ${firstTemplate} + t, 1, (${firstTemplate} + t) * 10 + n % ${batchesOfEach},
      -- Riders of the coupon's company, so that references hold.
      1000000 + (n * 7919::bigint % ${Math.floor(riders / 3) - 1} + 1) * 3 + t % 3,
      case when n = 4711 then '${aCode}' end, state, issued_at, case when n = 4711 then issued_at end,
      issued_at + interval '30 days', case when state = 'used' then issued_at + interval '1 day' end,
      case when state = 'used' then n end, case when state = 'used' then 200 end,
      case when state = 'revoked' then issued_at + interval '1 day' end, case when state = 'revoked' then 'bench' end
    from (
      select n, case when n % 3 = 0 then 0 else n * 31::bigint % ${templates} end as t,
        (array['open', 'used', 'expired', 'open', 'used', 'expired', 'used', 'open', 'used', 'expired'])[1 + n % 10] as usual,
        now() - interval '1 second' * (n * 104729::bigint % 31536000) as issued_at
      from generate_series(1, ${count}) n
    ) made cross join lateral (select case when n % 997 = 0 then 'revoked' else usual end as state) s`)
  for (const { definition } of indexes) await run(definition)
  await run(`vacuum (analyze) rider`)
  await run(`vacuum (analyze) coupon`)
  await run(`vacuum (analyze) coupon_batch`)
}
