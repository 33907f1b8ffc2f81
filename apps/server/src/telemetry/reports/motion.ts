import { metresPerDegree, planeM } from '@saddle/geo/earth.ts'

/** Faster than any of our vehicles, also on a lorry: between two places of one vehicle nothing quicker is believed. */
const maxSpeedMs = 45
/** Two fixes of a vehicle that stands still may lie so far apart between houses. */
const toleranceM = 150
/** So many places in a row that fit each other outweigh the one known before: that one was the wrong one. */
const believedAfter = 3

type Place = { readonly lat: number; readonly lng: number }
type Known = { lat: number; lng: number; at: number }

/** What is remembered of a vehicle's way to tell whether its next place can be. */
export type Motion = { known: Known | null; doubted: Known | null; doubts: number }

export const newMotion = (): Motion => ({ known: null, doubted: null, doubts: 0 })

/**
 * Whether the vehicle can be there: not after a jump of 3 km in 2 s. Remembers the place. An older place than the known
 * one is neither doubted nor remembered.
 */
export function canBeAt(motion: Motion, place: Place, at: number): boolean {
  const { known, doubted } = motion
  if (known !== null && at < known.at) return true
  if (known === null || isReachable(known, place, at)) return believe(motion, place, at)
  motion.doubts = doubted !== null && isReachable(doubted, place, at) ? motion.doubts + 1 : 1
  motion.doubted = { lat: place.lat, lng: place.lng, at }
  return motion.doubts >= believedAfter ? believe(motion, place, at) : false
}

/** Changes what is known in its place: this is done for every report. */
function believe(motion: Motion, { lat, lng }: Place, at: number): true {
  const { known } = motion
  if (known === null) motion.known = { lat, lng, at }
  else {
    known.lat = lat
    known.lng = lng
    known.at = at
  }
  motion.doubted = null
  motion.doubts = 0
  return true
}

function isReachable(from: Known, to: Place, at: number): boolean {
  // No way is longer than both of its legs at the equator, which needs no cosine.
  const atMostM = (Math.abs(to.lat - from.lat) + Math.abs(to.lng - from.lng)) * metresPerDegree
  if (atMostM <= toleranceM) return true
  const seconds = Math.abs(at - from.at) / 1000
  const reach = toleranceM + maxSpeedMs * seconds
  return planeM(from, to) <= reach
}
