import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createSeededRandom } from '#kit/random.ts'
import { testDatabase } from '#test/database.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { filer, financePerson, submitAll } from './submitAll.fixture.ts'
import { withdrawalsThatDisagree } from './verify.ts'
import { bankWorld } from './withdrawals.fixture.ts'
import { thorough } from '../../../../../scripts/lib/thorough.mjs'

/**
 * A process that submits, confirms and sends withdrawals to a bank behind a socket is killed at random moments; what
 * follows it continues. Another company does the same without a kill: both end the same, and the bank has paid each once.
 */
const rounds = thorough({ normal: 6, long: 40, full: 200 })
/** Of each round; the last is above what one person may draw. */
const amounts = [10_000, 12_345, 20_001, 60_000]
const [undisturbed, killed] = [3, 4]

const { db, owner, url } = await testDatabase()
const world = await bankWorld({ db, owner })
const { clock, bank, server, keys, handlers, withdrawals, deliver } = world
const random = createSeededRandom(20_261_123)
const below = (bound: number): number => Math.floor(random.fraction() * bound)
const script = fileURLToPath(import.meta.resolve('#test/submitWithdrawals.ts'))

/** Called for each request that reaches the bank. */
let noteRequest = (): void => {}
const line = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    noteRequest()
    const answer = server.serve(request.url?.split('/').at(-1) ?? '', Buffer.concat(parts).toString('utf8'))
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  })
})
await new Promise<void>((resolve) => {
  line.listen(0, '127.0.0.1', resolve)
})
afterAll(() => new Promise((resolve) => line.close(resolve)))

const pem = { type: 'pkcs8', format: 'pem' } as const
const compiledDir = mkdtempSync(join(tmpdir(), 'saddle-compiled-'))
afterAll(() => rmSync(compiledDir, { recursive: true, force: true }))
const environment = {
  ...process.env,
  NODE_COMPILE_CACHE: compiledDir,
  DATABASE_URL: url,
  BANK_URL: `http://127.0.0.1:${(line.address() as AddressInfo).port}`,
  BANK_MEMBER: server.memberId,
  BANK_OWN_KEY: String(keys.platform().own.export(pem)),
  BANK_OTHER_KEY: String(keys.platform().other.export({ type: 'spki', format: 'pem' })),
}

async function fileAll(agentId: number, { cardId, account }: { cardId: number; account: string }): Promise<void> {
  const call = financePerson(filer, agentId)
  for (const cents of amounts) {
    const { data } = await handlers.fileWithdrawal({ cardId, cents }, call)
    const { data: link } = await handlers.authoriseWithdrawal({ id: data.id }, call)
    await world.enterPassword(link.redirectUrl, account)
  }
}

const launch = () =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, String(killed)], {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
/** Loads the server while the round before it goes on: that takes longer than all its work. */
let waiting = launch()
afterAll(() => waiting.kill('SIGKILL'))

/** Killed about when it asks the bank for the n-th time: how far it has come then is left to chance. */
async function submitUntilKilled({ requests, afterMs }: { requests: number; afterMs: number }): Promise<void> {
  const child = waiting
  waiting = launch()
  child.stdin.end(`${clock.now()}\n`)
  const end = new Promise((resolve) => child.once('close', resolve))
  const begin = new Promise((resolve) => child.stdout.once('data', resolve))
  let left = requests
  const reached = new Promise<void>((resolve) => {
    noteRequest = () => {
      left -= 1
      if (left <= 0) resolve()
    }
  })
  await Promise.race([requests === 0 ? begin : reached, end])
  await pause(afterMs)
  child.kill('SIGKILL')
  await end
}

/** What follows the killed process: the same work, until nothing is open. */
async function finish(agentId: number): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await submitAll({ db, handlers, withdrawals }, agentId)
    const open = await owner
      .selectFrom('withdrawal')
      .select('id')
      .where('agent_id', '=', agentId)
      .where('state', '<>', 'paid')
      .execute()
    if (open.length === 0) return
    clock.advance(2 * 60_000)
    await deliver()
  }
  throw new Error('withdrawals are still open')
}

it(`ends the same and pays nothing twice, killed ${rounds} times`, { timeout: rounds * minuteMs }, async () => {
  const accounts = new Map([
    [undisturbed, await world.openAccount(undisturbed)],
    [killed, await world.openAccount(killed)],
  ])
  clock.advance(2 * dayMs)
  await owner
    .insertInto('withdrawal_terms')
    .values(
      [undisturbed, killed].map((agentId) => ({
        agent_id: agentId,
        version: 1,
        terms: JSON.stringify({
          isAllowed: true,
          minCents: 100,
          dailyCents: 200_000,
          feeCents: 7,
          secondCents: 50_000,
        }),
        reason: '测试',
        made_at: new Date(0),
        made_by: '平台',
      })),
    )
    .execute()
  for (const agentId of accounts.keys()) await world.addMoney(agentId, 1_000_000_000)
  const half = new Set<string>()
  for (let round = 0; round < rounds; round += 1) {
    for (const [agentId, account] of accounts) await fileAll(agentId, account)
    await finish(undisturbed)
    await submitUntilKilled({ requests: below(2 * amounts.length + 1), afterMs: below(15) })
    const left = await owner
      .selectFrom('withdrawal')
      .select('state')
      .where('agent_id', '=', killed)
      .where('state', '<>', 'paid')
      .execute()
    for (const { state } of left) half.add(state)
    await finish(killed)
    // Each round has its own day, as its limit has.
    clock.advance(dayMs + hourMs)
  }
  // Kills came in the middle of the work, not only before or after it.
  expect(half.size).toBeGreaterThan(1)
  const ends = await sql<{ ends: string }>`
    select string_agg(concat_ws(' ', w.cents, w.fee_cents, w.state, w.needs_second, (
      select string_agg(e.kind || e.amounts_cents::text, ' ' order by e.number) from ledger_entry e
      where e.agent_id = w.agent_id and e.reference = 'withdrawal:' || w.id
    )), '; ' order by w.id) as ends
    from withdrawal w group by w.agent_id`.execute(owner)
  expect(ends.rows).toHaveLength(2)
  expect(new Set(ends.rows.map((row) => row.ends)).size).toBe(1)
  const payouts = bank.payouts()
  expect(payouts).toHaveLength(2 * rounds * amounts.length)
  expect(new Set(payouts.map(({ number }) => number)).size).toBe(payouts.length)
  const out = payouts.reduce((sum, { cents, isOut }) => sum + (isOut ? cents : 0), 0)
  const booked = await Promise.all(
    [undisturbed, killed].map((agentId) => world.ledger.balanceOf({ agentId, account: { kind: 'clearing_bank' } })),
  )
  expect(booked).toEqual([out / 2, out / 2])
  const days = await sql<{ cents: number }>`select distinct cents from withdrawal_day`.execute(owner)
  expect(days.rows).toEqual([{ cents: amounts.reduce((sum, cents) => sum + cents, 0) }])
  expect(await withdrawalsThatDisagree(db)).toEqual([])
  expect((await verifyLedger(db)).faults).toEqual([])
})
