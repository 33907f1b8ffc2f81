import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { fleetTopics, type AlarmMessage, type VehicleNow } from '../messages.ts'
import { applyReport, type VehicleReport } from './rules.ts'
import { lockKnown, saveAlarms, saveChanges, saveStatus, type AlarmOfVehicle, type ChangeOfVehicle } from './store.ts'

export type Reports = {
  /**
   * Brings status, state, events and alarms of the vehicles up to date in the caller's transaction, and publishes what
   * changed after its commit. Reports of vehicles that are gone are left out.
   */
  apply(tx: Tx, reports: readonly VehicleReport[]): Promise<void>
}

export function createReports(kit: Pick<Kit, 'db' | 'clock' | 'bus' | 'log'>): Reports {
  return {
    async apply(tx, reports) {
      const byVehicle = Map.groupBy(reports, (report) => report.vehicleId)
      const known = await lockKnown(tx, [...byVehicle.keys()])
      const vehicles: VehicleNow[] = []
      const changes: ChangeOfVehicle[] = []
      const alarms: AlarmOfVehicle[] = []
      for (const [vehicleId, own] of byVehicle) {
        const start = known.get(vehicleId)
        if (start === undefined) continue
        let { now } = start
        const steps: ChangeOfVehicle['change'][] = []
        for (const report of own.toSorted((a, b) => a.occurredAt - b.occurredAt)) {
          const commanded = report.commanded || start.unlockCommanded
          const effect = applyReport(now, { ...report, commanded })
          now = { ...effect.now, version: start.now.version + 1 }
          steps.push(...effect.changes)
          alarms.push(...effect.alarms.map((alarm) => ({ now, alarm })))
          if (effect.alarmsRefused > 0) kit.log.warn({ vehicleId }, 'a vehicle has too many open alarms')
        }
        vehicles.push(now)
        const final = now
        changes.push(...steps.map((change) => ({ now: final, change })))
      }
      if (vehicles.length === 0) return
      await saveStatus(tx, vehicles)
      await saveChanges(tx, changes, kit.clock.now())
      await saveAlarms(tx, alarms)
      publish({ kit, tx, vehicles, alarms })
    },
  }
}

function publish(options: {
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
