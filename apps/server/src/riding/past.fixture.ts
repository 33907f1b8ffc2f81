import type { OrderFilter } from '@saddle/contract/riding/orders.ts'
import { minuteMs as minute } from '@saddle/contract/time.ts'
import { bookOrders } from '#demo/past/orders.ts'
import { testDatabase } from '#test/database.ts'
import { TEST_START_MS } from '#test/kit.ts'
import { testPriceRules } from '#test/rides.ts'
import { placeAt, ridingWorld } from './riding.fixture.ts'

const day = 24 * 60 * minute
type Ride = { vehicle: number; agentId?: number; areaId: number; agoMs: number; minutes: number; eastM: number }
const rides: readonly Ride[] = [
  { vehicle: 0, areaId: 31, agoMs: 5 * day, minutes: 10, eastM: 0 },
  { vehicle: 0, areaId: 31, agoMs: day, minutes: 40, eastM: 300 },
  { vehicle: 1, areaId: 31, agoMs: 2 * 60 * minute, minutes: 16, eastM: 2_500 },
  { vehicle: 2, areaId: 32, agoMs: 60 * minute, minutes: 0.5, eastM: 0 },
  { vehicle: 3, agentId: 4, areaId: 41, agoMs: 30 * minute, minutes: 20, eastM: 0 },
]

/** Two companies with five rides of the past, each with its order. */
export async function pastWorld() {
  const database = await testDatabase()
  const { owner } = database
  const world = await ridingWorld(database)
  const { ledger, riding, past, vehicleIds, call } = world
  const { handlers } = riding
  for (const { vehicle, agentId = 3, areaId, agoMs, minutes, eastM } of rides) {
    const startedAt = new Date(TEST_START_MS - agoMs)
    const end = placeAt(0, eastM)
    await owner
      .insertInto('trip')
      .values({
        vehicle_id: vehicleIds[vehicle]!,
        agent_id: agentId,
        area_id: areaId,
        started_at: startedAt,
        ended_at: new Date(startedAt.getTime() + minutes * minute),
        duration_s: minutes * 60,
        distance_m: 2_000,
        start_lat: placeAt(0).lat,
        start_lng: placeAt(0).lng,
        end_lat: end.lat,
        end_lng: end.lng,
      })
      .execute()
  }
  await bookOrders({ ...past, benefits: null }, testPriceRules)
  const search = async (filter: OrderFilter, by = call) => {
    const { data } = await handlers.searchOrders({ filter, sort: 'placed', pageSize: 20 }, by)
    return data.list
  }
  const revenueOf = (agentId: number) => ledger.balanceOf({ agentId, account: { kind: 'agent_revenue' } })
  return { ...world, owner, handlers, search, revenueOf }
}
