import { sql } from 'kysely'
import { taskKinds } from '@saddle/contract/operations/taskWords.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { AreaFences } from '#geography/public.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { Kit } from '#kit/kit.ts'
import { codeOf } from '#kit/codes.ts'
import type { RealTask, Stretch, VehiclePast } from './dryRun.ts'

/** More than a week of a thousand busy vehicles. */
const stretchesMax = 400_000

type Span = { readonly scope: Scope; readonly areaId: number; readonly from: number; readonly to: number }

const readStretches = (kit: Pick<Kit, 'db'>, { scope, areaId, from, to }: Span) => {
  type Row = {
    vehicle_id: number
    kind: string
    started_at: Date
    ended_at: Date
    end_lat: number
    end_lng: number
    battery_start: number | null
    battery_end: number | null
  }
  const query = sql<Row>`
    select g.vehicle_id, g.kind, g.started_at, g.ended_at, g.end_lat, g.end_lng, g.battery_start, g.battery_end
    from track_segment g
    where g.area_id = ${areaId} and g.started_at >= ${new Date(from)} and g.started_at < ${new Date(to)}
      and ${tenantFilter('g', scope)}
    order by g.started_at limit ${stretchesMax + 1}`
  return kit.db.read(scope, (k) => query.compile(k))
}

const vehicleRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'number']),
  rowOfValues({ idle_since: computed('timestamptz', sql`coalesce(v.last_ride_at, v.created_at)`) }),
)

const taskRow = rowOf('task', 't', ['vehicle_id', 'kind', 'done_at']).filled('done_at')

const faultReportRow = rowOf('fault_report', 'f', ['vehicle_id', 'reported_at', 'settled_at'])

const vehicleAlarmRow = rowOf('vehicle_alarm', 'a', ['vehicle_id', 'kind', 'opened_at', 'closed_at'])

/** What is known of an area's vehicles over a span of time, and what work was really done on them. */
export async function readPast(kit: Pick<Kit, 'db'>, span: Span, fences: AreaFences | undefined) {
  const { scope, areaId, from, to } = span
  const vehiclesQuery = vehicleRow.select`
    from vehicle v
    where v.area_id = ${areaId} and ${tenantFilter('v', scope)}`
  const alarmsQuery = vehicleAlarmRow.select`
    from vehicle_alarm a
    where a.area_id = ${areaId} and a.opened_at < ${new Date(to)}
      and (a.closed_at is null or a.closed_at > ${new Date(from)}) and ${tenantFilter('a', scope)}`
  const faultsQuery = faultReportRow.select`
    from fault_report f
    where f.area_id = ${areaId} and f.reported_at < ${new Date(to)}
      and (f.settled_at is null or f.settled_at > ${new Date(from)}) and ${tenantFilter('f', scope)}`
  const realQuery = taskRow.select`
    from task t
    where t.area_id = ${areaId} and t.done_at >= ${new Date(from)} and t.done_at < ${new Date(to)}
      and t.state = 'done' and ${tenantFilter('t', scope)}
    order by t.done_at`
  const [stretches, vehicles, alarms, faults, real] = await Promise.all([
    readStretches(kit, span),
    kit.db.read(scope, (k) => vehiclesQuery.compile(k)),
    kit.db.read(scope, (k) => alarmsQuery.compile(k)),
    kit.db.read(scope, (k) => faultsQuery.compile(k)),
    kit.db.read(scope, (k) => realQuery.compile(k)),
  ])
  if (stretches.length > stretchesMax) throw new AppError('payload_too_large')
  const stretchesOf = Map.groupBy(stretches, (row) => row.vehicle_id)
  const alarmsOf = Map.groupBy(alarms, (row) => row.vehicle_id)
  const faultsOf = Map.groupBy(faults, (row) => row.vehicle_id)
  const past = vehicles.map(({ id, idle_since: idleSince }): VehiclePast => {
    const own = (stretchesOf.get(id) ?? []).map((row): Stretch => {
      const inside = fences?.at({ lat: row.end_lat, lng: row.end_lng }).fences
      return {
        moved: row.kind === 'trip',
        from: row.started_at.getTime(),
        to: row.ended_at.getTime(),
        batteryFrom: row.battery_start,
        batteryTo: row.battery_end,
        placeId: inside?.find(({ kind }) => kind === 'parking')?.id ?? null,
      }
    })
    // Its last ride was before this time, or it has not been ridden since the time began as far as is known.
    return {
      vehicleId: id,
      stretches: own,
      idleSince: Math.min(idleSince.getTime(), from),
      alarms: (alarmsOf.get(id) ?? []).map((row) => ({
        kind: row.kind,
        from: row.opened_at.getTime(),
        to: row.closed_at?.getTime() ?? Number.POSITIVE_INFINITY,
      })),
      faults: (faultsOf.get(id) ?? []).map((row) => ({
        from: row.reported_at.getTime(),
        to: row.settled_at?.getTime() ?? Number.POSITIVE_INFINITY,
      })),
    }
  })
  const done = real.map((row): RealTask => ({
    vehicleId: row.vehicle_id,
    kind: codeOf(taskKinds, row.kind),
    doneAt: row.done_at.getTime(),
  }))
  return { past, done, numbers: new Map(vehicles.map(({ id, number }) => [id, number])) }
}
