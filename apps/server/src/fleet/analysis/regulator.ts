import { vehicleStates, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { businessDayOf, businessDayStart } from '@saddle/contract/time.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { vehicleState } from '../vehicles/now.ts'
import { hexagons } from './hexagons.ts'
import { placesMax, selectParking, selectRegulatorAreas, selectStanding } from './store.ts'

/** Counts and densities: no vehicle can be told from another in it. */
export async function regulatorView(kit: Pick<Kit, 'db' | 'clock'>, options: { scope: Scope; resolution: number }) {
  const { scope, resolution } = options
  const nowMs = kit.clock.now()
  const from = new Date(businessDayStart(businessDayOf(nowMs)))
  const [areas, standing, parking] = await Promise.all([
    kit.db.read(scope, (k) => selectRegulatorAreas({ from, scope }).compile(k)),
    kit.db.read(scope, (k) => selectStanding({ scope, limit: placesMax, nowMs }).compile(k)),
    kit.db.read(scope, (k) => selectParking({ scope }).compile(k)),
  ])
  const states = Object.fromEntries(vehicleStates.map((state) => [state, 0])) as Record<VehicleState, number>
  const byArea = new Map<number, { outside: number; noStop: number; states: Map<string, number> }>()
  for (const row of standing) {
    states[vehicleState(row.state)] += 1
    const area = byArea.get(row.area_id) ?? { outside: 0, noStop: 0, states: new Map<string, number>() }
    if (row.is_outside) area.outside += 1
    if (row.in_no_stop) area.noStop += 1
    area.states.set(row.state, (area.states.get(row.state) ?? 0) + 1)
    byArea.set(row.area_id, area)
  }
  const list = areas.map((area) => {
    const own = byArea.get(area.area_id)
    const count = (...names: VehicleState[]): number =>
      names.reduce((sum, name) => sum + (own?.states.get(name) ?? 0), 0)
    return {
      areaId: area.area_id,
      areaName: area.area_name,
      company: area.company,
      total: count(...vehicleStates),
      available: count('available'),
      onTrip: count('on_trip'),
      outOfService: count('non_operational', 'removed', 'missing', 'non_contactable'),
      outsideArea: own?.outside ?? 0,
      inNoStop: own?.noStop ?? 0,
      tripsToday: area.trips,
    }
  })
  const sum = (value: (area: (typeof list)[number]) => number): number =>
    list.reduce((total, area) => total + value(area), 0)
  const parked = standing.flatMap((row) =>
    row.lat === null || row.lng === null || row.state === 'on_trip' || row.state === 'removed'
      ? []
      : [{ lat: row.lat, lng: row.lng }],
  )
  return {
    at: nowMs,
    total: standing.length,
    states,
    outsideArea: sum((area) => area.outsideArea),
    inNoStop: sum((area) => area.inNoStop),
    tripsToday: sum((area) => area.tripsToday),
    areas: list,
    cells: hexagons(parked, resolution),
    parking: parking.map((row) => ({
      fenceId: row.id,
      name: row.name,
      capacity: row.capacity,
      parked: row.parked,
    })),
  }
}
