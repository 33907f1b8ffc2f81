import { sql, type RawBuilder } from 'kysely'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { unnest } from '#kit/db/unnest.ts'
import { saveAlarms, type AlarmOfVehicle } from '../alarms/store.ts'
import { publishAlarms } from '../reports/apply.ts'
import { saveChanges, saveStatus, lockWhere, statusOf, type ChangeOfVehicle, type Status } from '../reports/store.ts'
import { heardSince } from '../states/counted.ts'
import { isContactable, stateAfter } from '../states/rules.ts'

/** A vehicle whose line broke, and when. */
export type Disconnection = { readonly vehicleId: number; readonly at: number }

/** Vehicles of one transaction: a whole city may fall silent at once. */
const loseBatch = 1_000
type Parts = Pick<Kit, 'db' | 'clock' | 'bus'>

/** Marks vehicles without reports for too long as lost, at most one batch. Returns how many. */
export function markSilentLost(kit: Parts): Promise<number> {
  return lose(kit, 'clock', sql<boolean>`coalesce(s.heard_at, v.created_at) < ${heardSince(kit.clock.now())}`)
}

/** The same for vehicles whose line broke and that have not been heard since. */
export async function markDisconnectedLost(kit: Parts, gone: readonly Disconnection[]): Promise<number> {
  if (gone.length === 0) return 0
  const columns = {
    vehicle_id: ['bigint', ({ vehicleId }: Disconnection) => vehicleId],
    at: ['timestamptz', ({ at }: Disconnection) => at],
  } as const
  let lost = 0
  for (let from = 0; from < gone.length; from += loseBatch) {
    const rows = unnest<Disconnection>({ rows: gone.slice(from, from + loseBatch), alias: 'r', columns })
    const isGone = sql<boolean>`exists (
      select from ${rows} where r.vehicle_id = s.vehicle_id and coalesce(s.heard_at, v.created_at) <= r.at)`
    lost += await lose(kit, 'device', isGone)
  }
  return lost
}

function lose(kit: Parts, cause: 'clock' | 'device', isLost: RawBuilder<boolean>): Promise<number> {
  return kit.db.system(async (tx) => {
    const condition = sql<boolean>`
      (v.state in ('available', 'reserved', 'on_trip', 'non_operational', 'elsewhere') and ${isLost})`
    const rows = await lockWhere(tx, { condition, limit: loseBatch })
    return saveLost({ kit, tx, cause, statuses: rows.map(statusOf) })
  })
}

async function saveLost(options: {
  kit: Parts
  tx: Tx
  cause: 'clock' | 'device'
  statuses: readonly Status[]
}): Promise<number> {
  const { kit, tx, cause, statuses } = options
  const nowMs = kit.clock.now()
  const lost: Status[] = []
  const changes: ChangeOfVehicle[] = []
  const alarms: AlarmOfVehicle[] = []
  for (const { now: known, told, batteryVersion } of statuses) {
    const { state: from, openAlarms } = known
    const to = stateAfter({ from, event: 'comms_lost' })
    if (to === null || !isContactable(from)) continue
    const isTold = openAlarms.includes('offline')
    const now = {
      ...known,
      version: known.version + 1,
      state: to,
      stateBefore: from,
      openAlarms: isTold ? openAlarms : [...openAlarms, 'offline'],
    }
    lost.push({ now, told, batteryVersion })
    changes.push({ now, change: { event: 'comms_lost', from, to, cause, occurredAt: nowMs } })
    if (!isTold) alarms.push({ now, alarm: { kind: 'offline', at: nowMs, change: 'open' } })
  }
  if (lost.length === 0) return 0
  await saveStatus(tx, lost)
  await saveChanges(tx, changes, nowMs)
  await saveAlarms(tx, alarms)
  publishAlarms({ kit, tx, vehicles: lost.map(({ now }) => now), alarms })
  return lost.length
}
