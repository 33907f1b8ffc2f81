import { vehicleFields, vehicleList, type searchEndpoints, type VehicleFilter } from '@saddle/contract/fleet/search.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import { forceCustomPlan } from '#kit/db/forceCustomPlan.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import { createScreeningHandlers } from '../screenings/handlers.ts'
import {
  namedMax,
  presentVehicle,
  selectChoices,
  selectIds,
  selectNamed,
  vehicleRows,
  type SearchParams,
  type VehicleSearchRow,
} from './store.ts'

export function createSearchHandlers(
  kit: Pick<Kit, 'db' | 'clock' | 'random'>,
  others: { readonly audit: Audit },
): Handlers<typeof searchEndpoints> {
  const prepare = async ({ keyword }: VehicleFilter, { scope }: { readonly scope: Scope }): Promise<SearchParams> => {
    const nowMs = kit.clock.now()
    if (keyword === undefined || keyword === '') return { namedIds: undefined, nowMs }
    const rows = await kit.db.read(scope, (kysely) => forceCustomPlan(selectNamed(keyword, scope).compile(kysely)))
    // Of many the pages of any order find enough on their way.
    return { namedIds: rows.length > namedMax ? undefined : rows.map((row) => row.id), nowMs }
  }
  const present = (row: VehicleSearchRow) => presentVehicle(row, kit.clock.now())
  const list = serveList({ kit, ...others }, vehicleList, {
    name: 'vehicles',
    prepare,
    rows: vehicleRows,
    present,
    file: {
      action: 'vehicle.export',
      fields: { ...vehicleFields, lat: '纬度', lng: '经度' },
      present: (row) => ({ ...present(row), lat: row.lat, lng: row.lng }),
    },
  })
  return {
    searchVehicles: list.page,
    exportVehicles: list.file,

    vehicleChoices: async (_, call) => {
      const [row] = await kit.db.read(call.scope, (kysely) => selectChoices(kysely, call.scope))
      return { suc: true, data: row ?? { models: [], firmwares: [], alarms: [] } }
    },

    findVehicleIds: async ({ filter, limit }, { scope }) => {
      const params = await prepare(filter, { scope })
      const query = selectIds({ filter, params, scope, limit: limit + 1 })
      const rows = await kit.db.read(scope, (kysely) => forceCustomPlan(query.compile(kysely)))
      return { suc: true, data: { ids: rows.slice(0, limit).map((row) => row.id), isCut: rows.length > limit } }
    },

    ...createScreeningHandlers(kit, others),
  }
}
