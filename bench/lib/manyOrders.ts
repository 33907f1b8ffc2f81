import type pg from 'pg'

export const orderAreas = 40
export const orderRiders = 200_000

/**
 * Fills the demo's database with so many orders of a year in 40 more areas of its three franchisees: most are paid and
 * small, few are cancelled, due or given back. Everything is a function of an order's number. `sealed` is the phone of
 * all of its riders.
 */
export async function addOrders(
  database: pg.Client,
  count: number,
  sealed: { readonly text: string; readonly hash: string },
): Promise<void> {
  const run = (sql: string) => database.query(sql)
  // References and indexes are right by construction; keeping them up row by row takes longer than writing the rows.
  await run(`set session_replication_role = replica`)
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'ride_order' and indexname like 'ride\\_order\\_%'
       and indexname not in (select conname from pg_constraint where conrelid = 'ride_order'::regclass)`,
  )
  for (const { name } of indexes) await run(`drop index ${name}`)
  await run(`
    insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring, created_at)
    select 5000 + n, 3 + n % 3, 'bench ' || n, 31.2, 120.6, '[[120,31],[121,31],[121,32],[120,31]]', now()
    from generate_series(0, ${orderAreas - 1}) n`)
  await database.query(
    `insert into rider (id, agent_id, phone_hash, phone_sealed, created_at, last_active_at)
     select 1000000 + n, 3 + n % 3, $2 || n, $1, now(), now() from generate_series(0, ${orderRiders - 1}) n`,
    [sealed.text, sealed.hash],
  )
  await run(`
    insert into price_version (id, agent_id, area_id, name, rules, valid_from, author_name, created_at)
    select 100000 + n, 3 + n % 3, 5000 + n, 'bench', '{}', now() - interval '2 years', 'bench', now() - interval '2 years'
    from generate_series(0, ${orderAreas - 1}) n`)
  const mixed = (factor: number, modulus: number): string => `(n::bigint * ${factor} % ${modulus})`
  await run(`
    insert into ride_order (
      id, agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at, ended_at, distance_m,
      price_version_id, return_kind, charged_cents, refunded_cents, changed_at)
    select
      1000000 + n, 3 + area % 3, 5000 + area, 1, 'BX' || lpad(${mixed(48_271, 9_973)}::text, 6, '0'),
      1000000 + ${mixed(104_729, 66_666)} * 3 + area % 3, state, placed_at, placed_at,
      case when charged is not null then placed_at + interval '9 minutes' end, 1800,
      case when charged is not null then 100000 + area end, case when charged is not null then 'in_place' end, charged,
      case state when 'refunded' then charged when 'part_refunded' then 100 else 0 end, placed_at
    from (
      select n, area, state, placed_at,
        case when state in ('cancelled', 'failed') then null
          else (array[250, 250, 350, 250, 450, 250, 750, 250, 1250, 250, 350, 250, 2750, 250, 0, 6250])[1 + ${mixed(31, 16)}]
            + case when state in ('refunded', 'part_refunded') then 200 else 0 end end as charged
      from (
        select n, ${mixed(7_919, orderAreas)} as area,
          case when n % 1009 = 0 then 'due' when n % 211 = 0 then 'refunded' when n % 401 = 0 then 'part_refunded'
            when n % 47 = 0 then 'cancelled' when n % 997 = 0 then 'failed' else 'paid' end as state,
          date_trunc('milliseconds', now() - interval '365 days' * (1 - n::float8 / ${count})) as placed_at
        from generate_series(1, ${count}) n
      ) a
    ) b`)
  for (const { definition } of indexes) await run(definition)
  await run(`set session_replication_role = origin`)
  await run(`vacuum (analyze) ride_order, rider, service_area`)
}
