/**
 * The ledger at full durability: `node bench/ledger.ts [rounds] [seconds]`. One by one on 8 connections beside a bare
 * transaction of one insert and two updates; by group commit beside a bare statement that inserts 500 transfers and
 * moves their balances. Load generator and PostgreSQL share the cores of this machine; the rounds alternate, so that
 * other load on the machine affects all of them.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { systemClock } from '@saddle/server/kit/clock.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { openDatabase, type Database } from '@saddle/server/kit/db/pool.ts'
import { createLog, silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { createLedger, type Ledger } from '@saddle/server/finance/ledger/ledger.ts'
import type { Entry } from '@saddle/server/finance/ledger/rules.ts'
import { postOne, resolve, runAlone } from '@saddle/server/finance/ledger/store.ts'
import { verifyLedger } from '@saddle/server/finance/ledger/verify.ts'

const [rounds = 5, seconds = 3] = process.argv.slice(2).map(Number)
const AGENTS = 200
const RIDERS_OF_AGENT = 50
const CONNECTIONS = 8
const BATCH = 500
const CALLERS = 4_000
const FIRST_AGENT = 10_001
const RECHARGE_CENTS = 1_000_000_000

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const below = (bound: number): number => Math.floor(Math.random() * bound)
const perSecond = (n: number): string => Math.round(n).toLocaleString('en').padStart(7)
let lastOrder = 0

function rideCharge(): Entry {
  lastOrder += 1
  const rider = { kind: 'rider_balance', ownerId: 1 + below(RIDERS_OF_AGENT) } as const
  return {
    agentId: FIRST_AGENT + below(AGENTS),
    kind: 'ride_charge',
    reference: `order:${lastOrder}`,
    lines: [
      { account: rider, amountCents: -350 },
      { account: { kind: 'agent_revenue' }, amountCents: 320 },
      { account: { kind: 'platform_fee' }, amountCents: 30 },
    ],
  }
}

/** Runs `work` over and over on so many lanes for the seconds of a round; how many it did in a second. */
async function rate(lanes: number, work: (lane: number) => Promise<number>): Promise<number> {
  const startedAt = performance.now()
  const until = startedAt + seconds * 1_000
  let done = 0
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (performance.now() < until) {
        const finished = await work(lane)
        done += finished
      }
    }),
  )
  return done / ((performance.now() - startedAt) / 1_000)
}

const account = (): number => 1 + below(AGENTS * RIDERS_OF_AGENT)

async function bareTransaction(client: pg.Client): Promise<number> {
  const [source, target] = [account(), account()].toSorted((a, b) => a - b)
  const move = { name: 'move', text: 'update bare_account set balance = balance + $2 where id = $1' }
  await client.query('begin')
  await client.query({
    name: 'insert',
    text: 'insert into bare_transfer (source, target, amount) values ($1, $2, $3)',
    values: [source, target, 350],
  })
  await client.query({ ...move, values: [source, -350] })
  await client.query({ ...move, values: [target, 350] })
  await client.query('commit')
  return 1
}

async function bareBatch(client: pg.Client): Promise<number> {
  const sources = Array.from({ length: BATCH }, account)
  const targets = Array.from({ length: BATCH }, account)
  const text = `with transfer as (
      insert into bare_transfer (source, target, amount) select s, t, 350 from unnest($1::bigint[], $2::bigint[]) as n (s, t)
    )
    update bare_account a set balance = a.balance + d.delta
    from (
      select id, sum(delta) as delta
      from (select unnest($1::bigint[]), -350 union all select unnest($2::bigint[]), 350) as n (id, delta) group by id
    ) d where a.id = d.id`
  await client.query({ name: 'batch', text, values: [`{${sources.join()}}`, `{${targets.join()}}`] })
  return BATCH
}

async function prepare(url: string, ledger: Ledger): Promise<void> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await owner.query(
    `insert into agent (id, parent_id, company) overriding system value
     select ${FIRST_AGENT - 1} + n, case when n > 1 then ${FIRST_AGENT} end, 'agent' from generate_series(1, ${AGENTS}) n`,
  )
  await owner.query(`create table bare_account (id bigint primary key, balance bigint not null) with (fillfactor = 60)`)
  await owner.query(`create table bare_transfer (id bigint generated always as identity primary key,
    source bigint not null, target bigint not null, amount bigint not null, at timestamptz not null default now())`)
  await owner.query(`insert into bare_account select n, 0 from generate_series(1, ${AGENTS * RIDERS_OF_AGENT}) n`)
  for (let agent = 0; agent < AGENTS; agent += 1) {
    const recharges = Array.from({ length: RIDERS_OF_AGENT }, (_, rider): Entry => ({
      agentId: FIRST_AGENT + agent,
      kind: 'recharge',
      reference: `recharge:${agent}-${rider}`,
      lines: [
        { account: { kind: 'clearing_sandbox' }, amountCents: -RECHARGE_CENTS },
        { account: { kind: 'rider_balance', ownerId: rider + 1 }, amountCents: RECHARGE_CENTS },
      ],
    }))
    const failed = (await ledger.postMany(recharges)).find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    await ledger.openAccount({ agentId: FIRST_AGENT + agent, account: { kind: 'agent_revenue' } })
    await ledger.openAccount({ agentId: FIRST_AGENT + agent, account: { kind: 'platform_fee' } })
  }
  await owner.query('vacuum analyze')
  await owner.query('checkpoint')
  await owner.end()
}

type Round = { bare: number; ledger: number }

function report(title: string, results: readonly Round[], bareTitle: string): void {
  const sorted = results.toSorted((a, b) => a.ledger / a.bare - b.ledger / b.bare)
  const median = sorted[Math.floor(sorted.length / 2)]!
  const ratios = sorted.map(({ bare, ledger }) => (ledger / bare).toFixed(2)).join(' ')
  say(`${title} ${perSecond(median.ledger)} entries/s = ${(median.ledger / median.bare).toFixed(2)} x ${bareTitle}`)
  say(`  ${perSecond(median.bare).trim()} /s bare; all rounds: ${ratios}`)
}

async function measure(db: Database, url: string): Promise<void> {
  const ledger = createLedger({ db, clock: systemClock, log: silentLog })
  await prepare(url, ledger)
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  const clientOf = (lane: number): pg.Client => clients[lane]!
  const alone: Round[] = []
  const grouped: Round[] = []
  for (let round = 0; round < rounds; round += 1) {
    alone.push({
      bare: await rate(CONNECTIONS, (lane) => bareTransaction(clientOf(lane))),
      ledger: await rate(CONNECTIONS, async () => {
        const entry = rideCharge()
        const accounts = entry.lines.map((line) => line.account)
        const accountIds = await Promise.all(
          accounts.map((account) => ledger.openAccount({ agentId: entry.agentId, account })),
        )
        const resolved = resolve({ entry, accountIds, reverses: null, now: Date.now() })
        const { outcome } = await postOne(runAlone(db), resolved)
        if (outcome !== 'posted') throw new Error(outcome)
        return 1
      }),
    })
    grouped.push({
      bare: await rate(1, (lane) => bareBatch(clientOf(lane))),
      ledger: await rate(CALLERS, async () => {
        await ledger.post(rideCharge())
        return 1
      }),
    })
  }
  await Promise.all(clients.map((client) => client.end()))
  report('one by one, 8 connections:  ', alone, 'a bare transaction of one insert and two updates')
  report('group commit, 4,000 callers:', grouped, 'a bare statement of 500 transfers')
  await ledger.close()
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-ledger-'))
  const postgres = await startEmbedded({ dataDir, log: createLog({ level: 'error' }) })
  try {
    await migrate({ url: postgres.url, log: silentLog })
    const db = openDatabase({ url: postgres.url, log: silentLog, systemConnections: CONNECTIONS })
    await measure(db, postgres.url)
    const startedAt = performance.now()
    const result = await verifyLedger(db)
    const ms = performance.now() - startedAt
    say(
      `verify: ${result.entries.toLocaleString('en')} entries in ${(ms / 1_000).toFixed(1)} s, faults: ${result.faults.length}`,
    )
    await db.close()
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await main()
