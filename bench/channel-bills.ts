/**
 * A bill of 1,000,000 lines is read and compared with as many payments: `node bench/channel-bills.ts [lines]`. Beside it the same
 * lines copied into a table of the same form. The memory is that of this process, which reads the file.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import pg from 'pg'
import { businessDayStart, dayMs } from '@saddle/contract/time.ts'
import { systemClock } from '@saddle/server/kit/clock.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { createLog, silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import type { BillLine } from '@saddle/server/finance/channelBills/bill.ts'
import { fetchAndCompare } from '@saddle/server/finance/channelBills/job.ts'
import { writeWechatBill } from '@saddle/server/finance/channelBills/wechatBill.ts'
import { createLedger } from '@saddle/server/finance/ledger/ledger.ts'

const [lines = 1_000_000] = process.argv.slice(2).map(Number)
const day = '2026-11-20'
/** One line in so many is missing, and one has another sum. */
const differsOneIn = 10_000
const linesAtATime = 10_000
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const numberOf = (n: number): string => createHash('md5').update(`order ${n}`).digest('hex')
const centsOf = (n: number): number => 100 + ((n * 37) % 2_000)
const atOf = (n: number): number => businessDayStart(day) + Math.floor((n * (dayMs - 1_000)) / (lines + 1))

async function* billLines(): AsyncGenerator<readonly BillLine[]> {
  let batch: BillLine[] = []
  let written = 0
  for (let n = 1; n <= lines; n += 1) {
    if (n % differsOneIn === 1) continue
    const cents = centsOf(n) + (n % differsOneIn === 2 ? 1 : 0)
    const number = numberOf(n)
    const own = { isRefund: false, number, orderNumber: number, tradeNumber: `4200${n}`, status: 'success' } as const
    written += 1
    batch.push({ n: written, ...own, at: atOf(n), cents, feeMillicents: cents * 6 })
    if (batch.length < linesAtATime) continue
    yield batch
    batch = []
  }
  yield batch
}

async function writeFile(path: string): Promise<void> {
  const file = createWriteStream(path)
  for await (const text of writeWechatBill(billLines())) if (!file.write(text)) await once(file, 'drain')
  file.end()
  await once(file, 'finish')
}

async function prepare(url: string): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await owner.query('set session_replication_role = replica')
  await owner.query(
    `insert into agent (id, parent_id, company) overriding system value
     select n, case when n > 2 then 2 end, 'company ' || n from generate_series(2, 5) n on conflict do nothing`,
  )
  await owner.query(
    `insert into payment (agent_id, rider_id, purpose, became, channel, number, cents, state, trade_number, created_at, paid_at)
     select 3 + n % 3, 1, 'recharge', 'recharge', 'wechat', md5('order ' || n), 100 + (n * 37) % 2000, 'paid', '4200' || n, at, at
     from (select n, to_timestamp(($1 + floor(n::numeric * ${dayMs - 1_000} / ${lines + 1})) / 1000.0) as at
       from generate_series(1, ${lines}) n) t`,
    [businessDayStart(day)],
  )
  await owner.query('set session_replication_role = origin')
  await owner.query('vacuum analyze payment')
  return owner
}

async function measure(url: string, folder: string): Promise<void> {
  const owner = await prepare(url)
  const path = join(folder, 'bill.csv')
  await writeFile(path)
  say(`${lines.toLocaleString('en')} payments, a bill of ${Math.round(statSync(path).size / 1_000_000)} MB`)
  const db = openDatabase({ url, log: silentLog, systemConnections: 2 })
  const ledger = createLedger({ db, clock: systemClock, log: silentLog })
  let peakBytes = 0
  const watch = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage().rss)), 50)
  const channel = { bill: async () => ({ format: 'wechat', sha1: null, chunks: createReadStream(path) }) as const }
  const startedAt = performance.now()
  const compared = await fetchAndCompare({ kit: { db }, ledger }, channel, { channel: 'wechat', day, at: Date.now() })
  const seconds = (performance.now() - startedAt) / 1_000
  clearInterval(watch)
  await owner.query('create table bare_line (like channel_bill_line including indexes)')
  const bareAt = performance.now()
  await owner.query('insert into bare_line select * from channel_bill_line')
  const bareSeconds = (performance.now() - bareAt) / 1_000
  say(`compared in ${seconds.toFixed(1)} s = ${(seconds / bareSeconds).toFixed(1)} x a plain copy of the lines`)
  say(
    `  ${bareSeconds.toFixed(1)} s plain; at most ${Math.round(peakBytes / 1_000_000)} MB; ${JSON.stringify(compared)}`,
  )
  await owner.end()
  await ledger.close()
  await db.close()
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'saddle-channel-bills-'))
  const postgres = await startEmbedded({ dataDir: join(folder, 'data'), log: createLog({ level: 'error' }) })
  try {
    await migrate({ url: postgres.url, log: silentLog })
    await measure(postgres.url, folder)
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
