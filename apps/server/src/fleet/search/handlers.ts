import {
  exportPartRows,
  vehicleCountMax,
  type searchEndpoints,
  type VehicleFilter,
  type VehicleRow,
} from '@saddle/contract/fleet/search.ts'
import { deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import { offlineAfterMs } from '@saddle/contract/fleet/vehicles.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime, csvPart } from '#kit/csv.ts'
import { forceCustomPlan } from '#kit/db/forceCustomPlan.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import { createScreeningHandlers } from '../screenings/handlers.ts'
import { vehicleState } from '../vehicles/now.ts'
import { csvRow, csvTitles, readCursor, writeCursor } from './rules.ts'
import {
  namedMax,
  selectChoices,
  selectCount,
  selectIds,
  selectNamed,
  selectPage,
  type Search,
  type SearchRow,
} from './store.ts'

export function createSearchHandlers(
  kit: Pick<Kit, 'db' | 'clock' | 'random'>,
  others: { readonly audit: Audit },
): Handlers<typeof searchEndpoints> {
  /** The few whom a keyword names; undefined without one, or where they are many. */
  const namedBy = async ({ scope }: SessionCall, { keyword }: VehicleFilter): Promise<number[] | undefined> => {
    if (keyword === undefined || keyword === '') return undefined
    const rows = await kit.db.read(scope, (kysely) => forceCustomPlan(selectNamed(keyword, scope).compile(kysely)))
    return rows.length > namedMax ? undefined : rows.map((row) => row.id)
  }
  const page = async (call: SessionCall, search: Omit<Search, 'scope' | 'nowMs'>) => {
    const nowMs = kit.clock.now()
    const { limit, sort } = search
    // One more than is shown: whether there is a next page.
    const query = selectPage({ ...search, limit: limit + 1, scope: call.scope, nowMs })
    const found = await kit.db.read(call.scope, (kysely) => forceCustomPlan(query.compile(kysely)))
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1) : undefined
    const nextCursor = last === undefined ? null : writeCursor(sort, { value: last.sort_value, id: last.id })
    return { list: shown.map((row) => rowOf(row, nowMs)), nextCursor }
  }
  const count = async (call: SessionCall, asked: Pick<Search, 'filter' | 'namedIds'>): Promise<number> => {
    const query = selectCount({ ...asked, scope: call.scope, nowMs: kit.clock.now() })
    const [row] = await kit.db.read(call.scope, (kysely) => forceCustomPlan(query.compile(kysely)))
    return row?.count ?? 0
  }
  return {
    searchVehicles: async ({ filter, sort, cursor, pageSize }, call) => {
      const after = cursor === undefined ? null : readCursor(sort, cursor)
      const asked = { filter, namedIds: await namedBy(call, filter) }
      const [found, total] = await Promise.all([
        page(call, { ...asked, sort, after, limit: pageSize }),
        after === null ? count(call, asked) : null,
      ])
      const isCountCut = total !== null && total > vehicleCountMax
      return { suc: true, data: { ...found, count: isCountCut ? vehicleCountMax : total, isCountCut } }
    },

    vehicleChoices: async (_, call) => {
      const [row] = await kit.db.read(call.scope, (kysely) => selectChoices(kysely, call.scope))
      return { suc: true, data: row ?? { models: [], firmwares: [], alarms: [] } }
    },

    findVehicleIds: async ({ filter, limit }, call) => {
      const namedIds = await namedBy(call, filter)
      const query = selectIds({ filter, namedIds, limit: limit + 1, scope: call.scope, nowMs: kit.clock.now() })
      const rows = await kit.db.read(call.scope, (kysely) => forceCustomPlan(query.compile(kysely)))
      return { suc: true, data: { ids: rows.slice(0, limit).map((row) => row.id), isCut: rows.length > limit } }
    },

    exportVehicles: async ({ filter, cursor, exportId: given }, call) => {
      const sort = { by: 'number', direction: 'asc' } as const
      const after = cursor === undefined ? null : readCursor(sort, cursor)
      const exportId = given ?? randomUuid(kit.random)
      const nowMs = kit.clock.now()
      const namedIds = await namedBy(call, filter)
      const { list, nextCursor } = await page(call, { filter, namedIds, sort, after, limit: exportPartRows })
      const file = { exportId, action: 'vehicle.export', detail: { filter }, isFirst: after === null }
      await others.audit.noteExport(call, file)
      const origin = { exportId, operatorName: call.caller.name }
      const day = businessTime(nowMs).slice(0, 10)
      return {
        suc: true,
        data: {
          exportId,
          fileName: `vehicles-${day}-${exportId.slice(0, 8)}.csv`,
          text: csvPart({ origin, titles: csvTitles, isFirst: after === null, lines: list.map(csvRow) }),
          rows: list.length,
          nextCursor,
        },
      }
    },

    ...createScreeningHandlers(kit, others),
  }
}

function rowOf(row: SearchRow, nowMs: number): VehicleRow {
  const protocol = deviceProtocols.find((known) => known === row.protocol)
  if (protocol === undefined) throw new RangeError(`unknown protocol ${row.protocol}`)
  const heardAt = row.heard_at?.getTime() ?? null
  return {
    id: row.id,
    number: row.number,
    imei: row.imei,
    model: row.model,
    protocol,
    firmware: row.firmware,
    agentId: row.agent_id,
    company: row.company,
    areaId: row.area_id,
    areaName: row.area_name,
    state: vehicleState(row.state),
    online: heardAt !== null && nowMs - heardAt <= offlineAfterMs,
    locked: row.locked,
    batteryPercent: row.battery_percent,
    signal: row.signal,
    position: row.lat === null || row.lng === null ? null : { lat: row.lat, lng: row.lng },
    heardAt,
    idleSince: row.state === 'on_trip' ? null : row.idle_since.getTime(),
    openAlarms: row.alarms,
    openTasks: row.tasks,
  }
}
