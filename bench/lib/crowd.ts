import type pg from 'pg'

const areas = 300

/** Degrees north and east of the south-west corner at 31.2, 120.55. */
export type Spread = { readonly lat: number; readonly lng: number }
/** 33 by 33 km: a city. */
const wideSpread: Spread = { lat: 0.3, lng: 0.35 }

/**
 * Fills the demo's database with so many more vehicles of its three franchisees in 300 more areas. Everything is a function
 * of a vehicle's number, so every run has the same fleet; about one in thirty has an open alarm or a task.
 */
export async function addCrowd(database: pg.Client, count: number, spread: Spread = wideSpread): Promise<void> {
  const place = {
    lat: `(id * 7919 % 9973) / 9973.0 * ${spread.lat}`,
    lng: `(id * 104729 % 99991) / 99991.0 * ${spread.lng}`,
  }
  const run = (sql: string) => database.query(sql)
  // References are right by construction; checking a million of them takes longer than writing them.
  await run(`set session_replication_role = replica`)
  await run(`
    insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring, created_at)
    select 5000 + n, 3 + n % 3, 'bench ' || n, 31.2, 120.6, '[[120,31],[121,31],[121,32],[120,31]]', now()
    from generate_series(0, ${areas - 1}) n`)
  const mixed = (factor: number, modulus: number): string => `(n::bigint * ${factor} % ${modulus})`
  await run(`
    insert into vehicle (id, agent_id, area_id, number, model, protocol, state, state_changed_at, created_at, last_ride_at)
    overriding system value
    select 1000000 + n, 3 + (${mixed(7919, areas)}) % 3, 5000 + ${mixed(7919, areas)},
      'BX' || lpad((${mixed(48_271, 9_999_991)})::text, 7, '0'),
      (array['SD-E2', 'SD-E3', 'SD-S1', 'SD-S2'])[1 + n % 4], (array['omni', 'mqtt', 'jt808'])[1 + n % 3],
      (array['available', 'available', 'available', 'available', 'available', 'available', 'on_trip', 'reserved',
        'non_operational', 'non_contactable'])[1 + ${mixed(31, 10)}],
      now() - interval '1 day', now() - interval '200 days', now() - interval '1 minute' * ${mixed(104_729, 60_000)}
    from generate_series(1, ${count}) n`)
  await run(`
    insert into device (vehicle_id, agent_id, area_id, imei, firmware)
    select id, agent_id, area_id, '86' || lpad(id::text, 13, '0'), (array['1.0.3', '1.1.0', '2.0.1'])[1 + id % 3]
    from vehicle where id > 1000000`)
  await run(`
    insert into vehicle_status
      (vehicle_id, agent_id, area_id, version, lat, lng, position_at, battery_percent, locked, charging, signal,
       facts_at, heard_at)
    select id, agent_id, area_id, 1, 31.2 + ${place.lat}, 120.55 + ${place.lng}, now(), id * 7919 % 101,
      state <> 'on_trip', false, id % 32, now(), now() - interval '1 second' * (id * 17 % case when id % 9 = 0 then 90000 else 300 end)
    from vehicle where id > 1000000`)
  await run(`
    insert into vehicle_alarm (vehicle_id, agent_id, area_id, kind, opened_at, last_at)
    select id, agent_id, area_id, (array['fall', 'tamper', 'power_cut'])[1 + id % 3], now(), now()
    from vehicle where id > 1000000 and id % 61 = 0`)
  await run(`
    insert into task (vehicle_id, agent_id, area_id, kind, state, source, opened_at)
    select id, agent_id, area_id, (array['battery_swap', 'repair', 'inspect'])[1 + id % 3], 'open', 'rule', now()
    from vehicle where id > 1000000 and id % 67 = 0`)
  // Most alarms are closed by now.
  await run(`
    insert into vehicle_alarm (vehicle_id, agent_id, area_id, kind, opened_at, last_at, closed_at)
    select id, agent_id, area_id, 'fall', now() - interval '9 days', now() - interval '9 days', now() - interval '8 days'
    from vehicle where id > 1000000 and id % 7 = 0`)
  await run(`
    insert into task (vehicle_id, agent_id, area_id, kind, state, source, opened_at, done_at)
    select id, agent_id, area_id, 'repair', 'done', 'rule', now() - interval '9 days', now() - interval '8 days'
    from vehicle where id > 1000000 and id % 7 = 0`)
  await run(`set session_replication_role = origin`)
  await run(`vacuum (analyze) vehicle, device, vehicle_status, vehicle_alarm, task, service_area`)
}
