/**
 * A place against 10,000 fences: look-ups a second on one core, beside turf in a loop and beside PostgreSQL in the same
 * run: `node bench/fences.ts [--quick]`. The answers of all are counted and have to be the same.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { booleanPointInPolygon } from '@turf/boolean-point-in-polygon'
import { Client } from 'pg'
import { metresPerDegree } from '@saddle/geo/earth.ts'
import { createFenceIndex } from '@saddle/server/geography/index/fenceIndex.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { createRandom } from './lib/random.ts'
import { compare, isQuick, judge, state, whole } from './lib/report.ts'

const goalPerSecond = 1_000_000
const goalRatio = 20
const fences = 10_000
const random = createRandom(20_261_121)
/** A city of some 60 km, with its fences where people are: closer in the middle. */
const near = (middle: number): number => middle + (random() + random() - 1) * 0.3
const [lng, lat] = [120.7, 31.25]

type Ring = [number, number][]

/** Of 4 to 40 corners and 20 to 300 m, with bays; one in ten with a hole. */
function makeFence(): { ring: Ring; holes: Ring[] } {
  const [x, y] = [near(lng), near(lat)]
  const size = (20 + random() * random() * 280) / metresPerDegree
  const corners = 4 + Math.floor(random() * 37)
  const ringOf = (share: number): Ring => {
    const ring = Array.from({ length: corners }, (_, at): [number, number] => {
      const angle = (at / corners) * 2 * Math.PI
      const away = size * share * (at % 2 === 0 ? 1 : 0.7)
      return [x + away * Math.cos(angle), y + away * Math.sin(angle)]
    })
    return ring.concat([ring[0] ?? [x, y]])
  }
  return { ring: ringOf(1), holes: random() < 0.1 ? [ringOf(0.3)] : [] }
}

const shapes = Array.from({ length: fences }, makeFence)
const placesOf = (count: number): Ring => Array.from({ length: count }, () => [near(lng), near(lat)])

type Took = { readonly wall: number; readonly processor: number }

/** Seconds by the clock, and of the processor alone: others may use the machine as well. */
function timed(work: () => void): Took {
  const [startedAt, used] = [performance.now(), process.cpuUsage()]
  work()
  const { user, system } = process.cpuUsage(used)
  return { wall: (performance.now() - startedAt) / 1_000, processor: (user + system) / 1e6 }
}

type Measured = { readonly perSecond: number; readonly hits: number }

const measured = (places: number, { processor }: Took, hits: number): Measured => ({
  perSecond: places / processor,
  hits,
})

function measureIndex(places: Ring): Measured {
  let index = createFenceIndex([])
  const { processor } = timed(() => {
    index = createFenceIndex(shapes)
  })
  state('index of 10,000 fences made in', `${(processor * 1_000).toFixed(1)} ms of the processor`)
  let hits = 0
  const look = (): void => {
    hits = 0
    for (const [x, y] of places) index.visit(x, y, () => (hits += 1))
  }
  look()
  const took = timed(look)
  return measured(places.length, took, hits)
}

function measureTurf(places: Ring): Measured {
  const polygons = shapes.map(({ ring, holes }) => ({
    type: 'Feature' as const,
    properties: {},
    geometry: { type: 'Polygon' as const, coordinates: [ring, ...holes] },
    bbox: boxOf(ring),
  }))
  let hits = 0
  const took = timed(() => {
    for (const place of places) for (const polygon of polygons) if (booleanPointInPolygon(place, polygon)) hits += 1
  })
  return measured(places.length, took, hits)
}

/** turf looks at the box first, where it is given one. */
function boxOf(ring: Ring): [number, number, number, number] {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** Seconds that another process has had of the processor; null where the system does not tell. */
function processorOf(pid: number): number | null {
  if (!existsSync(`/proc/${pid}/stat`)) return null
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // Hundredths of a second in user and in system mode.
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** One statement for all places, on one connection, without parallel workers; the boxes of the polygons in a GiST index. */
async function measurePostgres(places: Ring): Promise<Measured> {
  const dir = mkdtempSync(join(tmpdir(), 'saddle-bench-'))
  const postgres = await startEmbedded({ dataDir: dir, log: silentLog })
  const client = new Client({ connectionString: postgres.url })
  try {
    await client.connect()
    await client.query('set max_parallel_workers_per_gather = 0')
    await client.query('create temp table bench_fence (shape polygon, holes polygon[])')
    // In hundred-thousandths of a degree: PostgreSQL takes what differs by less than a millionth for the same.
    const scaled = (value: number, middle: number): number => (value - middle) * 1e5
    const text = (ring: Ring): string =>
      `(${ring
        .slice(0, -1)
        .map(([x, y]) => `(${scaled(x, lng)},${scaled(y, lat)})`)
        .join(',')})`
    await client.query(
      `insert into bench_fence select s::polygon, case when h = '' then '{}' else array[h::polygon] end
       from unnest($1::text[], $2::text[]) as f (s, h)`,
      [shapes.map(({ ring }) => text(ring)), shapes.map(({ holes }) => (holes[0] === undefined ? '' : text(holes[0])))],
    )
    await client.query('create index on bench_fence using gist (shape)')
    await client.query('analyze bench_fence')
    const query = `
      select count(*)::int as hits from unnest($1::float8[], $2::float8[]) as p (x, y)
      join bench_fence f on f.shape @> polygon(box(point(p.x, p.y), point(p.x, p.y)))
      where f.shape @> point(p.x, p.y) and not exists (
        select from unnest(f.holes) as hole where hole @> point(p.x, p.y)
      )`
    const values = [places.map(([x]) => scaled(x, lng)), places.map(([, y]) => scaled(y, lat))]
    await client.query(query, values)
    const pid = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
    const [startedAt, used] = [performance.now(), processorOf(pid)]
    const { rows } = await client.query<{ hits: number }>(query, values)
    const wall = (performance.now() - startedAt) / 1_000
    const processor = used === null ? wall : (processorOf(pid) ?? 0) - used
    return measured(places.length, { wall, processor }, rows[0]?.hits ?? 0)
  } finally {
    await client.end()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

const places = placesOf(isQuick ? 1_000_000 : 5_000_000)
const few = places.slice(0, isQuick ? 500 : 2_000)
const some = places.slice(0, isQuick ? 20_000 : 100_000)

const own = measureIndex(places)
const ofFew = measureIndex(few).hits
const ofSome = measureIndex(some).hits
const turf = measureTurf(few)
const postgres = await measurePostgres(some)

judge({
  what: 'look-ups in a second of one core',
  figure: whole(own.perSecond),
  isMet: own.perSecond >= goalPerSecond,
  goal: `>= ${whole(goalPerSecond)}`,
})
const beside = (what: string, mine: number, theirs: number): void =>
  compare({
    what,
    figure: `${whole(mine)}/s`,
    reference: `${whole(theirs)}/s`,
    ratio: mine / theirs,
    goal: { atLeast: goalRatio },
  })
beside('beside turf in a loop, boxes first', own.perSecond, turf.perSecond)
beside('beside PostgreSQL with a GiST index', own.perSecond, postgres.perSecond)
judge({
  what: 'fences found by all',
  figure: `${ofFew} and turf ${turf.hits}; ${ofSome} and PostgreSQL ${postgres.hits}`,
  isMet: ofFew === turf.hits && ofSome === postgres.hits,
  goal: 'the same',
})
