import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { saveAlarms, type AlarmOfVehicle } from '../alarms/store.ts'
import { createZones } from '../alarms/zones.ts'
import { fleetTopics, type AlarmMessage, type VehicleNow } from '../messages.ts'
import { createSchemes } from '../batteries/inForce.ts'
import { createVehicleLimits, usualVehicleLimits } from '../states/limits.ts'
import { judgeReadings, type JudgeReadings } from '../batteries/judge.ts'
import { withoutCovered } from './collapse.ts'
import { applyReport, factTime, type VehicleReport } from './rules.ts'
import { lockKnown, saveChanges, saveStatus, type ChangeOfVehicle, type Known, type Status } from './store.ts'

/** Vehicles as they are known, locked until the end of the transaction: their tenant and area stay what they are. */
export type LockedVehicles = ReadonlyMap<number, Known>

export type Reports = {
  /** Locks these vehicles in the caller's transaction; those that are gone are missing from the answer. */
  lock(tx: Tx, vehicleIds: readonly number[]): Promise<LockedVehicles>
  /** Percentages that follow from the voltage, of the readings for which that is not what the device said. */
  judge: JudgeReadings
  /**
   * Brings status, state, events and alarms of locked vehicles up to date, and publishes what changed after the commit.
   * Reports of vehicles that are not locked are left out.
   */
  apply(tx: Tx, locked: LockedVehicles, reports: readonly VehicleReport[]): Promise<void>
  /** The shortest time after which a vehicle counts as offline, as of the latest batch. */
  leastOfflineAfterMs(): number
}

export function createReports(kit: Pick<Kit, 'db' | 'clock' | 'bus' | 'log'>): Reports {
  const rings = createZones(kit)
  const schemes = createSchemes(kit)
  const limitsIn = createVehicleLimits(kit)
  let latest = usualVehicleLimits
  return {
    leastOfflineAfterMs: () => latest.leastOfflineAfterMs,
    lock: (tx, vehicleIds) => lockKnown(tx, vehicleIds),
    judge: (tx, locked, readings) => judgeReadings(tx, { schemes, locked }, readings),
    async apply(tx, locked, reports) {
      const zones = await rings.current(
        tx,
        locked.values().map(({ now }) => now.areaId),
      )
      const limits = await limitsIn(tx)
      latest = limits
      const statuses: Status[] = []
      const changes: ChangeOfVehicle[] = []
      const alarms: AlarmOfVehicle[] = []
      for (const [vehicleId, own] of Map.groupBy(reports, (report) => report.vehicleId)) {
        const start = locked.get(vehicleId)
        if (start === undefined) continue
        let { now, told, batteryVersion } = start
        const { lowBatteryBelow } = limits.of(now.agentId)
        const steps: ChangeOfVehicle['change'][] = []
        const inOrder = own.sort((a, b) => a.occurredAt - b.occurredAt)
        for (const report of withoutCovered(inOrder, { areaId: now.areaId, zones, lowBatteryBelow })) {
          const commanded = !start.unlockForRide && (report.commanded || start.unlockCommanded)
          if (report.batteryPercent !== null && report.occurredAt >= factTime(now, told, 'batteryPercent'))
            batteryVersion = report.batteryVersion ?? null
          const effect = applyReport({ now, told, lowBatteryBelow }, { ...report, commanded }, zones)
          now = { ...effect.now, version: start.now.version + 1 }
          told = effect.told
          steps.push(...effect.changes)
          for (const alarm of effect.alarms) alarms.push({ now, alarm })
          if (effect.alarmsRefused > 0) kit.log.warn({ vehicleId }, 'a vehicle has too many open alarms')
        }
        statuses.push({ now, told, batteryVersion })
        for (const change of steps) changes.push({ now, change })
      }
      if (statuses.length === 0) return
      await saveStatus(tx, statuses)
      await saveChanges(tx, changes, kit.clock.now())
      await saveAlarms(tx, alarms)
      publishAlarms({ kit, tx, vehicles: statuses.map(({ now }) => now), alarms })
    },
  }
}

/** Tells after the commit which vehicles changed and which alarms opened or closed. */
export function publishAlarms(options: {
  kit: Pick<Kit, 'db' | 'bus'>
  tx: Tx
  vehicles: readonly VehicleNow[]
  alarms: readonly AlarmOfVehicle[]
}): void {
  const { kit, tx, vehicles, alarms } = options
  const turned = alarms
    .filter(({ alarm }) => alarm.change !== 'again')
    .map(({ now, alarm }): AlarmMessage => ({
      vehicleId: now.vehicleId,
      agentId: now.agentId,
      areaId: now.areaId,
      kind: alarm.kind,
      open: alarm.change === 'open',
    }))
  kit.db.afterCommit(tx, () => {
    kit.bus.publish(fleetTopics.vehicle, vehicles)
    if (turned.length > 0) kit.bus.publish(fleetTopics.alarm, turned)
  })
}
