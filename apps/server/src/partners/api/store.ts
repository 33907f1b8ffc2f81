import { vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { rowOf, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'

/** One page: rows behind an id, and one more than are answered, which says that there are more. */
export interface Page {
  readonly after: number
  readonly limit: number
}

const areaRow = rowOf('service_area', 'sa', ['id', 'name', 'centre_lat', 'centre_lng', 'state']).codes({
  state: ['enabled', 'disabled'],
})

export const selectAreas = (scope: Scope, { after, limit }: Page) => areaRow.select`
  from service_area sa
  where ${tenantFilter('sa', scope)} and sa.id > ${after} order by sa.id limit ${limit + 1}`

const vehicleRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'number', 'area_id', 'model', 'state', 'state_changed_at']).codes({
    state: vehicleStates,
  }),
  rowOf('vehicle_status', 's', ['lat', 'lng', 'position_at', 'battery_percent']).optional(),
)

export const selectVehicles = (
  scope: Scope,
  { after, limit, areaId, state }: Page & { readonly areaId: number | undefined; readonly state: string | undefined },
) => vehicleRow.select`
  from vehicle v left join vehicle_status s on s.vehicle_id = v.id
  where ${tenantFilter('v', scope)} and v.id > ${after}
    and (${areaId ?? null}::bigint is null or v.area_id = ${areaId ?? null}::bigint)
    and (${state ?? null}::text is null or v.state = ${state ?? null}::text)
  order by v.id limit ${limit + 1}`

const orderRow = rowOf('ride_order', 'o', [
  'id',
  'area_id',
  'vehicle_number',
  'state',
  'placed_at',
  'started_at',
  'ended_at',
  'distance_m',
  'charged_cents',
  'refunded_cents',
])

export const selectOrders = (
  scope: Scope,
  { after, limit, from, to }: Page & { readonly from: number; readonly to: number },
) => orderRow.select`
  from ride_order o
  where ${tenantFilter('o', scope)} and o.id > ${after}
    and o.placed_at >= ${new Date(from)} and o.placed_at < ${new Date(to)}
  order by o.id limit ${limit + 1}`
