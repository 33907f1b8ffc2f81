/**
 * The public feed of 2,000 vehicles over HTTP: readers who have the newest one are answered 304, others the whole feed:
 * `node bench/feeds.ts [--quick]`. Beside it a bare server answers 304 at once. The clock of the server moves by half a second
 * with each request, so that every fourth one reads the table, as in a city's day.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { registerGbfs } from '@saddle/server/app/gbfsFeeds.ts'
import { createFeedServer } from '@saddle/server/feeds/publication/serve.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { openDatabase, type Database } from '@saddle/server/kit/db/pool.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { testKit } from '@saddle/server/test/kit.ts'
import { compare, isQuick, judge, median, quantile } from './lib/report.ts'

const reads = isQuick ? 400 : 4_000
const vehicles = 2_000
const stepMs = 500
const goalMs = 2
const path = '/gbfs/31/vehicle_status.json'

const dataDir = mkdtempSync(join(tmpdir(), 'saddle-bench-feeds-'))
const postgres = await startEmbedded({ dataDir, log: silentLog })
try {
  await migrate({ url: postgres.url, log: silentLog })
  const db = openDatabase({ url: postgres.url, log: silentLog })
  await measure(db)
  await db.close()
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure(db: Database): Promise<void> {
  await fill(db)
  const kit = testKit(db, { DATA_DIR: dataDir })
  const http = fastify()
  registerGbfs({ http, kit, gbfs: createFeedServer(kit, () => 'http://localhost') })
  const url = await http.listen({ port: 0, host: '127.0.0.1' })
  const first = await fetch(url + path)
  await first.arrayBuffer()
  const etag = first.headers.get('etag') ?? ''
  const step = (): void => kit.clock.advance(stepMs)
  await timesOf(url + path, { etag, status: 304, step })
  const known = await timesOf(url + path, { etag, status: 304, step })
  const whole = await timesOf(url + path, { etag: '"another"', status: 200, step })
  const bare = fastify()
  bare.get(path, (_request, reply) => reply.code(304).send())
  const plain = await timesOf((await bare.listen({ port: 0, host: '127.0.0.1' })) + path, { etag, status: 304, step })
  await Promise.all([http, bare].map((server: FastifyInstance) => server.close()))
  const p99 = quantile(known, 0.99)
  judge({
    what: `${reads} readers who have the newest feed, p99`,
    figure: `${p99.toFixed(2)} ms, median ${median(known).toFixed(2)} ms`,
    isMet: p99 <= goalMs,
    goal: `<= ${goalMs} ms`,
  })
  compare({
    what: 'median beside a bare server that answers 304',
    figure: `${median(known).toFixed(2)} ms`,
    reference: `${median(plain).toFixed(2)} ms`,
    ratio: median(known) / median(plain),
    goal: { atMost: 5 },
  })
  judge({
    what: `the whole feed of ${vehicles} vehicles, median`,
    figure: `${median(whole).toFixed(2)} ms`,
    isMet: median(whole) <= goalMs * 10,
    goal: `<= ${goalMs * 10} ms`,
  })
}

async function timesOf(
  url: string,
  { etag, status, step }: { readonly etag: string; readonly status: number; readonly step: () => void },
): Promise<number[]> {
  const times: number[] = []
  for (let read = 0; read < reads; read += 1) {
    step()
    const began = performance.now()
    const answer = await fetch(url, { headers: { 'if-none-match': etag } })
    await answer.arrayBuffer()
    times.push(performance.now() - began)
    if (answer.status !== status) throw new Error(`answered ${answer.status} instead of ${status}`)
  }
  return times
}

async function fill(db: Database): Promise<void> {
  const rows = Array.from({ length: vehicles }, (_, index) => ({
    vehicle_id: `${'0123456789abcdef'.repeat(2)}${index}`,
    lat: 31.3 + index / 1e5,
    lon: 120.6,
    is_reserved: false,
    is_disabled: false,
    vehicle_type_id: 'sd-e2',
    last_reported: '2026-11-21T04:00:00Z',
    current_range_meters: 20_000 + index,
  }))
  const body = gzipSync(JSON.stringify({ last_updated: '2026-11-21T04:00:00Z', ttl: 60, data: { vehicles: rows } }))
  await db.system(async (tx) => {
    await sql`insert into agent (id, parent_id, company) values (3, null, 'a company')`.execute(tx)
    await sql`insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring)
      values (31, 3, 'an area', 31.3, 120.6, '[[120,31],[121,31],[121,32],[120,31]]')`.execute(tx)
    await sql`insert into gbfs_setting (agent_id, is_public, contact_email, id_key_sealed, changed_at, changed_by)
      values (3, true, 'a@example.com', 's', now(), 'a person')`.execute(tx)
    await sql`insert into gbfs_feed (area_id, agent_id, name, body, bytes, etag, published_at, tried_at)
      values (31, 3, 'vehicle_status', ${body}, ${body.length}, ${'0'.repeat(32)}, now(), now())`.execute(tx)
  })
}
