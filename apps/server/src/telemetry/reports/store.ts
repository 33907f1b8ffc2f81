import { sql } from 'kysely'
import { dayMs, utcDayOf } from '@saddle/contract/time.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import type { Judged } from '#fleet/public.ts'
import { columnTable } from '#kit/db/columnTable.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import type { SanitizedReport } from './rules.ts'

export type AcceptedReport = {
  readonly vehicleId: number
  /** What the protocol calls the message, e.g. `D0`. */
  readonly kind: string
  /** CRC-32 of the frame as a signed number. */
  readonly frameCrc: number
  readonly commanded: boolean
  /** It came before on this gateway and is not written again, but answered when the first one is stored. */
  readonly isRepeat: boolean
  readonly report: SanitizedReport
  /** Reports before it that said the same and are not kept. */
  readonly unchanged: number
  /**
   * Hears the state of its vehicle before it, and whether the percentage follows from the voltage, before the report is written;
   * again when the writing is tried again.
   */
  readonly onPlaced?: (state: VehicleState, isJudged: boolean) => void
}

/** A report with the tenant and the area that its vehicle has now. */
export type PlacedReport = {
  readonly row: AcceptedReport
  readonly agentId: number
  readonly areaId: number
  /** Where the percentage is not simply what the device said. */
  readonly judged?: Judged | undefined
}

/** A report as it is stored, by COPY or by INSERT. */
export const reportColumns = columnTable<PlacedReport>()('device_report', {
  vehicle_id: ['bigint', ({ row }) => row.vehicleId],
  agent_id: ['bigint', ({ agentId }) => agentId],
  area_id: ['bigint', ({ areaId }) => areaId],
  occurred_at: ['timestamptz', ({ row }) => row.report.occurredAt],
  frame_crc: ['integer', ({ row }) => row.frameCrc],
  received_at: ['timestamptz', ({ row }) => row.report.receivedAt],
  kind: ['text', ({ row }) => row.kind],
  lat: ['float8', ({ row }) => row.report.position?.lat ?? null],
  lng: ['float8', ({ row }) => row.report.position?.lng ?? null],
  fix: ['boolean', ({ row }) => row.report.position?.fix ?? null],
  speed_kmh: ['real', ({ row }) => row.report.position?.speedKmh ?? null],
  heading_deg: ['real', ({ row }) => row.report.position?.headingDeg ?? null],
  altitude_m: ['real', ({ row }) => row.report.position?.altitudeM ?? null],
  battery_percent: ['real', ({ row, judged }) => (judged === undefined ? row.report : judged).batteryPercent],
  battery_version: ['bigint', ({ judged }) => judged?.batteryVersion ?? null],
  said_percent: ['real', ({ judged }) => judged?.saidPercent ?? null],
  voltage_v: ['real', ({ row }) => row.report.voltageV],
  locked: ['boolean', ({ row }) => row.report.locked],
  charging: ['boolean', ({ row }) => row.report.charging],
  signal: ['integer', ({ row }) => row.report.signal],
  odometer_m: ['bigint', ({ row }) => row.report.odometerM],
  alarms: ['text[]', ({ row }) => row.report.alarms],
  unchanged: ['integer', ({ row }) => row.unchanged],
})

const inserted = rowOf('device_report', ['vehicle_id', 'occurred_at', 'frame_crc'])

/** The partition of a day, as `20261122`, as the target of a COPY. */
export const partitionOf = (day: string): string => `device_report_day.d${day}`

/** What makes two reports the same. */
export function reportKey(row: { vehicleId: number; occurredAt: number; frameCrc: number }): string {
  return `${row.vehicleId} ${row.occurredAt} ${row.frameCrc}`
}

/**
 * Adds reports to the history by COPY, the fastest way there is, straight into the partitions of their days. It knows no
 * exception: where one of them is there already, the whole transaction fails (`isRepeated`).
 */
export async function copyReports(tx: Tx, db: Database, reports: readonly PlacedReport[]): Promise<void> {
  for (const [day, rows] of byDay(reports)) {
    const name = utcDayOf(day * dayMs).replaceAll('-', '')
    await db.copyIn(tx, reportColumns.copy(rows, partitionOf(name)))
  }
}

/** Reports by the day of their time, which is the same for nearly all. */
function byDay(reports: readonly PlacedReport[]): ReadonlyMap<number, readonly PlacedReport[]> {
  const dayOf = ({ row }: PlacedReport): number => Math.floor(row.report.occurredAt / dayMs)
  const [first] = reports
  if (first === undefined) return new Map()
  const day = dayOf(first)
  const [start, end] = [day * dayMs, (day + 1) * dayMs]
  const isOneDay = reports.every(({ row }) => row.report.occurredAt >= start && row.report.occurredAt < end)
  return isOneDay ? new Map([[day, reports]]) : Map.groupBy(reports, dayOf)
}

/** Whether a transaction failed because a report of it was in the history already. */
export function isRepeated(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}

/** Adds reports to the history in one statement. Returns the keys of those that were not there before. */
export async function insertReports(tx: Tx, reports: readonly PlacedReport[]): Promise<Set<string>> {
  // In one order everywhere, so that two gateways with the same frames do not wait for each other in a ring.
  const { rows: fresh } = await inserted.returning`
    ${reportColumns.insert(reports)}
    order by written.vehicle_id, written.occurred_at, written.frame_crc
    on conflict do nothing`.execute(tx)
  return new Set(
    fresh.map((row) =>
      reportKey({ vehicleId: row.vehicle_id, occurredAt: row.occurred_at.getTime(), frameCrc: row.frame_crc }),
    ),
  )
}

/** A stored frame, as far as it tells whether another one is the same. */
export type StoredFrame = { readonly frameCrc: number; readonly alarms: readonly string[] }

const maxLately = 100

/** The frames of one kind that a vehicle has said since a time, the latest first. */
export async function readRecentFrames(
  db: Database,
  { vehicleId, kind, since }: { vehicleId: number; kind: string; since: number },
): Promise<StoredFrame[]> {
  const rows = await db.systemRead((kysely) =>
    kysely
      .selectFrom('device_report')
      .select(['frame_crc', 'alarms'])
      .where('vehicle_id', '=', vehicleId)
      .where('occurred_at', '>=', new Date(since))
      .where('kind', '=', kind)
      .orderBy('occurred_at', 'desc')
      .limit(maxLately)
      .compile(),
  )
  return rows.map((row) => ({ frameCrc: row.frame_crc, alarms: row.alarms ?? [] }))
}

const daysBack = 7
const daysAhead = 2

/** Makes the daily partitions that reports of the days around `nowMs` go to. */
export async function ensureReportDays(tx: Tx, nowMs: number): Promise<void> {
  const day = (offset: number): string => utcDayOf(nowMs + offset * dayMs)
  await sql`select ensure_device_report_days(${day(-daysBack)}::date, ${day(daysAhead)}::date)`.execute(tx)
}

/** Drops the days that are kept no longer; returns how many. */
export async function dropOldReportDays(tx: Tx, nowMs: number, keptDays: number): Promise<number> {
  const firstKept = utcDayOf(nowMs - keptDays * dayMs)
  const { rows } = await rowOfValues({ dropped: computed('bigint', sql`drop_device_report_days(${firstKept}::date)`) })
    .select``.execute(tx)
  return rows[0]?.dropped ?? 0
}
