import { AppError } from '@saddle/contract/errors.ts'
import { partnerOrderDaysMax, type partnerCalls, type PartnerCallName } from '@saddle/contract/partners/api.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { z } from 'zod'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { selectAreas, selectOrders, selectVehicles } from './store.ts'

type Calls = typeof partnerCalls
export type PartnerAnswers = {
  readonly [N in PartnerCallName]: (
    input: z.output<Calls[N]['input']>,
    scope: Scope,
  ) => Promise<z.input<Calls[N]['output']>>
}

/** What partners' programs are answered: rows of the key's company, in the order of their ids. */
export function createAnswers({ db }: Pick<Kit, 'db'>): PartnerAnswers {
  return {
    listPartnerAreas: async ({ cursor, limit }, scope) => {
      const page = { after: Number(cursor ?? 0), limit }
      const rows = await db.read(scope, (k) => selectAreas(scope, page).compile(k))
      return pageOf(rows, limit, ({ id, name, centre_lat: lat, centre_lng: lng, state }) => ({
        id,
        name,
        centre: { lat, lng },
        state,
      }))
    },

    listPartnerVehicles: async ({ cursor, limit, areaId, state }, scope) => {
      const page = { after: Number(cursor ?? 0), limit, areaId, state }
      const rows = await db.read(scope, (k) => selectVehicles(scope, page).compile(k))
      return pageOf(rows, limit, (row) => ({
        id: row.id,
        number: row.number,
        areaId: row.area_id,
        model: row.model,
        state: row.state,
        stateChangedAt: row.state_changed_at.getTime(),
        position:
          row.lat === null || row.lng === null || row.position_at === null
            ? null
            : { lat: row.lat, lng: row.lng, at: row.position_at.getTime() },
        batteryPercent: row.battery_percent,
      }))
    },

    listPartnerOrders: async ({ cursor, limit, from, to }, scope) => {
      if (to <= from || to - from > partnerOrderDaysMax * dayMs)
        throw new AppError('bad_request', { values: { detail: `from, to: 1 ms – ${partnerOrderDaysMax} d` } })
      const page = { after: Number(cursor ?? 0), limit, from, to }
      const rows = await db.read(scope, (k) => selectOrders(scope, page).compile(k))
      return pageOf(rows, limit, (row) => ({
        id: row.id,
        areaId: row.area_id,
        vehicleNumber: row.vehicle_number,
        state: row.state,
        placedAt: row.placed_at.getTime(),
        startedAt: row.started_at?.getTime() ?? null,
        endedAt: row.ended_at?.getTime() ?? null,
        distanceM: row.distance_m,
        chargedCents: row.charged_cents,
        refundedCents: row.refunded_cents,
      }))
    },
  }
}

function pageOf<R extends { readonly id: number }, T>(rows: readonly R[], limit: number, shown: (row: R) => T) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    suc: true as const,
    data: {
      list: page.map((row) => shown(row)),
      next: rows.length > limit && last !== undefined ? String(last.id) : null,
    },
  }
}
