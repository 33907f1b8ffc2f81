/**
 * Searching the audit trail by person, thing and time, beside a look-up by primary key in the same run:
 * `node bench/audit.ts [--lines=10000000] [--quick]`. Fills a throw-away database first; the searches then go through
 * the handlers of the calls, names and row level security included. Each plan is checked to read no table as a whole.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import type { AuditFilter } from '@saddle/contract/audit/records.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { createAudit, createAuditLog } from '@saddle/server/audit/public.ts'
import { selectRecords, type Search } from '@saddle/server/audit/search/store.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { sessionCall, testKit } from '@saddle/server/test/kit.ts'
import { diceFunction, fillLines, fillWorld, firstCompany, yearStartMs, type AuditWorld } from './lib/auditLines.ts'
import { createRandom } from './lib/random.ts'
import { isQuick, judge, quantile, say, state, whole } from './lib/report.ts'

const goalMs = 100
const rounds = isQuick ? 40 : 200
const given = process.argv.find((word) => word.startsWith('--lines='))
const lines = given === undefined ? (isQuick ? 1_000_000 : 10_000_000) : Number(given.slice('--lines='.length))
const world: AuditWorld = { lines, companies: 2_000, people: 10_000, vehicles: 100_000 }
const permissions = ['1402', '1403', '1404']
const random = createRandom(20_261_121)
const below = (count: number): number => Math.floor(random() * count)

type LogQuery = {
  readonly filter: AuditFilter
  readonly search: Pick<Search, 'operatorIds' | 'subjects' | 'from' | 'to' | 'actions' | 'kinds'>
}

/** What is asked, another each time, and the same for the statement alone. */
const questions: Readonly<Record<string, () => LogQuery>> = {
  'the newest': () => ({ filter: {}, search: {} }),
  'by time: an hour of the year': () => {
    const from = yearStartMs + below(364 * 24) * hourMs
    const span = { from, to: from + hourMs }
    return { filter: span, search: span }
  },
  'by person': () => {
    const operatorId = 1 + below(world.people)
    return { filter: { operatorId }, search: { operatorIds: [operatorId] } }
  },
  'by person within a week': () => {
    const from = yearStartMs + below(358) * dayMs
    const span = { from, to: from + 7 * dayMs }
    const operatorId = 1 + below(world.people)
    return { filter: { operatorId, ...span }, search: { operatorIds: [operatorId], ...span } }
  },
  'by thing': () => {
    const id = String(1 + below(world.vehicles))
    return { filter: { subjectKind: 'vehicle', subjectId: id }, search: { subjects: [{ kind: 'vehicle', id }] } }
  },
  'by a vehicle’s number': () => {
    const id = 1 + below(world.vehicles)
    const subject = `SD${String(id).padStart(7, '0')}`
    return { filter: { subject }, search: { subjects: [{ kind: 'vehicle', id: String(id) }] } }
  },
  'by two acts': () => {
    const actions = [`act.kind_${below(40)}`, `act.kind_${below(40)}`]
    return { filter: { actions }, search: { actions } }
  },
  'by kind of thing': () => ({ filter: { subjectKind: 'role' }, search: { kinds: ['role'] } }),
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-bench-'))
  const postgres = await startEmbedded({ dataDir, log: silentLog })
  try {
    await migrate({ url: postgres.url, log: silentLog })
    const started = performance.now()
    const client = new Client({ connectionString: postgres.url })
    await client.connect()
    await client.query(diceFunction)
    await fillWorld(client, world)
    await fillLines(client, world)
    const { rows } = await client.query<{ size: string }>(
      `select pg_size_pretty(pg_total_relation_size('audit_record')) as size`,
    )
    await client.end()
    state(
      `${whole(lines)} lines of ${whole(world.companies)} companies`,
      `${rows[0]?.size}, filled in ${whole((performance.now() - started) / 1_000)} s`,
    )
    await measure(postgres.url)
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measure(url: string): Promise<void> {
  const db = openDatabase({ url, log: silentLog })
  const kit = testKit(db)
  const audit = createAudit(kit)
  const { handlers } = createAuditLog(kit, { audit, phoneHash: (phone) => phone })
  const companies = (count: number): number[] => Array.from({ length: count }, (_, index) => firstCompany + index)
  const callOf = (count: number) => {
    const agentIds = companies(count)
    return sessionCall({
      operatorId: 1,
      agentId: firstCompany,
      permissions,
      grant: { agentIds, areaIds: agentIds.map((id) => id - firstCompany + 1) },
    })
  }
  try {
    const reference = await times(rounds, async () => {
      const id = 1 + below(lines)
      await db.read({ ...callOf(1).scope }, (k) => sql`select * from audit_record where id = ${id}`.compile(k))
    })
    state('reference: one line by primary key', figures(reference))
    for (const count of [1, 200, world.companies]) {
      const call = callOf(count)
      for (const [what, ask] of Object.entries(questions)) {
        await plan({ db, call, search: ask().search, what })
        const taken = await times(rounds, async () => {
          await handlers.userLogs({ filter: ask().filter, sort: 'at', pageSize: 50 }, call)
        })
        judge({
          what: `${what}, ${whole(count)} ${count === 1 ? 'company' : 'companies'}`,
          figure: `${figures(taken)}, x ${whole(quantile(taken, 0.5) / quantile(reference, 0.5))} of the reference`,
          isMet: quantile(taken, 0.99) <= goalMs,
          goal: `p99 <= ${goalMs} ms`,
        })
      }
    }
    await writes({ db, audit })
  } finally {
    await db.close()
  }
}

/** One line more on the longest chain, and on one that begins, each in a transaction of its own. */
async function writes({
  db,
  audit,
}: {
  db: ReturnType<typeof openDatabase>
  audit: ReturnType<typeof createAudit>
}): Promise<void> {
  const entry = { operatorId: 1, action: 'vehicle.lock', subjectKind: 'vehicle', subjectId: 1 } as const
  const write = (agentId: number) => () => db.system((tx) => audit.write(tx, { ...entry, agentId }))
  const empty = await times(rounds, () => db.system((tx) => sql`select 1`.execute(tx)))
  const chained = await times(rounds, write(firstCompany))
  state('reference: a transaction that writes nothing', figures(empty))
  state('a line at the end of the longest chain', figures(chained))
}

const figures = (taken: readonly number[]): string =>
  `p50 ${quantile(taken, 0.5).toFixed(2)} ms, p99 ${quantile(taken, 0.99).toFixed(2)} ms`

async function times(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  // The first few prepare statements and fill caches.
  for (let round = -5; round < count; round += 1) {
    const started = performance.now()
    await work()
    if (round >= 0) taken.push(performance.now() - started)
  }
  return taken
}

/** Throws when the search would read a large table as a whole. */
async function plan(options: {
  db: ReturnType<typeof openDatabase>
  call: ReturnType<typeof sessionCall>
  search: LogQuery['search']
  what: string
}): Promise<void> {
  const { db, call, search, what } = options
  const rows = await db.read(call.scope, (kysely) =>
    sql<{
      'QUERY PLAN': string
    }>`explain (analyze, buffers) ${selectRecords({ ...search, scope: call.scope, direction: 'desc', after: null, alsoActions: [], withRiders: false, limit: 51 })}`.compile(
      kysely,
    ),
  )
  const text = rows.map((row) => row['QUERY PLAN']).join('\n')
  if (process.argv.includes('--plans')) say(text)
  if (/Seq Scan on audit_(line|mention)/.test(text)) throw new Error(`${what} reads a table as a whole:\n${text}`)
}

await main()
