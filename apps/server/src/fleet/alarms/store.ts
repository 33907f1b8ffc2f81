import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { VehicleNow } from '../messages.ts'
import type { AlarmChange } from './rules.ts'
import { tellAlarms } from './tellAlarms.ts'

export type AlarmOfVehicle = {
  readonly now: Pick<VehicleNow, 'vehicleId' | 'agentId' | 'areaId'>
  readonly alarm: AlarmChange
}

/** One alarm from its opening to its closing, as far as a batch tells it. */
type Stretch = {
  readonly now: AlarmOfVehicle['now']
  readonly kind: string
  /** Null: it was open before. */
  readonly openedAt: number | null
  lastAt: number
  times: number
  closedAt: number | null
}

/** Puts the changes of a batch together, so that each alarm is written once. Of one vehicle they come in their order. */
export function stretchesOf(alarms: readonly AlarmOfVehicle[]): Stretch[] {
  const found: Stretch[] = []
  const open = new Map<string, Stretch>()
  for (const { now, alarm } of alarms) {
    const { kind, at, change } = alarm
    const key = `${now.vehicleId} ${kind}`
    let stretch = change === 'open' ? undefined : open.get(key)
    if (stretch === undefined) {
      stretch = { now, kind, openedAt: change === 'open' ? at : null, lastAt: at, times: 0, closedAt: null }
      open.set(key, stretch)
      found.push(stretch)
    }
    if (change === 'close') {
      stretch.closedAt = at
      open.delete(key)
    } else {
      stretch.times += 1
      stretch.lastAt = Math.max(stretch.lastAt, at)
    }
  }
  return found
}

const openedRow = rowOf('vehicle_alarm', ['id', 'agent_id', 'kind'])

/** Opens, repeats and closes alarms of vehicles that the transaction has locked: two statements for any number. */
export async function saveAlarms(tx: Tx, alarms: readonly AlarmOfVehicle[]): Promise<void> {
  if (alarms.length === 0) return
  const stretches = stretchesOf(alarms)
  // The old one closes before the next one of its kind opens.
  const known = stretches.filter(({ openedAt }) => openedAt === null)
  if (known.length > 0) {
    await sql`
      update vehicle_alarm a set
        last_at = case when r.times > 0 then greatest(a.last_at, r.last_at) else a.last_at end,
        times = a.times + r.times,
        closed_at = case when r.closed_at is not null then greatest(r.closed_at, a.opened_at) end
      from ${columns(known)}
      where a.vehicle_id = r.vehicle_id and a.kind = r.kind and a.closed_at is null`.execute(tx)
  }
  const fresh = stretches.filter(({ openedAt }) => openedAt !== null)
  if (fresh.length > 0) {
    const { rows } = await openedRow.returning`
      insert into vehicle_alarm (vehicle_id, agent_id, area_id, kind, opened_at, last_at, times, closed_at)
      select r.vehicle_id, r.agent_id, r.area_id, r.kind, r.opened_at, r.last_at, r.times, r.closed_at
      from ${columns(fresh)}
      on conflict (vehicle_id, kind) where closed_at is null do nothing`.execute(tx)
    if (rows.length > 0) await tellAlarms(tx, rows)
  }
}

function columns(rows: readonly Stretch[]) {
  return unnest<Stretch>({
    rows,
    alias: 'r',
    columns: {
      vehicle_id: ['bigint', ({ now }) => now.vehicleId],
      agent_id: ['bigint', ({ now }) => now.agentId],
      area_id: ['bigint', ({ now }) => now.areaId],
      kind: ['text', ({ kind }) => kind],
      opened_at: ['timestamptz', ({ openedAt }) => openedAt],
      last_at: ['timestamptz', ({ lastAt }) => lastAt],
      times: ['integer', ({ times }) => times],
      closed_at: ['timestamptz', ({ closedAt }) => closedAt],
    },
  })
}
