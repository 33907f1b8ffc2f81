import { metresPerDegree, metresPerDegreeLng } from '@saddle/geo/earth.ts'
import { createAudit } from '#audit/public.ts'
import { createFinance } from '#finance/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createGeography } from '#geography/public.ts'
import { createRiders } from '#rider/public.ts'
import type { TestDatabase } from '#test/database.ts'
import { sessionCall, testKit } from '#test/kit.ts'
import { createRiding } from './public.ts'

export const centre = { lat: 31.3, lng: 120.6 }
/** A point at this distance in metres north and east of the centre of area 31. */
export const placeAt = (northM: number, eastM = 0): { lat: number; lng: number } => ({
  lat: centre.lat + northM / metresPerDegree,
  lng: centre.lng + eastM / metresPerDegreeLng(centre.lat),
})

const square = (halfM: number): string =>
  JSON.stringify(
    [
      placeAt(-halfM, -halfM),
      placeAt(-halfM, halfM),
      placeAt(halfM, halfM),
      placeAt(halfM, -halfM),
      placeAt(-halfM, -halfM),
    ].map(({ lat, lng }) => [lng, lat]),
  )

/** Two franchisees, three areas of 4 km, a parking place in the middle of each, and vehicles. */
export async function ridingWorld({ db, owner }: TestDatabase) {
  const kit = testKit(db, { DEMO: 'true' })
  const audit = createAudit(kit)
  const fleet = createFleet(kit, { audit })
  const geography = createGeography(kit, { audit })
  const finance = createFinance(kit)
  const { ledger } = finance
  const riders = createRiders(kit)
  const riding = createRiding(kit, { audit, fleet, geography, finance, riders })
  const agents = [
    { id: 2, parent_id: null, company: '总部' },
    { id: 3, parent_id: 2, company: '城北出行' },
    { id: 4, parent_id: 2, company: '城南出行' },
  ]
  await owner.insertInto('agent').values(agents).execute()
  const outline = { centre_lat: centre.lat, centre_lng: centre.lng, ring: square(2_000) }
  const areas = [
    { id: 31, agent_id: 3, name: '城北', ...outline },
    { id: 32, agent_id: 3, name: '城北二区', ...outline },
    { id: 41, agent_id: 4, name: '城南', ...outline },
  ]
  await owner.insertInto('service_area').values(areas).execute()
  await owner
    .insertInto('fence')
    .values(
      areas.map(({ id, agent_id }) => ({
        agent_id,
        area_id: id,
        kind: 'parking',
        name: `车站 ${id}`,
        centre_lat: centre.lat,
        centre_lng: centre.lng,
        radius_m: 30,
        version: 2,
        west: 120,
        east: 121,
        south: 31,
        north: 32,
        valid_from: new Date(0),
      })),
    )
    .execute()
  const vehicles = [
    { agentId: 3, areaId: 31, number: 'SD000001', imei: '861234567000001', model: 'SD-E2', position: centre },
    { agentId: 3, areaId: 31, number: 'SD000002', imei: '861234567000002', model: 'SD-E2', position: centre },
    { agentId: 3, areaId: 32, number: 'SD000003', imei: '861234567000003', model: 'SD-E2', position: centre },
    { agentId: 4, areaId: 41, number: 'SD000004', imei: '861234567000004', model: 'SD-E2', position: centre },
  ]
  const vehicleIds = await db.system((tx) => fleet.vehicles.register(tx, vehicles))
  const north = { agentIds: [3], areaIds: [31, 32] }
  return {
    kit,
    fleet,
    finance,
    ledger,
    riding,
    /** Dependencies for booking orders of the past. */
    past: { kit, riders, geography, ledger },
    vehicleIds,
    call: sessionCall({ operatorId: 7, agentId: 3, grant: north, name: '周可' }),
    oneArea: sessionCall({ operatorId: 7, agentId: 3, grant: north, scope: { agentIds: [3], areaIds: [31] } }),
    foreign: sessionCall({ operatorId: 8, agentId: 4, grant: { agentIds: [4], areaIds: [41] } }),
  }
}
