/**
 * The live index: a viewport of 100,000 vehicles while 50,000 of them move each second, beside a static kdbush of the
 * same places; the clusters of every zoom beside supercluster, which has to load what moved before it can answer; and
 * the memory of 1,000,000 vehicles: `node bench/live-index.ts [--quick]`.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import KDBush from 'kdbush'
import Supercluster from 'supercluster'
import type { Bounds } from '@saddle/contract/telemetry/live.ts'
import { createLiveIndex } from '@saddle/server/telemetry/live/liveIndex.ts'
import {
  areaOf,
  around,
  cityBox,
  createMoves,
  createPlaces,
  factsOf,
  loadIndex,
  makePlaces,
  fullVisibility,
} from './lib/fleet.ts'
import { createRandom } from './lib/random.ts'
import { compare, isQuick, judge, median, quantile, say, state, whole } from './lib/report.ts'

const vehicles = 100_000
const movesPerSecond = 50_000
/** Moves come in slices of this many milliseconds, as the writer's batches do. */
const sliceMs = 20
const seed = 20_261_121
const memoryVehicles = 1_000_000
const memoryLimitMb = 200

function timed(work: () => void): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

/** `times`: the number of places queried between two clock readings. */
const viewSizes = [
  { name: 'a street, 1 km', km: 1, times: 50 },
  { name: 'a quarter, 4 km', km: 4, times: 10 },
  { name: 'half a city, 12 km', km: 12, times: 1 },
  { name: 'the whole city', km: 60, times: 1 },
] as const

function measureViews(): void {
  const places = makePlaces(vehicles, seed)
  const index = createLiveIndex({ nowMs: Date.now() })
  loadIndex(index, places)
  const bush = new KDBush(places.length)
  for (const { lng, lat } of places) bush.add(lng, lat)
  bush.finish()
  const random = createRandom(seed + 2)
  const look = (bounds: Bounds) => ({ bounds, visibility: fullVisibility })
  const nearby = around(places[0]!, 4)
  const expected = bush.range(nearby.west, nearby.south, nearby.east, nearby.north).length
  // Places are kept to a millionth of a degree: one on the very edge may fall to the other side.
  const found = index.search(look(nearby)).length
  if (Math.abs(found - expected) > 2) throw new Error(`the index found ${found} vehicles where ${expected} are`)

  const move = createMoves(places, seed + 1)
  const times = viewSizes.map(() => ({ ours: [] as number[], theirs: [] as number[] }))
  const moving: number[] = []
  const slices = isQuick ? 150 : 500
  for (let slice = -50; slice < slices; slice += 1) {
    const moves = move((movesPerSecond * sliceMs) / 1_000)
    const took = timed(() => index.update(moves))
    if (slice >= 0) moving.push(took)
    for (const [n, size] of viewSizes.entries()) {
      // Different places each time: repeated queries would let the processor predict every branch.
      const views = Array.from({ length: size.times }, () =>
        look(around(places[Math.floor(random() * places.length)]!, size.km)),
      )
      const theirs = timed(() => {
        for (const { bounds } of views) bush.range(bounds.west, bounds.south, bounds.east, bounds.north)
      })
      const ours = timed(() => {
        for (const view of views) index.search(view)
      })
      if (slice < 0) continue
      const row = times[n]!
      row.ours.push(ours / size.times)
      row.theirs.push(theirs / size.times)
    }
  }
  const spent = moving.reduce((sum, took) => sum + took, 0) / (moving.length * sliceMs)
  state('moves taken in', `${whole(movesPerSecond)}/s take ${(spent * 100).toFixed(1)} % of one core`)
  for (const [n, size] of viewSizes.entries()) {
    const { ours, theirs } = times[n]!
    const ratio = median(ours) / median(theirs)
    const [own, other] = [median(ours).toFixed(3), median(theirs).toFixed(3)]
    const figure = `${own} ms (p99 ${quantile(ours, 0.99).toFixed(3)})`
    const what = `viewport, ${size.name}`
    compare({ what, figure, reference: `kdbush at rest ${other} ms`, ratio, goal: { atMost: 1.5 } })
  }
}

/** A window of 1440 by 900 pixels at a zoom of the map. */
function windowAt(zoom: number): Bounds {
  const degreesPerPixel = 360 / (512 * 2 ** zoom)
  const centre = { lng: (cityBox.west + cityBox.east) / 2, lat: (cityBox.south + cityBox.north) / 2 }
  const half = { lng: Math.min(179, 720 * degreesPerPixel), lat: Math.min(55, 450 * degreesPerPixel * 0.855) }
  return {
    west: Math.max(-180, centre.lng - half.lng),
    east: Math.min(180, centre.lng + half.lng),
    south: centre.lat - half.lat,
    north: centre.lat + half.lat,
  }
}

function measureClusters(): void {
  const places = makePlaces(vehicles, seed)
  const index = createLiveIndex({ nowMs: Date.now() })
  loadIndex(index, places)
  const points = places.map(({ lng, lat }, n) => ({
    type: 'Feature' as const,
    properties: { id: n + 1 },
    geometry: { type: 'Point' as const, coordinates: [lng, lat] as [number, number] },
  }))
  const rounds = isQuick ? 3 : 9
  const reloads = Array.from({ length: rounds }, () => {
    let other = new Supercluster({ radius: 60, maxZoom: 16 })
    const took = timed(() => {
      other = new Supercluster({ radius: 60, maxZoom: 16 })
      other.load(points)
    })
    return { other, took }
  })
  const reload = median(reloads.map(({ took }) => took))
  const { other } = reloads.at(-1)!
  const filters = [
    { name: 'clusters, the dearest of zooms 0 to 18', filter: undefined },
    { name: 'clusters of those under 30 %, likewise', filter: { batteryTo: 30 } },
  ] as const
  for (const { name, filter } of filters) {
    let worst = { zoom: 0, ours: 0, theirs: 0, ratio: 0, cells: 0 }
    for (let zoom = 0; zoom <= 18; zoom += 1) {
      const bounds = windowAt(zoom)
      const { west, south, east, north } = bounds
      const ask = () =>
        index.clusters({ bounds, visibility: fullVisibility, zoom, ...(filter !== undefined && { filter }) })
      const query = () => other.getClusters([west, south, east, north], zoom)
      const many = Array.from({ length: 15 }, () => ({ ours: timed(ask), theirs: timed(query) }))
      const ours = median(many.map((one) => one.ours))
      const theirs = reload + median(many.map((one) => one.theirs))
      const ratio = ours / theirs
      if (ratio > worst.ratio) worst = { zoom, ours, theirs, ratio, cells: ask().length }
    }
    compare({
      what: name,
      figure: `zoom ${worst.zoom}: ${worst.ours.toFixed(3)} ms for ${worst.cells} cells`,
      reference: `supercluster, load and query ${worst.theirs.toFixed(1)} ms`,
      ratio: worst.ratio,
      goal: { atMost: 0.25 },
    })
  }
}

/** Runs as a process of its own, so that nothing else is in the figures. */
function measureMemory(): void {
  const { gc } = globalThis
  if (gc === undefined) throw new Error('needs --expose-gc')
  const kept = (): number => {
    gc()
    gc()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const next = createPlaces(seed)
  const before = kept()
  const index = createLiveIndex({ nowMs: Date.now() })
  for (let from = 0; from < memoryVehicles; from += 5_000) {
    index.update(
      Array.from({ length: 5_000 }, (_, n) => {
        const place = next()
        return factsOf(from + n + 1, 1, Object.assign({}, place, areaOf(place)))
      }),
    )
  }
  const megabytes = (kept() - before) / 1e6
  if (index.size !== memoryVehicles) throw new Error('vehicles are missing')
  judge({
    what: `memory of ${whole(memoryVehicles)} vehicles`,
    figure: `${megabytes.toFixed(0)} MB (resident ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB with Node itself)`,
    isMet: megabytes <= memoryLimitMb,
    goal: `<= ${memoryLimitMb} MB`,
  })
}

if (process.argv.includes('--memory')) {
  measureMemory()
} else {
  say(`live index, ${whole(vehicles)} vehicles, seed ${seed}`)
  measureViews()
  measureClusters()
  const self = fileURLToPath(import.meta.url)
  const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', self, '--memory']
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  process.exitCode = status ?? 1
}
