import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { addDays, businessDayEnd, businessDayStart, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createManualClock } from '#kit/clock.ts'
import { loadConfig } from '#kit/config.ts'
import { silentLog } from '#kit/log.ts'
import { createSeededRandom } from '#kit/random.ts'
import { testDatabase } from '#test/database.ts'
import { createLedger } from '../ledger/ledger.ts'
import { rideChargeByChannel } from '../ledger/recipes.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { runSplits } from './job.ts'
import { splitsThatDisagree } from './verify.ts'
import { thorough } from '../../../../../scripts/lib/thorough.mjs'

const { db, owner, url } = await testDatabase()
const firstDay = '2026-11-10'
const rounds = thorough({ normal: 6, long: 40, full: 200 })
const ridesADay = 300
const random = createSeededRandom(20_261_123)
const script = fileURLToPath(import.meta.resolve('#test/closeDays.ts'))

await owner
  .insertInto('agent')
  .values([
    { id: 1, parent_id: null, company: 'A' },
    { id: 2, parent_id: 1, company: 'B' },
  ])
  .execute()

const clock = createManualClock(businessDayStart(firstDay))
const ledger = createLedger({ db, clock, log: silentLog })
const channelDays = { of: async () => ({ state: 'matched', heldCents: 0, reasons: [] }) as const }
const closingOf = (day: string): number => businessDayEnd(day) + 2 * hourMs

/** The same rides for each company: the bills of both have to have the same hashes. */
async function ride(agentId: number, day: string): Promise<void> {
  const entries = Array.from({ length: ridesADay }, (_, n) =>
    rideChargeByChannel({
      agentId,
      orderId: Number(day.replaceAll('-', '')) * 1_000 + n,
      cents: 150 + ((n * 7) % 400),
      at: businessDayStart(day) + n * minuteMs,
      channel: 'sandbox',
    }),
  )
  // One after the other in the book, so that numbers are those of the other company.
  for (const entry of entries) await ledger.post(entry)
}

async function closeUntilKilled(at: number, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script, String(at)], {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = new Promise((resolve) => child.once('close', resolve))
  const begin = new Promise((resolve) => child.stdout.once('data', resolve))
  await Promise.race([begin, end])
  await pause(afterMs)
  child.kill('SIGKILL')
  await end
}

it(
  'has the same bills and settlements, and nothing twice, however often closing is killed',
  { timeout: rounds * minuteMs },
  async () => {
    const days = Array.from({ length: rounds }, (_, n) => addDays(firstDay, n))
    const kit = { db, clock, log: silentLog, config: loadConfig({}) }
    const close = async (day: string): Promise<void> => {
      clock.set(closingOf(day))
      await runSplits({ kit, ledger, channelDays }, { beginsNew: true })
    }
    for (const day of days) {
      await ride(1, day)
      await close(day)
    }
    for (const day of days) {
      await ride(2, day)
      await closeUntilKilled(closingOf(day), Math.floor(random.fraction() * 120))
      // What follows continues before the next rides come: their entries have the numbers that they have without a kill.
      await close(day)
    }
    expect(await splitsThatDisagree(db)).toEqual([])
    expect((await verifyLedger(db)).faults).toEqual([])
    const { rows } = await sql<{ day: string; hashes: number; bills: number; settled: number; paid: number }>`
    select b.day::text as day, count(distinct b.hash)::int as hashes, count(*)::int as bills,
      (select count(*)::int from split_settlement s where s.day = b.day and s.held_cents = 0) as settled,
      (select count(*)::int from ledger_entry e where e.kind = 'split_settlement' and e.reference = 'split-day:' || b.day) as paid
    from split_bill b group by b.day order by b.day`.execute(owner)
    expect(rows).toEqual(days.map((day) => ({ day, hashes: 1, bills: 2, settled: 2, paid: 2 })))
    // The statements of both are the same but for the company.
    const statements = await sql<{ lines: number; statements: number }>`
    select count(distinct (lines, paid_cents, owner_cents))::int as lines, count(*)::int as statements
    from split_statement group by first_day`.execute(owner)
    for (const row of statements.rows) expect(row).toEqual({ lines: 1, statements: 2 })
  },
)
