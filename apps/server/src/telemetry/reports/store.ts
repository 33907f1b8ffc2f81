import { sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { SoundReport } from './rules.ts'

export type ReportRow = {
  readonly vehicleId: number
  /** What the protocol calls the message, e.g. `D0`. */
  readonly kind: string
  /** CRC-32 of the frame as a signed number. */
  readonly frameCrc: number
  readonly commanded: boolean
  readonly sound: SoundReport
}

/** What makes two reports the same. */
export function reportKey(row: { vehicleId: number; occurredAt: number; frameCrc: number }): string {
  return `${row.vehicleId} ${row.occurredAt} ${row.frameCrc}`
}

/**
 * Adds reports to the history in one statement, under the tenant and area that the vehicle has now. Returns the keys
 * of those that were not there before.
 */
export async function insertReports(tx: Tx, reports: readonly ReportRow[]): Promise<Set<string>> {
  const rows = unnest<ReportRow>({
    rows: reports,
    alias: 'r',
    columns: {
      vehicle_id: ['bigint', (row) => row.vehicleId],
      occurred_at: ['timestamptz', (row) => row.sound.occurredAt],
      frame_crc: ['integer', (row) => row.frameCrc],
      received_at: ['timestamptz', (row) => row.sound.receivedAt],
      kind: ['text', (row) => row.kind],
      lat: ['float8', (row) => row.sound.position?.lat ?? null],
      lng: ['float8', (row) => row.sound.position?.lng ?? null],
      fix: ['boolean', (row) => row.sound.position?.fix ?? null],
      speed_kmh: ['real', (row) => row.sound.position?.speedKmh ?? null],
      heading_deg: ['real', (row) => row.sound.position?.headingDeg ?? null],
      altitude_m: ['real', (row) => row.sound.position?.altitudeM ?? null],
      battery_percent: ['real', (row) => row.sound.batteryPercent],
      voltage_v: ['real', (row) => row.sound.voltageV],
      locked: ['boolean', (row) => row.sound.locked],
      charging: ['boolean', (row) => row.sound.charging],
      signal: ['integer', (row) => row.sound.signal],
      odometer_m: ['bigint', (row) => row.sound.odometerM],
      alarms: ['text', (row) => row.sound.alarms.join(',')],
    },
  })
  // In one order everywhere, so that two gateways with the same frames do not wait for each other in a ring.
  const { rows: fresh } = await sql<{ vehicle_id: number; occurred_at: Date; frame_crc: number }>`
    insert into device_report (
      vehicle_id, agent_id, area_id, occurred_at, frame_crc, received_at, kind, lat, lng, fix, speed_kmh, heading_deg,
      altitude_m, battery_percent, voltage_v, locked, charging, signal, odometer_m, alarms)
    select
      r.vehicle_id, v.agent_id, v.area_id, r.occurred_at, r.frame_crc, r.received_at, r.kind, r.lat, r.lng, r.fix,
      r.speed_kmh, r.heading_deg, r.altitude_m, r.battery_percent, r.voltage_v, r.locked, r.charging, r.signal,
      r.odometer_m, string_to_array(r.alarms, ',')
    from ${rows} join vehicle v on v.id = r.vehicle_id
    order by r.vehicle_id, r.occurred_at, r.frame_crc
    on conflict do nothing
    returning vehicle_id, occurred_at, frame_crc`.execute(tx)
  return new Set(
    fresh.map((row) =>
      reportKey({ vehicleId: row.vehicle_id, occurredAt: row.occurred_at.getTime(), frameCrc: row.frame_crc }),
    ),
  )
}

const dayMs = 24 * 3_600_000
const daysBack = 7
const daysAhead = 2

/** Makes the daily partitions that reports of the days around `nowMs` go to. */
export async function ensureReportDays(tx: Tx, nowMs: number): Promise<void> {
  const day = (offset: number): string => new Date(nowMs + offset * dayMs).toISOString().slice(0, 10)
  await sql`select ensure_device_report_days(${day(-daysBack)}::date, ${day(daysAhead)}::date)`.execute(tx)
}
