import { createRandom } from '#sim/random.ts'
import { makeBlocks, type Block, type Building } from './buildings.ts'
import { blob, closed, distanceTo, type Point } from './geometry.ts'
import {
  cityHalf,
  citySeed,
  alongX,
  makeNature,
  makePatches,
  makePlan,
  outline,
  riverAt,
  type Named,
  type Patch,
  type Nature,
  type Plan,
} from './plan.ts'
import { makeStreets, type StreetNet } from './streets.ts'

export const cityName = '澄湖市'

type Place = { name: string; kind: 'city' | 'water' | 'park' | 'campus'; at: Point }
type Station = { name: string; kind: 'railway' | 'metro'; at: Point }

export type City = {
  seed: number
  plan: Plan
  nature: Nature
  parks: Named[]
  campuses: Named[]
  net: StreetNet
  blocks: Block[]
  buildings: Building[]
  railways: { kind: 'rail' | 'metro'; name: string; line: Point[] }[]
  stations: Station[]
  places: Place[]
}

function riverside(nature: Nature): Named {
  const bank = nature.riverLine.filter(([x]) => x >= -2500 && x <= 2100)
  const edge = (offset: number) => bank.map(([x, y]): Point => [x, y + offset])
  return { name: '滨江绿廊', kind: 'park', ring: closed([...edge(60), ...edge(215).toReversed()]) }
}

function lakeshore(nature: Nature): Named[] {
  const lake = nature.lakes[0]
  if (!lake) return []
  const [cx, cy]: Point = [6350, -5050]
  const ring = blob([cx, cy], 72, (angle) => {
    const corner = lake.ring[Math.round((angle / (2 * Math.PI)) * 72) % 72] ?? [cx, cy]
    // The reeds are wide on the city's side and narrow elsewhere.
    const grown = 1.07 + 0.07 * Math.max(0, Math.cos(angle - 2.4))
    return [(corner[0] - cx) * grown, (corner[1] - cy) * grown]
  })
  return [{ name: '澄湖湿地公园', kind: 'park', ring }]
}

function makeRailways(): Pick<City, 'railways' | 'stations'> {
  const railAt = (x: number) => 3900 + 420 * Math.sin(x / 3900 + 0.4) - x * 0.035
  const rail = alongX(railAt, 240)
  const metro: Point[] = []
  for (let y = -6200; y <= 5200; y += 200) metro.push([-620 + 520 * Math.sin(y / 2900), y])
  const on = (line: readonly Point[], index: number): Point => line[index] ?? [0, 0]
  return {
    railways: [
      { kind: 'rail', name: '沪澄铁路', line: rail },
      { kind: 'metro', name: '轨道交通 1 号线', line: metro },
    ],
    stations: [
      { name: '澄湖站', kind: 'railway', at: [-480, railAt(-480)] },
      { name: '人民广场', kind: 'metro', at: on(metro, 33) },
      { name: '南浦', kind: 'metro', at: on(metro, 15) },
    ],
  }
}

const centreOf = (ring: readonly Point[]): Point => {
  const corners = ring.slice(1)
  const sum = corners.reduce<[number, number]>(([x, y], [cx, cy]) => [x + cx, y + cy], [0, 0])
  return [sum[0] / corners.length, sum[1] / corners.length]
}

const stream = (seed: number, part: number) => createRandom(seed * 31 + part)

/** The streets and what shaped them: all that a vehicle needs of the city. */
export function makeStreetPlan(seed: number = citySeed): Pick<City, 'plan' | 'nature' | 'net'> & { patches: Patch[] } {
  const plan = makePlan(stream(seed, 1))
  const nature = makeNature(stream(seed, 2), plan)
  const patches = makePatches(plan)
  return { plan, nature, patches, net: makeStreets({ plan, nature, patches, random: stream(seed, 3) }) }
}

/** The whole city from its seed: the same seed gives the same city, on any machine. */
export function makeCity(seed: number = citySeed): City {
  const { plan, nature, patches, net } = makeStreetPlan(seed)
  const shaped = patches.map((patch) => ({ name: patch.name, kind: patch.kind, ring: outline(plan, patch) }))
  const parks = [...shaped.filter(({ kind }) => kind === 'park'), riverside(nature), ...lakeshore(nature)]
  const campuses = shaped.filter(({ kind }) => kind === 'campus')
  const { railways, stations } = makeRailways()
  const through = net.streets.filter(({ line }) => line === 'ring' || line === 'avenue')
  const green = [...parks, ...campuses].map(({ ring }) => ring)
  const built = makeBlocks({ plan, nature, patches, green, through, random: stream(seed, 4) })
  const rail = railways[0]?.line ?? []
  const buildings = built.buildings.filter(({ ring }) => distanceTo(ring[0] ?? [0, 0], rail) > 45)
  const named =
    (kind: Place['kind']) =>
    (thing: Named): Place => ({ name: thing.name, kind, at: centreOf(thing.ring) })
  return {
    seed,
    plan,
    nature,
    parks,
    campuses,
    net,
    blocks: built.blocks,
    buildings,
    railways,
    stations,
    places: [
      { name: cityName, kind: 'city', at: [0, 0] },
      { name: '澄江', kind: 'water', at: [-4200, riverAt(-4200)] },
      { name: '澄江', kind: 'water', at: [3900, riverAt(3900)] },
      ...nature.lakes.map(named('water')),
      ...parks.filter(({ name }) => name !== '澄湖湿地公园').map(named('park')),
      { name: '澄湖湿地公园', kind: 'park', at: [4850, -3900] },
      ...campuses.map(named('campus')),
    ],
  }
}

/** The frame of the city, counter-clockwise. */
export const cityFrame: Point[] = closed([
  [-cityHalf.x, -cityHalf.y],
  [cityHalf.x, -cityHalf.y],
  [cityHalf.x, cityHalf.y],
  [-cityHalf.x, cityHalf.y],
])
