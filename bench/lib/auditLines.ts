import type { Client } from 'pg'

/** The companies, people and vehicles that the records name. */
export interface AuditWorld {
  readonly lines: number
  readonly companies: number
  readonly people: number
  readonly vehicles: number
}

export const firstCompany = 1_000
export const yearStartMs = Date.UTC(2025, 10, 21)
const yearSeconds = 365 * 24 * 3_600

/** Companies, people and vehicles whom lines name; ids count up from `firstCompany`, 1 and 1. */
export async function fillWorld(client: Client, { companies, people, vehicles }: AuditWorld): Promise<void> {
  await client.query(`set session_replication_role = replica`)
  await client.query(`
    insert into agent (id, parent_id, company)
    select ${firstCompany} + n, case when n = 0 then null else ${firstCompany} end, 'Company ' || n
    from generate_series(0, ${companies - 1}) n`)
  await client.query(`
    insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring)
    select n + 1, ${firstCompany} + n, 'Area ' || n, 31, 120, '[[120,31],[121,31],[121,32],[120,31]]'
    from generate_series(0, ${companies - 1}) n`)
  await client.query(`
    insert into operator (id, agent_id, op_man_id, phone_hash, phone_sealed, name, level)
    select n, ${firstCompany} + n % ${companies}, lpad(to_hex(n), 24, '0'), 'hash ' || n, 'sealed', 'Person ' || n, 2
    from generate_series(1, ${people}) n`)
  await client.query(`
    insert into vehicle (id, agent_id, area_id, number, model, protocol, state, state_changed_at, created_at)
    overriding system value
    select n, ${firstCompany} + n % ${companies}, 1 + n % ${companies}, 'SD' || lpad(n::text, 7, '0'), 'SD-E2', 'omni',
      'available', now(), now()
    from generate_series(1, ${vehicles}) n`)
  await client.query(`
    insert into device (vehicle_id, agent_id, area_id, imei)
    select id, agent_id, area_id, '86' || lpad(id::text, 13, '0') from vehicle`)
}

/**
 * A year of lines in the order of time: a fifth of them the first company's, the others' by size; people and vehicles by
 * how busy they are; one line in two hundred is a command to fifty vehicles. Triggers are disabled and
 * hashes are placeholders: the benchmark measures searching, not chaining.
 */
export async function fillLines(client: Client, world: AuditWorld): Promise<void> {
  const { lines, companies, people, vehicles } = world
  await client.query(`set session_replication_role = replica`)
  await client.query(`set max_parallel_maintenance_workers = 2`)
  await client.query(`set maintenance_work_mem = '512MB'`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'audit_record'::regclass and not indisprimary`)
  await client.query('alter table audit_record drop constraint audit_record_agent_id_sequence_key')
  for (const { name } of indexes) await client.query(`drop index if exists ${name}`)
  const part = 500_000
  for (let from = 1; from <= lines; from += part) {
    const to = Math.min(lines, from + part - 1)
    await client.query(`
      insert into audit_record (id, agent_id, sequence, at, operator_id, action, subject_kind, subject_id, before, after,
        address, request_id, prev_hash, hash, area_id)
      overriding system value
      select n, ${firstCompany} + company, n, to_timestamp(${yearStartMs / 1_000} + n::float8 * ${yearSeconds} / ${lines}),
        case when dice % 50 = 0 then null else 1 + floor(power(c, 2) * ${people}) end,
        'act.kind_' || floor(power(d, 2) * 40),
        (array['vehicle', 'vehicle', 'vehicle', 'operator', 'session', 'role', 'command_batch'])[1 + dice % 7],
        (1 + floor(power(e, 1.5) * ${vehicles}))::text,
        case when dice % 4 = 0 then '{"state": "enabled", "name": "before"}'::jsonb end,
        jsonb_build_object('reason', 'a reason that somebody typed', 'number', 'SD' || n),
        '10.0.' || dice % 200 || '.7', 'request-' || n, sha256(int8send(n - 1)), sha256(int8send(n)),
        case when dice % 3 = 0 then null else 1 + company end
      from (
        select n, (hashint8(n)::bigint + 2147483648) as dice,
          case when a < 0.2 then 0 else floor(power((a - 0.2) / 0.8, 2) * ${companies})::integer end as company, c, d, e
        from (
          select n, part(n, 1) as a, part(n, 2) as c, part(n, 3) as d, part(n, 4) as e
          from generate_series(${from}::bigint, ${to}::bigint) n
        ) parts
      ) dice`)
  }
  await client.query(`
    insert into audit_mention (line_id, agent_id, subject_kind, subject_id, at)
    select line.id, line.agent_id, 'vehicle', 1 + (line.id * 31 + other) % ${vehicles}, line.at
    from audit_record line, generate_series(1, 50) other where line.id % 200 = 0
    on conflict do nothing`)
  for (const { definition } of indexes) await client.query(definition)
  await client.query(`select setval(pg_get_serial_sequence('audit_record', 'id'), ${lines})`)
  await client.query('vacuum analyze')
}

/** Numbers from 0 to 1 that depend on a line and a purpose alone. */
export const diceFunction = `
  create function part(n bigint, purpose integer) returns float8 language sql immutable parallel safe
  return (hashint8extended(n, purpose) & 1048575) / 1048576.0::float8`
