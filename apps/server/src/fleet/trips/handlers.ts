import type { tripEndpoints } from '@saddle/contract/fleet/trips.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { countRiding, selectLatestTrips, selectTripsOf, tripOf } from './store.ts'

export function createTripHandlers(kit: Pick<Kit, 'db' | 'clock'>): Handlers<typeof tripEndpoints> {
  return {
    ridingInfo: async ({ vehicleId, before, limit }, { scope }) => {
      const trips =
        vehicleId === undefined
          ? selectLatestTrips({ limit, scope })
          : selectTripsOf({ vehicleId, before, limit, scope })
      const [rows, counts] = await Promise.all([
        kit.db.read(scope, (k) => trips.compile(k)),
        kit.db.read(scope, (k) => countRiding({ vehicleId, scope }).compile(k)),
      ])
      const nowMs = kit.clock.now()
      return { suc: true, data: { ridingCount: counts[0]?.count ?? 0, list: rows.map((row) => tripOf(row, nowMs)) } }
    },
  }
}
