import { sql } from 'kysely'
import { voltageLimits } from '@saddle/contract/production/voltageWords.ts'
import { columnTable } from '#kit/db/columnTable.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { createVehicleLimits, schemeOf, type VehicleLimits } from '#fleet/public.ts'
import { replayVehicle, type ReplayedReading, type ReplayOfVehicle, type StoredReading } from './replayRules.ts'
import {
  countFollowers,
  lockNextReplay,
  selectFollowers,
  selectReadings,
  selectVersion,
  type ReadingRow,
  type ReplayRow,
  type VersionRow,
} from './store.ts'

/** Vehicles of one transaction, and transactions of one turn of the job. */
const vehiclesPerStep = 10
const stepsPerTurn = 200

interface Result extends ReplayOfVehicle {
  readonly versionId: number
  readonly vehicleId: number
  readonly agentId: number
  readonly areaId: number
}

const resultTable = columnTable<Result>()('voltage_replay_vehicle', {
  version_id: ['bigint', (row) => row.versionId],
  vehicle_id: ['bigint', (row) => row.vehicleId],
  agent_id: ['bigint', (row) => row.agentId],
  area_id: ['bigint', (row) => row.areaId],
  readings: ['integer', (row) => row.readings],
  changed: ['integer', (row) => row.changed],
  mean_difference: ['real', (row) => row.meanDifference],
  max_difference: ['real', (row) => row.maxDifference],
  alarms_shown: ['integer', (row) => row.alarmsShown],
  alarms_replayed: ['integer', (row) => row.alarmsReplayed],
  last_shown: ['real', (row) => row.lastShown],
  last_replayed: ['real', (row) => row.lastReplayed],
})

const readingOf = (row: ReadingRow): StoredReading => ({
  occurredAt: row.occurred_at.getTime(),
  receivedAt: row.received_at.getTime(),
  voltageV: row.voltage_v,
  shown: row.battery_percent,
  said: row.said_percent ?? (row.battery_version === null ? row.battery_percent : null),
  locked: row.locked,
  charging: row.charging,
  alarms: row.alarms,
})

/** What is replayed of one vehicle: the reports of the span, and a day before it. */
const spanOf = (replay: Pick<ReplayRow, 'from_at' | 'until_at'>, vehicleId: number) => ({
  vehicleId,
  from: new Date(replay.from_at.getTime() - voltageLimits.warmUpMs),
  until: replay.until_at,
})

/** The replay of one vehicle, point by point. */
export async function replayTrack(
  kit: Pick<Kit, 'db'>,
  {
    replay,
    version,
    vehicleId,
  }: { readonly replay: ReplayRow; readonly version: VersionRow; readonly vehicleId: number },
): Promise<readonly ReplayedReading[]> {
  const rows = await kit.db.systemRead((k) => selectReadings(spanOf(replay, vehicleId)).compile(k))
  const terms = { scheme: schemeOf(version), fromMs: replay.from_at.getTime() }
  return replayVehicle(rows.map(readingOf), terms).track
}

/** Goes on with replays that are not over. Safe on several workers: each takes another one. */
export async function workReplays(kit: Pick<Kit, 'db' | 'clock' | 'log'>): Promise<void> {
  const limitsIn = createVehicleLimits(kit)
  for (let step = 0; step < stepsPerTurn; step += 1) {
    let at: number | null = null
    try {
      at = await kit.db.system((tx) => replayStep(tx, limitsIn))
    } catch (err) {
      kit.log.error({ err }, 'a replay of a voltage scheme failed')
      await kit.db.system(async (tx) => {
        const next = await lockNextReplay(tx)
        if (next !== undefined) await setState(tx, next, 'failed')
      })
      return
    }
    if (at === null) return
  }
}

const setState = (tx: Tx, { version_id: id }: ReplayRow, state: ReplayRow['state']): Promise<unknown> =>
  sql`update voltage_replay set state = ${state} where version_id = ${id}`.execute(tx)

/** Replays some vehicles; null when there is nothing left to do. */
async function replayStep(tx: Tx, limitsIn: (tx: Tx) => Promise<VehicleLimits>): Promise<number | null> {
  const replay = await lockNextReplay(tx)
  if (replay === undefined) return null
  const id = replay.version_id
  const [version] = (await selectVersion(id).execute(tx)).rows
  // Whoever changes a draft starts its replay again.
  if (version === undefined || version.revision !== replay.revision) {
    await setState(tx, replay, 'failed')
    return id
  }
  if (replay.state === 'waiting') {
    const [counted] = (await countFollowers(version.models).execute(tx)).rows
    await sql`update voltage_replay set state = 'running', vehicles = ${counted?.count ?? 0} where version_id = ${id}`.execute(
      tx,
    )
  }
  const { rows } = await selectFollowers(version.models, { afterId: replay.after_id, limit: vehiclesPerStep }).execute(
    tx,
  )
  const terms = { scheme: schemeOf(version), fromMs: replay.from_at.getTime() }
  const limits = await limitsIn(tx)
  const results: Result[] = []
  for (const vehicle of rows) {
    const readings = (await selectReadings(spanOf(replay, vehicle.id)).execute(tx)).rows
    const { lowBatteryBelow } = limits.of(vehicle.agent_id)
    const { result } = replayVehicle(readings.map(readingOf), { ...terms, lowBatteryBelow })
    if (result === null) continue
    results.push({
      versionId: id,
      vehicleId: vehicle.id,
      agentId: vehicle.agent_id,
      areaId: vehicle.area_id,
      ...result,
    })
  }
  if (results.length > 0) await resultTable.insert(results).execute(tx)
  const last = rows.at(-1)
  if (last === undefined) await setState(tx, replay, 'done')
  else {
    await sql`
      update voltage_replay set after_id = ${last.id}, done = done + ${rows.length} where version_id = ${id}`.execute(
      tx,
    )
  }
  return id
}
