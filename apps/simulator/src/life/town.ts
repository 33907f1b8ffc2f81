import { demoAreas } from '@saddle/contract/demo/city.ts'
import type { City } from '#sim/city/city.ts'
import { distance, inside, toPoint, type Point } from '#sim/city/geometry.ts'
import { childSeed, createRandom, type Random } from '#sim/random.ts'
import { placeKinds, purposes, type PlaceKind, type Purpose } from './rhythm.ts'
import { createRouteBook, type RouteBook } from './routes.ts'

/** A parking place: rides begin and end here or close by. */
export type Anchor = {
  index: number
  areaIndex: number
  point: Point
  /** Unit vector along the kerb. */
  along: Point
  pull: Record<PlaceKind, number>
}

export type Town = {
  anchors: readonly Anchor[]
  /** Indices of an area's anchors. */
  byArea: readonly (readonly number[])[]
  /** Other anchors of the same area within a short walk, nearest first. */
  near: readonly (readonly number[])[]
  book: RouteBook
  /** What part of the rides of its area begin at each anchor. */
  need: readonly number[]
  /** How often a purpose occurs in an area, against one where everything is at hand. */
  share(area: number, purpose: number): number
  /** Where a rider with this purpose sets out. */
  origin(area: number, purpose: number, random: Random): number
  /** Where the ride goes; never where it began. */
  goal(origin: number, purpose: number, random: Random): number
}

const walkM = 380
/** Few rides are shorter. */
const shortestM = 420
/** Demand grows with the length of a ride up to twice this distance, in a straight line, and falls beyond. */
const usualM = 1250
/**
 * How far places that look alike on the map differ in what they draw, as the standard deviation of a logarithm: once
 * for the place as a whole and once for each kind of visit.
 */
const popularitySpread = 0.55

export function makeTown(city: Pick<City, 'net' | 'blocks' | 'campuses' | 'parks' | 'stations'>): Town {
  const anchors = demoAreas.flatMap((area, areaIndex) =>
    area.kerbs.map(([lng, lat, heading]) => {
      const point = toPoint({ lng, lat })
      const radians = (heading * Math.PI) / 180
      const along: Point = [Math.sin(radians), Math.cos(radians)]
      return { areaIndex, point, along, pull: pullOf(city, point) }
    }),
  )
  for (const [index, { pull }] of anchors.entries()) {
    const random = createRandom(childSeed(popularitySeed, index))
    const place = random.gauss(popularitySpread)
    for (const kind of placeKinds) pull[kind] *= Math.exp(place + random.gauss(popularitySpread))
  }
  const numbered = anchors.map((anchor, index) => Object.assign(anchor, { index }))
  const byArea = demoAreas.map((_, areaIndex) =>
    numbered.filter((anchor) => anchor.areaIndex === areaIndex).map(({ index }) => index),
  )
  const near = numbered.map(({ areaIndex, point, index }) =>
    (byArea[areaIndex] ?? [])
      .map((other) => ({ other, metres: distance(point, numbered[other]?.point ?? point) }))
      .filter(({ other, metres }) => other !== index && metres < walkM)
      .toSorted((a, b) => a.metres - b.metres)
      .map(({ other }) => other),
  )
  const book = createRouteBook(
    city.net,
    numbered.map(({ point }) => point),
  )
  return { anchors: numbered, byArea, near, book, ...makeChoices(numbered, byArea) }
}

/** The same places are popular in every run: a city has one geography. */
const popularitySeed = 1_701

const fade = (metres: number, reachM: number) => Math.exp(-metres / reachM)

function pullOf(
  city: Pick<City, 'blocks' | 'campuses' | 'parks' | 'stations'>,
  point: Point,
): Record<PlaceKind, number> {
  const pull: Record<PlaceKind, number> = { home: 0.05, work: 0.05, campus: 0, leisure: 0.05, station: 0 }
  for (const { kind, ring } of city.blocks) {
    const corner = ring[0]
    if (!corner || Math.abs(corner[0] - point[0]) > 700 || Math.abs(corner[1] - point[1]) > 700) continue
    const weight = fade(distance(point, corner), 220)
    if (kind === 'residential' || kind === 'village') pull.home += weight
    if (kind === 'old_town') {
      pull.home += 0.5 * weight
      pull.leisure += 0.6 * weight
    }
    if (kind === 'commercial') {
      pull.work += 1.2 * weight
      pull.leisure += 0.7 * weight
    }
    if (kind === 'industrial') pull.work += 0.8 * weight
  }
  for (const { ring } of city.campuses) {
    const metres = inside(point, ring) ? 0 : Math.min(...ring.map((corner) => distance(corner, point)))
    if (metres < 600) pull.campus += fade(metres, 180)
  }
  for (const { ring } of city.parks) {
    const metres = Math.min(...ring.map((corner) => distance(corner, point)))
    if (metres < 700) pull.leisure += 0.9 * fade(metres, 250)
  }
  for (const { at, kind } of city.stations) {
    const metres = distance(at, point)
    if (metres < 1200) pull.station += (kind === 'railway' ? 1.6 : 1) * fade(metres, 300)
  }
  return pull
}

const sums = (weights: readonly number[]): Float64Array => {
  let sum = 0
  return Float64Array.from(weights, (weight) => (sum += weight))
}

function draw(cumulated: Float64Array | undefined, random: Random): number {
  if (!cumulated) return 0
  const wanted = random.next() * (cumulated.at(-1) ?? 0)
  const index = cumulated.findIndex((sum) => sum > wanted)
  return index < 0 ? cumulated.length - 1 : index
}

function makeChoices(
  anchors: readonly Anchor[],
  byArea: readonly (readonly number[])[],
): Pick<Town, 'need' | 'share' | 'origin' | 'goal'> {
  const pullAt = (index: number, kind: PlaceKind) => anchors[index]?.pull[kind] ?? 0
  const sumOf = (own: readonly number[], kind: PlaceKind) => own.reduce((sum, index) => sum + pullAt(index, kind), 0)
  // An area that has nothing of a kind has none of the trips that need it.
  const most = Object.fromEntries(placeKinds.map((kind) => [kind, Math.max(...byArea.map((own) => sumOf(own, kind)))]))
  const has = (own: readonly number[], kind: PlaceKind) => Math.min(1, (1.6 * sumOf(own, kind)) / (most[kind] || 1))
  const table = byArea.map((own) => purposes.map(({ from, to }) => Math.min(has(own, from), has(own, to)) ** 0.5))
  const origins = byArea.map((own) => purposes.map(({ from }) => sums(own.map((index) => pullAt(index, from)))))
  const goals = anchors.map((anchor) => {
    const own = byArea[anchor.areaIndex] ?? []
    return purposes.map((purpose) => sums(own.map((index) => attraction(anchor, anchors[index], purpose))))
  })
  return {
    need: anchors.map(({ areaIndex }, anchor) => needAt({ anchor, areaIndex, byArea, table, origins })),
    share: (area, purpose) => table[area]?.[purpose] ?? 0,
    origin: (area, purpose, random) => byArea[area]?.[draw(origins[area]?.[purpose], random)] ?? 0,
    goal: (origin, purpose, random) => {
      const own = byArea[anchors[origin]?.areaIndex ?? 0]
      return own?.[draw(goals[origin]?.[purpose], random)] ?? 0
    },
  }
}

function needAt(options: {
  anchor: number
  areaIndex: number
  byArea: readonly (readonly number[])[]
  table: readonly (readonly number[])[]
  origins: readonly (readonly Float64Array[])[]
}): number {
  const { anchor, areaIndex, byArea, table, origins } = options
  const at = byArea[areaIndex]?.indexOf(anchor) ?? -1
  let [here, all] = [0, 0]
  for (const [purpose, { weekday }] of purposes.entries()) {
    const rides = weekday.reduce((sum, [, , perDay]) => sum + perDay, 0) * (table[areaIndex]?.[purpose] ?? 0)
    const sumsOf = origins[areaIndex]?.[purpose]
    const whole = sumsOf?.at(-1) ?? 0
    if (sumsOf === undefined || whole === 0) continue
    here += (rides * ((sumsOf[at] ?? 0) - (sumsOf[at - 1] ?? 0))) / whole
    all += rides
  }
  return all === 0 ? 0 : here / all
}

function attraction(from: Anchor, to: Anchor | undefined, { to: kind }: Purpose): number {
  if (!to) return 0
  const metres = distance(from.point, to.point)
  return metres < shortestM ? 0 : (to.pull[kind] + 0.01) * (metres / usualM) ** 2 * fade(metres, usualM)
}
