import type { Fence } from '@saddle/contract/geography/fences.ts'
import type { ReturnKind } from '@saddle/contract/riding/price.ts'
import { nearness, type AreaFences } from '#geography/public.ts'

/** Where returning is allowed in an area at a moment. */
export type Zones = Pick<AreaFences, 'parking' | 'noStop' | 'ring' | 'at' | 'nearestParking'>

export type Judgement = {
  readonly kind: ReturnKind
  /** The fence that decided; null where none did. */
  readonly fence: Pick<Fence, 'id' | 'name' | 'version'> | null
  /** Metres to the nearest place where returning costs nothing; null where there is none. */
  readonly distanceM: number | null
}

type Place = { readonly lat: number; readonly lng: number }

/** What a satellite fix may be off by, in the rider's favour. */
const slackM = 10

/**
 * Where a vehicle is, by the fences in force: a parking place counts even within a no-stop zone, because it was put
 * there on purpose; an area without parking places accepts vehicles everywhere.
 */
export function judgeReturn(place: Place | null, { parking, ring, at, nearestParking }: Zones): Judgement {
  if (place === null) return { kind: 'unknown', fence: null, distanceM: null }
  const here = at(place)
  const own = here.fences.find(({ kind }) => kind === 'parking')
  if (own !== undefined) return { kind: 'in_place', fence: own, distanceM: 0 }
  const nearest = nearestParking(place)
  if (nearest !== null && nearest.distanceM <= slackM) return { kind: 'in_place', fence: nearest.fence, distanceM: 0 }
  const distanceM = nearest?.distanceM ?? null
  const zone = here.fences.find(({ kind }) => kind === 'no_stop')
  if (zone !== undefined) return { kind: 'no_stop', fence: zone, distanceM }
  const outside = here.isInArea ? 0 : nearness(place, { ring, centre: place, radiusM: null }).distanceM
  if (outside > slackM) return { kind: 'outside_area', fence: null, distanceM: distanceM ?? outside }
  if (parking.length === 0) return { kind: 'in_place', fence: null, distanceM: 0 }
  return { kind: 'out_of_place', fence: null, distanceM }
}
