import {
  mapAlarms,
  vehicleStates,
  type vehicleEndpoints,
  type MapAlarm,
  type VehicleState,
} from '@saddle/contract/fleet/vehicles.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { isHeard } from '../states/counted.ts'
import { presentNear, selectNearestWork } from './nearest.ts'
import { nowOf, vehicleState } from './now.ts'
import { panelQuery, selectAlarmTally, selectTally } from './store.ts'

export function createVehicleHandlers(kit: Pick<Kit, 'db' | 'clock'>): Handlers<typeof vehicleEndpoints> {
  return {
    singleDeviceInfo: async (by, call) => {
      const [row] = await kit.db.lookup(call.scope, panelQuery({ by, scope: call.scope }))
      if (row === undefined) throw new AppError('vehicle_not_found')
      const now = nowOf(row)
      const { lat, lng, positionAt, speedKmh, headingDeg } = now
      const isPlaced = lat !== null && lng !== null && positionAt !== null
      return {
        suc: true,
        data: {
          id: now.vehicleId,
          number: row.number,
          imei: row.imei,
          model: row.model,
          protocol: row.protocol,
          agentId: now.agentId,
          company: row.company,
          areaId: now.areaId,
          areaName: row.area_name,
          state: now.state,
          online: isHeard(now.heardAt, row.offline_minutes, kit.clock.now()),
          locked: now.locked,
          charging: now.charging,
          batteryPercent: now.batteryPercent,
          lowBatteryBelow: row.low_battery_below,
          voltageV: now.voltageV,
          signal: now.signal,
          position: isPlaced ? { lat, lng, speedKmh, headingDeg, at: positionAt } : null,
          heardAt: now.heardAt,
          openAlarms: row.alarms,
          firmware: row.firmware,
          odometerM: now.odometerM,
          idleSince: now.state === 'on_trip' ? null : (row.last_ride_at ?? row.created_at).getTime(),
          openTasks: row.tasks,
        },
      }
    },

    nearestWork: async (place, { scope }) => {
      const rows = await kit.db.read(scope, (kysely) => selectNearestWork({ place, scope }).compile(kysely))
      return { suc: true, data: { list: rows.map(presentNear) } }
    },

    aggregateByType: async (_, call) => {
      const { scope } = call
      const [rows, alarms] = await Promise.all([
        kit.db.read(scope, (kysely) => selectTally({ scope, nowMs: kit.clock.now() }).compile(kysely)),
        kit.db.read(scope, (kysely) => selectAlarmTally(scope).compile(kysely)),
      ])
      const states = Object.fromEntries(vehicleStates.map((state) => [state, 0])) as Record<VehicleState, number>
      for (const row of rows) states[vehicleState(row.state)] = row.total
      const sum = (value: (row: (typeof rows)[number]) => number): number =>
        rows.reduce((total, row) => total + value(row), 0)
      return {
        suc: true,
        data: {
          total: sum((row) => row.total),
          states,
          lowBattery: sum((row) => row.low_battery),
          offline: states.non_contactable,
          openAlarms: sum((row) => row.alarms),
          alarmVehicles: Object.fromEntries(
            mapAlarms.map((alarm, at) => [alarm, alarms.find(({ place }) => place === at + 1)?.total ?? 0]),
          ) as Record<MapAlarm, number>,
        },
      }
    },
  }
}
