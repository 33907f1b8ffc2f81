import {
  gatewayGoneAfterMs,
  type Device,
  type deviceEndpoints,
  type DeviceValidity,
  type GatewayHealth,
} from '@saddle/contract/fleet/devices.ts'
import { deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { hourMs } from '@saddle/contract/time.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { vehicleState } from '../vehicles/now.ts'
import { monitoringOf } from './monitoring.ts'
import { isImei } from './rules.ts'
import {
  selectDevice,
  selectGateways,
  selectHours,
  selectMonitoring,
  selectRegistered,
  type GatewayRow,
  type RegisteredRow,
} from './store.ts'
import { isHeard } from '../states/counted.ts'

/** The devices of vehicles: one of them, all of them in figures, and the gateways that they speak to. */
export function createDeviceHandlers(kit: Pick<Kit, 'db' | 'clock'>): Handlers<typeof deviceEndpoints> {
  /** By number first: a number may look like an IMEI, an IMEI never like a number that was given away. */
  const findByCode = async (call: SessionCall, code: string): Promise<RegisteredRow | undefined> => {
    const rows = await kit.db.read(call.scope, (k) => selectRegistered({ code, scope: call.scope }).compile(k))
    return rows.find((row) => row.number === code.toUpperCase()) ?? rows[0]
  }
  return {
    deviceInfo: async ({ hours, ...by }, call) => {
      const { scope } = call
      const [row] = await kit.db.read(scope, (k) => selectDevice({ by, scope }).compile(k))
      if (row === undefined) throw new AppError('vehicle_not_found')
      const nowMs = kit.clock.now()
      const series = await hoursOf({ kit, scope, vehicleId: row.vehicle_id, hours, nowMs })
      const heardAt = row.heard_at?.getTime() ?? null
      const isPlaced = row.lat !== null && row.lng !== null && row.position_at !== null
      return {
        suc: true,
        data: {
          vehicleId: row.vehicle_id,
          number: row.number,
          imei: row.imei,
          protocol: protocolOf(row.protocol),
          profile: row.profile,
          firmware: row.firmware,
          online: isHeard(heardAt, row.offline_minutes, nowMs),
          heardAt,
          signal: row.signal,
          batteryPercent: row.battery_percent,
          voltageV: row.voltage_v,
          charging: row.charging,
          locked: row.locked,
          odometerM: row.odometer_m,
          position: isPlaced ? { lat: row.lat ?? 0, lng: row.lng ?? 0, at: row.position_at?.getTime() ?? 0 } : null,
          hours: series,
        },
      }
    },

    checkDevice: async ({ code }, call) => {
      const row = await findByCode(call, code)
      if (row !== undefined) {
        const vehicle = { id: row.id, number: row.number, imei: row.imei }
        return { suc: true, data: { validity: 'registered', vehicle } }
      }
      const validity: DeviceValidity = isImei(code) || /^[A-Z0-9]{4,20}$/i.test(code) ? 'unknown' : 'malformed'
      // Fifteen digits can only be an IMEI: with a wrong check digit it is a slip of the pen.
      const isSlip = /^\d{15}$/.test(code) && !isImei(code)
      return { suc: true, data: { validity: isSlip ? 'malformed' : validity, vehicle: null } }
    },

    carInfo: async ({ code }, call) => {
      const row = await findByCode(call, code)
      if (row === undefined) throw new AppError('vehicle_not_found')
      return {
        suc: true,
        data: {
          id: row.id,
          number: row.number,
          imei: row.imei,
          model: row.model,
          protocol: protocolOf(row.protocol),
          firmware: row.firmware,
          agentId: row.agent_id,
          company: row.company,
          areaId: row.area_id,
          areaName: row.area_name,
          state: vehicleState(row.state),
          createdAt: row.created_at.getTime(),
        },
      }
    },

    monitorDevices: async (_, { scope }) => {
      const nowMs = kit.clock.now()
      const rows = await kit.db.read(scope, (k) => selectMonitoring({ scope, nowMs }).compile(k))
      return { suc: true, data: monitoringOf(rows) }
    },

    monitorGateways: async () => {
      const nowMs = kit.clock.now()
      // Listeners are the platform's own: nothing in these rows belongs to a tenant.
      const rows = await kit.db.systemRead((k) => selectGateways(k).compile())
      return {
        suc: true,
        data: {
          list: rows.map((row) => gatewayOf(row, nowMs)),
        },
      }
    },
  }
}

/** What the device said in each of the last hours; silent hours are there with zeros. */
async function hoursOf(options: {
  kit: Pick<Kit, 'db'>
  scope: Scope
  vehicleId: number
  hours: number
  nowMs: number
}): Promise<Device['hours']> {
  const { kit, scope, vehicleId, hours, nowMs } = options
  const fromMs = Math.floor(nowMs / hourMs) * hourMs - (hours - 1) * hourMs
  const told = await kit.db.read(scope, (k) =>
    selectHours({ vehicleId, from: new Date(fromMs), to: new Date(nowMs), scope }).compile(k),
  )
  const byHour = new Map(told.map((hour) => [hour.at.getTime(), hour]))
  return Array.from({ length: hours }, (_, index) => {
    const at = fromMs + index * hourMs
    const hour = byHour.get(at)
    return {
      at,
      reports: hour?.reports ?? 0,
      batteryPercent: hour?.battery ?? null,
      signal: hour?.signal ?? null,
      voltageV: hour?.voltage ?? null,
    }
  })
}

function gatewayOf(row: GatewayRow, nowMs: number): GatewayHealth {
  const seenAt = row.seen_at.getTime()
  return {
    node: row.node,
    protocol: protocolOf(row.protocol),
    startedAt: row.started_at.getTime(),
    seenAt,
    alive: nowMs - seenAt <= gatewayGoneAfterMs,
    sessions: row.sessions,
    reports: row.reports,
    reportsPerSecond: row.reports_per_second,
    rejected: row.rejected,
    waiting: row.waiting,
  }
}

function protocolOf(text: string): DeviceProtocol {
  const protocol = deviceProtocols.find((known) => known === text)
  if (protocol === undefined) throw new RangeError(`unknown protocol ${text}`)
  return protocol
}
