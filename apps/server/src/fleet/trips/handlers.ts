import { tripFields, vehicleTripList, type tripEndpoints } from '@saddle/contract/fleet/trips.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList } from '#kit/list/serveList.ts'
import { countRiding, selectLatestTrips, selectTripsOf, tripOf, vehicleTripRows } from './store.ts'

export function createTripHandlers(
  kit: Pick<Kit, 'db' | 'clock' | 'random'>,
  others: { readonly audit: Audit },
): Handlers<typeof tripEndpoints> {
  const trips = serveList({ kit, ...others }, vehicleTripList, {
    name: 'trips',
    rows: vehicleTripRows,
    present: (row) => tripOf(row, kit.clock.now()),
    file: { action: 'trip.export', fields: tripFields },
  })
  return {
    listVehicleTrips: trips.page,
    exportVehicleTrips: trips.file,

    ridingInfo: async ({ vehicleId, before, limit }, { scope }) => {
      const found =
        vehicleId === undefined
          ? selectLatestTrips({ limit, scope })
          : selectTripsOf({ vehicleId, before, limit, scope })
      const [rows, counts] = await Promise.all([
        kit.db.read(scope, (k) => found.compile(k)),
        kit.db.read(scope, (k) => countRiding({ vehicleId, scope }).compile(k)),
      ])
      const nowMs = kit.clock.now()
      return { suc: true, data: { ridingCount: counts[0]?.count ?? 0, list: rows.map((row) => tripOf(row, nowMs)) } }
    },
  }
}
