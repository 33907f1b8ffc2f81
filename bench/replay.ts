/**
 * The start of a replay: a day of 2,000 vehicles' history from the real database through the calls that the map makes, until
 * the first picture could be drawn, beside the same rows as JSON from a bare query; and the rest of the day:
 * `node bench/replay.ts [--quick]`. What the map itself takes for drawing it is in `map.ts`.
 */
import pg from 'pg'
import { pastEndpoints } from '@saddle/contract/fleet/past.ts'
import { decodeMoment, decodeStretches } from '@saddle/contract/telemetry/past.ts'
import { decodeTrack } from '@saddle/contract/telemetry/track.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { fromBase64Url } from '@saddle/contract/wire/bytes.ts'
import { startDemo, type Demo } from './lib/demo.ts'
import { createRandom } from './lib/random.ts'
import { isQuick, judge, median, quantile, say, state, whole } from './lib/report.ts'

/** As the map asks: a short first part, then long ones. */
const firstPartMs = 20 * minuteMs
const partMs = 2 * hourMs
const limitMs = 1_000
const starts = isQuick ? 6 : 30
const historyDays = isQuick ? 2 : 30

const bytesOf = (text: string): Uint8Array => fromBase64Url(text) ?? new Uint8Array(0)

/** Everything until the first picture: both calls, and their answers read. */
async function start(demo: Demo, from: number): Promise<{ ms: number; bytes: number; vehicles: number }> {
  const startedAt = performance.now()
  const [part, moment] = await Promise.all([
    demo.call(pastEndpoints.replayPart, { from, to: from + firstPartMs, isFirst: true }),
    demo.call(pastEndpoints.fleetAt, { at: from }),
  ])
  const vehicles = decodeMoment(bytesOf(moment.data.bytes)).length
  for (const { points } of decodeStretches(bytesOf(part.data.bytes))) if (points.length > 0) decodeTrack(points)
  return { ms: performance.now() - startedAt, bytes: part.data.bytes.length + moment.data.bytes.length, vehicles }
}

/** The stretches that touch the first part, with their points, as plain JSON from a bare connection. */
async function startBare(database: pg.Client, from: number): Promise<{ ms: number; bytes: number }> {
  const startedAt = performance.now()
  const { rows } = await database.query<{ points: Buffer }>(
    `select vehicle_id, kind, started_at, ended_at, start_lat, start_lng, end_lat, end_lng, battery_start, battery_end,
       points
     from track_segment where started_at >= $1 and started_at < $3 and ended_at > $2`,
    [new Date(from - dayMs), new Date(from), new Date(from + firstPartMs)],
  )
  const told = rows.map((row) =>
    Object.assign({}, row, { points: row.points.length > 0 ? decodeTrack(row.points) : [] }),
  )
  const text = JSON.stringify(told)
  JSON.parse(text)
  return { ms: performance.now() - startedAt, bytes: text.length }
}

async function measureRest(demo: Demo, from: number): Promise<{ ms: number; bytes: number; stretches: number }> {
  const startedAt = performance.now()
  let [bytes, stretches] = [0, 0]
  for (let at = from + firstPartMs; at < from + dayMs; at += partMs) {
    const to = Math.min(at + partMs, from + dayMs)
    const { data } = await demo.call(pastEndpoints.replayPart, { from: at, to, isFirst: false })
    bytes += data.bytes.length
    stretches += decodeStretches(bytesOf(data.bytes)).length
  }
  return { ms: performance.now() - startedAt, bytes, stretches }
}

const demo = await startDemo({ historyDays })
const database = new pg.Client({ connectionString: demo.databaseUrl })
try {
  await database.connect()
  const random = createRandom(20_261_121)
  const last = Date.now() - dayMs - hourMs
  const span = (historyDays - 1) * dayMs - 4 * hourMs
  const moments = Array.from({ length: starts }, () => Math.floor(last - random() * span))
  const results = []
  for (const from of moments) {
    const bare = await startBare(database, from)
    results.push({ bare, ours: await start(demo, from) })
  }
  const [first] = results
  const ours = results.map((one) => one.ours.ms)
  const bare = results.map((one) => one.bare.ms)
  say(`replay of a day of ${whole(first?.ours.vehicles ?? 0)} vehicles, ${historyDays} days of history`)
  const kB = (bytes: number): string => `${whole(bytes / 1e3)} kB`
  const sizes = `${kB(median(results.map((one) => one.ours.bytes)))}, as JSON ${kB(median(results.map((one) => one.bare.bytes)))}`
  judge({
    what: 'start of a replay: calls, and answers read',
    figure: `median ${whole(median(ours))} ms, slowest ${whole(quantile(ours, 1))} ms, the very first ${whole(ours[0] ?? 0)} ms`,
    isMet: quantile(ours, 1) <= limitMs,
    goal: `<= ${whole(limitMs)} ms`,
  })
  state('the same rows, bare query and JSON', `median ${whole(median(bare))} ms; bytes ${sizes}`)
  const rest = await measureRest(demo, moments[0] ?? last)
  const pace = `${whole(rest.stretches)} stretches in ${whole(rest.ms)} ms, ${kB(rest.bytes)}`
  state('the rest of the day, part by part', pace)
} finally {
  await database.end()
  await demo.stop()
}
