import { sql } from 'kysely'
import { nearVehiclesMax, type rebalancingEndpoints } from '@saddle/contract/operations/rebalancing.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { boxAround, planeM } from '@saddle/geo/earth.ts'
import { rowOf, rowsOf } from '#kit/db/rows.ts'
import type { Geography } from '#geography/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { stepsOfDegree } from './seen.ts'

const vehicleRow = rowsOf(
  rowOf('vehicle', 'v', ['number']),
  rowOf('vehicle_status', 's', ['lat', 'lng', 'battery_percent as battery']),
).filled('lat', 'lng')

const serviceAreaRow = rowOf('service_area', ['id', 'agent_id'])

/** What stands around somebody who wants to ride. Where there is nothing, that is counted: nobody else knows of it. */
export function createNearHandlers(parts: {
  readonly kit: Pick<Kit, 'db' | 'clock'>
  readonly geography: Pick<Geography, 'current'>
}): Pick<Handlers<typeof rebalancingEndpoints>, 'nearVehicles'> {
  const { kit, geography } = parts
  return {
    nearVehicles: async ({ lat, lng, radiusM }, call) => {
      const { agentIds } = call.app
      const box = boxAround({ lat, lng }, radiusM)
      const rows = await kit.db.systemRead((k) =>
        vehicleRow.select`
          from vehicle_status s join vehicle v on v.id = s.vehicle_id
          where s.agent_id = any (${agentIds}::bigint[]) and v.state = 'available'
            and s.lat between ${box.south} and ${box.north} and s.lng between ${box.west} and ${box.east}`.compile(k),
      )
      const near = rows
        .map((row) => ({
          number: row.number,
          lat: row.lat,
          lng: row.lng,
          batteryPercent: row.battery,
          distanceM: Math.round(planeM({ lat, lng }, row)),
        }))
        .filter(({ distanceM }) => distanceM <= radiusM)
        .toSorted((a, b) => a.distanceM - b.distanceM)
      await count({ lat, lng, agentIds, isMet: near.length > 0 })
      return { suc: true, data: near.slice(0, nearVehiclesMax) }
    },
  }

  async function count(asked: {
    lat: number
    lng: number
    agentIds: readonly number[]
    isMet: boolean
  }): Promise<void> {
    const { lat, lng, agentIds, isMet } = asked
    const areas = await kit.db.systemRead((k) =>
      serviceAreaRow.select`from service_area where agent_id = any (${agentIds}::bigint[]) and state = 'enabled'`.compile(
        k,
      ),
    )
    const fences = await geography.current.recent(areas.map(({ id }) => id))
    const area = areas.find(({ id }) => fences.get(id)?.holds({ lat, lng }) === true)
    if (area === undefined) return
    const hourAt = new Date(Math.floor(kit.clock.now() / hourMs) * hourMs)
    const steps = [Math.round(lat * stepsOfDegree), Math.round(lng * stepsOfDegree)]
    await kit.db.systemRead((k) =>
      sql`
        insert into demand_search (agent_id, area_id, lat_step, lng_step, hour_at, searches, unmet)
        values (${area.agent_id}, ${area.id}, ${steps[0]}, ${steps[1]}, ${hourAt}, 1, ${isMet ? 0 : 1})
        on conflict (area_id, hour_at, lat_step, lng_step) do update
        set searches = demand_search.searches + 1, unmet = demand_search.unmet + excluded.unmet`.compile(k),
    )
  }
}
