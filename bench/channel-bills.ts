/**
 * A bill of 1,000,000 lines is read and compared with as many payments: `node bench/channel-bills.ts [lines]`. Beside it a plain
 * COPY of as many lines, their join with the payments, and an insert of what the join finds. The bill is compared in a process of
 * its own, whose memory is measured, and beside it that of PostgreSQL's process without what all of these share.
 */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { sql } from 'kysely'
import pg from 'pg'
import { businessDayStart, dayMs } from '@saddle/contract/time.ts'
import { systemClock } from '@saddle/server/kit/clock.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import type { BillLine } from '@saddle/server/finance/channelBills/bill.ts'
import { fetchAndCompare } from '@saddle/server/finance/channelBills/job.ts'
import { writeWechatBill } from '@saddle/server/finance/channelBills/wechatBill.ts'
import { createLedger } from '@saddle/server/finance/ledger/ledger.ts'
import { withOwnDatabase } from './lib/ownDatabase.ts'

const [lines = 1_000_000] = process.argv.slice(2).map(Number)
const limitSeconds = 30
const limitMb = 300
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

type Measured = {
  readonly seconds: number
  readonly peakBytes: number
  readonly postgresBytes: number
  readonly compared: unknown
}

/** Memory that a process shares with nobody; 0 where the system does not tell. */
function privateBytesOf(pid: number): number {
  try {
    return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

/** What the process of its own does. */
async function compare({ url, path }: { readonly url: string; readonly path: string }): Promise<Measured> {
  const db = openDatabase({ url, log: silentLog, systemConnections: 1 })
  const ledger = createLedger({ db, clock: systemClock, log: silentLog })
  const { rows } = await db.system((tx) => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx))
  const pid = rows[0]?.pid ?? 0
  let [peakBytes, postgresBytes] = [0, 0]
  const watch = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage().rss)
    postgresBytes = Math.max(postgresBytes, privateBytesOf(pid))
  }, 50)
  const channel = { bill: async () => ({ format: 'wechat', sha1: null, chunks: createReadStream(path) }) as const }
  const startedAt = performance.now()
  const compared = await fetchAndCompare({ kit: { db }, ledger }, channel, { channel: 'wechat', day, at: Date.now() })
  const seconds = (performance.now() - startedAt) / 1_000
  clearInterval(watch)
  await ledger.close()
  await db.close()
  return { seconds, peakBytes, postgresBytes, compared }
}

async function compareApart(of: { readonly url: string; readonly path: string }): Promise<Measured> {
  const child = fork(import.meta.filename, [String(lines)])
  child.send(of)
  const answered = once(child, 'message')
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the comparison ended with ${code}`)))
  const [measured] = await Promise.race([answered, ended])
  return measured as Measured
}

/** Seconds of the reference: lines copied in, joined with the payments by their numbers, and written with what was found. */
async function copyAndJoin(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query(`select current_setting('data_directory') || '/bare-lines' as path`)
  const path = owner.escapeLiteral(String(rows[0].path))
  await owner.query(`copy channel_bill_line to ${path}`)
  await owner.query('create table bare_line (like channel_bill_line including indexes)')
  const startedAt = performance.now()
  await owner.query('begin')
  await owner.query(`set local work_mem = '64MB'`)
  await owner.query('create temporary table bare_in (like channel_bill_line) on commit drop')
  await owner.query(`copy bare_in from ${path}`)
  await owner.query('analyze bare_in')
  await owner.query(`
    insert into bare_line
    select l.channel, l.day, l.n, p.agent_id, l.is_refund, l.number, l.order_number, l.trade_number, l.at, l.cents,
      l.fee_millicents, l.status, p.id
    from bare_in l join payment p using (number)`)
  await owner.query('commit')
  return (performance.now() - startedAt) / 1_000
}

async function measure(url: string, folder: string): Promise<void> {
  const owner = await prepare(url)
  const path = join(folder, 'bill.csv')
  await writeFile(path)
  say(`${lines.toLocaleString('en')} payments, a bill of ${Math.round(statSync(path).size / 1_000_000)} MB`)
  const { seconds, peakBytes, postgresBytes, compared } = await compareApart({ url, path })
  const bareSeconds = await copyAndJoin(owner)
  const isMet = seconds <= limitSeconds && peakBytes <= limitMb * 1_000_000
  say(
    `compared in ${seconds.toFixed(1)} s = ${(seconds / bareSeconds).toFixed(1)} x a plain COPY, join and insert (${bareSeconds.toFixed(1)} s); at most ${Math.round(peakBytes / 1_000_000)} MB (limits ${limitSeconds} s, ${limitMb} MB: ${isMet ? 'met' : 'missed'})`,
  )
  say(`  ${Math.round(postgresBytes / 1_000_000)} MB of PostgreSQL's own beside it; ${JSON.stringify(compared)}`)
  await owner.end()
}

if (process.send === undefined)
  await withOwnDatabase({ name: 'channel-bills' }, ({ url, folder }) => measure(url, folder))
else {
  const [of] = await once(process, 'message')
  process.send(await compare(of))
  process.disconnect()
}
