import { sql, type RawBuilder } from 'kysely'
import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { settingOf } from '@saddle/contract/settings/registry.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { readSettingEverywhere } from '#settings/public.ts'
import { publishAlarms } from '../reports/apply.ts'
import type { StateChange } from '../reports/rules.ts'
import {
  lockKnown,
  saveChanges,
  saveStatus,
  lockWhere,
  statusOf,
  type ChangeOfVehicle,
  type Status,
} from '../reports/store.ts'
import { isContactable, stateAfter, type VehicleEvent } from '../states/rules.ts'

type Parts = Pick<Kit, 'db' | 'clock' | 'bus'>

/** What work on a vehicle does to its state; `to` says which way where an event leads both ways. */
export type Turn = { readonly vehicleId: number; readonly event: VehicleEvent; readonly to: VehicleState }

/** Vehicles of one transaction. */
const batteryBatch = 500

/**
 * Turns states of vehicles because of work on them, in the caller's transaction; returns the vehicles that turned. One
 * whose state has no such step stays what it is: work is done on silent and on reserved vehicles, too.
 */
export async function turnVehicles(kit: Parts, tx: Tx, turns: readonly Turn[]): Promise<number[]> {
  if (turns.length === 0) return []
  const known = await lockKnown(
    tx,
    turns.map(({ vehicleId }) => vehicleId),
  )
  const found = turns.flatMap((turn) => {
    const status = known.get(turn.vehicleId)
    return status === undefined ? [] : [{ status, ...turn }]
  })
  return save({ kit, tx, cause: 'operator', turns: found })
}

/**
 * Takes vehicles off hire whose battery is too low to ride, and puts those back that were taken off for it and are
 * charged again; a batch of them a turn. Returns how many turned.
 */
export async function turnByBattery(kit: Parts): Promise<number> {
  return kit.db.system(async (tx) => {
    const out = await thresholdOf(tx, 'battery_out_percent')
    const back = await thresholdOf(tx, 'battery_back_percent')
    const condition = sql<boolean>`((v.state = 'available' and s.battery_percent < ${out}) or (
      v.state = 'non_operational' and s.battery_percent >= ${back} and (
        select e.event from vehicle_event e
        where e.vehicle_id = v.id and e.to_state = 'non_operational' and e.event not in ('comms_restored', 'located')
        order by e.occurred_at desc, e.id desc limit 1
      ) = 'battery_low'))`
    const rows = await lockWhere(tx, { condition, limit: batteryBatch })
    const turns = rows.map((row) => {
      const status = statusOf(row)
      const { vehicleId, state } = status.now
      return state === 'available'
        ? { status, vehicleId, event: 'battery_low' as const, to: 'non_operational' as const }
        : { status, vehicleId, event: 'battery_charged' as const, to: 'available' as const }
    })
    return (await save({ kit, tx, cause: 'clock', turns })).length
  })
}

const areaRow = rowOf('service_area', 'a', ['id', 'agent_id'])

/** The percentage that counts in the vehicle's area; one number for all where nobody has chosen another. */
export async function thresholdOf(
  tx: Tx,
  code: 'battery_out_percent' | 'battery_back_percent',
): Promise<RawBuilder<number>> {
  const usual = settingOf(code).usual as number
  const { of, chosen } = await readSettingEverywhere(tx, code)
  if (chosen.length === 0) return sql<number>`${usual}::integer`
  const { rows } = await areaRow.select`from service_area a`.execute(tx)
  const others = rows
    .map(({ id, agent_id: agentId }) => ({ id, percent: of({ agentId, areaId: id }) }))
    .filter(({ percent }) => percent !== usual)
  const [ids, percents] = [others.map(({ id }) => id), others.map(({ percent }) => percent)]
  return sql<number>`coalesce((
    select c.percent from unnest(${ids}::bigint[], ${percents}::integer[]) c (area_id, percent)
    where c.area_id = v.area_id), ${usual}::integer)`
}

async function save(options: {
  kit: Parts
  tx: Tx
  cause: StateChange['cause']
  turns: readonly (Turn & { readonly status: Status })[]
}): Promise<number[]> {
  const { kit, tx, cause, turns } = options
  const nowMs = kit.clock.now()
  const silent: Status[] = []
  const changes = turns.flatMap(({ status, event, to }): (ChangeOfVehicle & Status)[] => {
    const { now: known, told, batteryVersion } = status
    const version = known.version + 1
    if (known.stateBefore !== null && isContactable(to)) {
      // No reports arrive now: the new state is the one that it returns to when it reports again.
      if (stateAfter({ from: known.stateBefore, event, to }) !== null)
        silent.push({ now: { ...known, version, stateBefore: to }, told, batteryVersion })
      return []
    }
    if (stateAfter({ from: known.state, event, to }) === null) return []
    const now = { ...known, version, state: to, stateBefore: null }
    return [{ now, told, batteryVersion, change: { event, from: known.state, to, cause, occurredAt: nowMs } }]
  })
  const turned = [...changes, ...silent]
  if (turned.length === 0) return []
  await saveStatus(tx, turned)
  for (const { now } of silent)
    await sql`update vehicle set state_before = ${now.stateBefore} where id = ${now.vehicleId}`.execute(tx)
  await saveChanges(tx, changes, nowMs)
  publishAlarms({ kit, tx, vehicles: turned.map(({ now }) => now), alarms: [] })
  return turned.map(({ now }) => now.vehicleId)
}
