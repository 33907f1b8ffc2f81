import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { VehicleNow } from '../messages.ts'
import type { StateChange } from '../reports/rules.ts'

type Turn = { readonly now: VehicleNow; readonly change: StateChange }

const endings: ReadonlySet<string> = new Set(['trip_end', 'trip_cancel'])

/**
 * Opens and closes trips with the changes of state that begin and end them, in the same transaction, and remembers when
 * a vehicle was last ridden. Of one vehicle the changes come in their order.
 */
export async function bookTrips(tx: Tx, changes: readonly Turn[]): Promise<void> {
  const turns = changes.filter(({ change }) => change.event === 'trip_start' || endings.has(change.event))
  if (turns.length === 0) return
  // A trip that began and ended within one batch needs its opening before its closing; most batches need one round.
  for (const round of rounds(turns)) {
    await begin(
      tx,
      round.filter(({ change }) => change.event === 'trip_start'),
    )
    await finish(
      tx,
      round.filter(({ change }) => endings.has(change.event)),
    )
  }
  await sql`
    update vehicle v set last_ride_at = greatest(v.last_ride_at, r.at)
    from (select vehicle_id, max(at) as at from ${columns(turns)} group by vehicle_id) r
    where v.id = r.vehicle_id`.execute(tx)
}

/** The turns in as few rounds as hold at most one of each vehicle. */
function rounds(turns: readonly Turn[]): Turn[][] {
  const found: Turn[][] = []
  const seen = new Map<number, number>()
  for (const turn of turns) {
    const round = seen.get(turn.now.vehicleId) ?? 0
    seen.set(turn.now.vehicleId, round + 1)
    ;(found[round] ??= []).push(turn)
  }
  return found
}

function columns(turns: readonly Turn[]) {
  return unnest<Turn>({
    rows: turns,
    alias: 'r',
    columns: {
      vehicle_id: ['bigint', ({ now }) => now.vehicleId],
      agent_id: ['bigint', ({ now }) => now.agentId],
      area_id: ['bigint', ({ now }) => now.areaId],
      at: ['timestamptz', ({ change }) => change.occurredAt],
      lat: ['float8', ({ now }) => now.lat],
      lng: ['float8', ({ now }) => now.lng],
      battery: ['real', ({ now }) => now.batteryPercent],
    },
  })
}

async function begin(tx: Tx, turns: readonly Turn[]): Promise<void> {
  if (turns.length === 0) return
  await sql`
    insert into trip (vehicle_id, agent_id, area_id, started_at, start_lat, start_lng, battery_start)
    select vehicle_id, agent_id, area_id, at, lat, lng, battery from ${columns(turns)}
    on conflict (vehicle_id) where ended_at is null do nothing`.execute(tx)
}

async function finish(tx: Tx, turns: readonly Turn[]): Promise<void> {
  if (turns.length === 0) return
  await sql`
    update trip t set
      ended_at = greatest(r.at, t.started_at), end_lat = r.lat, end_lng = r.lng, battery_end = r.battery,
      duration_s = greatest(0, extract(epoch from r.at - t.started_at))::integer
    from ${columns(turns)} where t.vehicle_id = r.vehicle_id and t.ended_at is null`.execute(tx)
}
