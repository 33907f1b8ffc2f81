import type { Fence, fenceEndpoints } from '@saddle/contract/geography/fences.ts'
import { fencesPerAreaMax, type fenceManageEndpoints } from '@saddle/contract/geography/manage.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createPhotos } from '#photos/public.ts'
import { addBoundary, dropBoundaries, type Boundary } from './fences/boundary.ts'
import { createFenceHandlers, fencesInForce } from './fences/handlers.ts'
import { createManageHandlers } from './manage/handlers.ts'
import { addZones, endZones, removeZones, type EndedZones, type NewZones } from './manage/zones.ts'
import { addPlace, type NewPlace } from './manage/places.ts'
import { storedWeather, type WeatherSource } from './weather/weather.ts'
import { createCurrentFences, startForgetting, type CurrentFences } from './index/current.ts'

export { recordWeather, type HourOfWeather, type WeatherSource } from './weather/weather.ts'
export type { Boundary } from './fences/boundary.ts'
export { isOpenAt, nearness } from './fences/rules.ts'
export { areaFencesOf, type AreaFences } from './index/current.ts'
export { createCurrentFences, type CurrentFences }
export { createFenceIndex, type FenceIndex, type IndexedShape } from './index/fenceIndex.ts'

type Bounds = { readonly west: number; readonly south: number; readonly east: number; readonly north: number }
/** `bounds`: only those that touch the box. */
type InForce = { readonly areaId: number; readonly at: number; readonly bounds?: Bounds }

export type Geography = {
  readonly handlers: Handlers<typeof fenceEndpoints & Omit<typeof fenceManageEndpoints, 'fenceEffect'>>
  /** Puts a service area's boundary into force, as the next version, in the caller's transaction. */
  recordBoundary(tx: Tx, boundary: Boundary): Promise<void>
  /** Puts a parking place into force in the caller's transaction, which says who may; returns the fence's id. */
  addPlace(tx: Tx, call: SessionCall, place: NewPlace): Promise<number>
  /** Puts no-stop zones into force in the caller's transaction; resolves to their lines. */
  addZones(tx: Tx, call: SessionCall, zones: NewZones): Promise<number[]>
  /** Removes those of these lines that are in force, in the caller's transaction; resolves to their number. */
  removeZones(
    tx: Tx,
    call: SessionCall,
    zones: { readonly lineIds: readonly number[]; readonly note: string },
  ): Promise<number>
  /** The same for a job: no person has removed them. */
  endZones(tx: Tx, zones: EndedZones): Promise<number>
  /** The fences in force, in memory. */
  readonly current: CurrentFences
  /** The weather of areas, hour by hour. */
  readonly weather: WeatherSource
  /** The fences of an area of the scope that were in force at a moment. */
  inForce(scope: Scope, options: InForce): Promise<Fence[]>
  /** Deletes notes of changes that every server has read, now and every hour, until the returned function is called. */
  startBackground(): () => void
  /** Forgets all boundaries of a service area that goes with them. */
  dropBoundaries(tx: Tx, areaId: number): Promise<void>
}

/** Where riding and parking is allowed. */
export function createGeography(kit: Kit, { audit }: { readonly audit: Audit }): Geography {
  const manage = { kit, audit, photos: createPhotos(kit) }
  return {
    handlers: { ...createFenceHandlers(kit), ...createManageHandlers(manage) },
    current: createCurrentFences(kit),
    weather: storedWeather,
    addPlace: (tx, call, place) => addPlace(kit, tx, call, place),
    addZones: (tx, call, zones) => addZones(manage, tx, call, zones),
    removeZones: (tx, call, zones) => removeZones(manage, tx, call, zones),
    endZones: (tx, zones) => endZones(manage, tx, zones),
    recordBoundary: (tx, boundary) => addBoundary({ tx, boundary, at: new Date(kit.clock.now()) }),
    // An area has one outline besides its places and zones.
    inForce: async (scope, asked) => (await fencesInForce(kit, scope, { ...asked, max: fencesPerAreaMax + 1 })).list,
    dropBoundaries: (tx, areaId) => dropBoundaries(tx, areaId),
    startBackground: () => startForgetting(kit),
  }
}
