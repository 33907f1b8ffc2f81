/**
 * Notices through rules, texts and the log, in-app and by e-mail, while they are written one by one in transactions of
 * their own: `node bench/notices.ts [--quick]`. Beside it as many plain rows are inserted in the same way.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '@saddle/server/audit/public.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { openDatabase, type Database } from '@saddle/server/kit/db/pool.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { createNotices, tell } from '@saddle/server/notices/public.ts'
import { emailPurpose } from '@saddle/server/notices/keyed.ts'
import { testKit } from '@saddle/server/test/kit.ts'
import { compare, isQuick, judge, say, whole } from './lib/report.ts'

const count = isQuick ? 2_000 : 10_000
const writers = 4
const goalPerMinute = 10_000
/** Each notice is for two of these, so that nobody reaches the cap of letters a day. */
const people = 40
const receivers = 2
const firstPerson = 1_001

const noticeOf = (n: number, nowMs: number) =>
  ({
    event: 'export_done',
    agentId: 3,
    subject: `export ${n}`,
    values: { file: `${n}.csv`, rows: n },
    path: '/export/page',
    operatorIds: [firstPerson + ((2 * n) % people), firstPerson + ((2 * n + 1) % people)],
    at: new Date(nowMs),
  }) as const

const dataDir = mkdtempSync(join(tmpdir(), 'saddle-bench-notices-'))
const postgres = await startEmbedded({ dataDir, log: silentLog })
try {
  await migrate({ url: postgres.url, log: silentLog })
  const owner = new Client({ connectionString: postgres.url })
  await owner.connect()
  await owner.query('create table plain (n integer); grant all on plain to saddle_system')
  await owner.end()
  const db = openDatabase({ url: postgres.url, log: silentLog })
  await measure(db)
  await db.close()
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function measure(db: Database): Promise<void> {
  const kit = testKit(db, { DATA_DIR: dataDir })
  await fill(db, kit.secrets)
  const openPhone = (sealed: string): string => sealed
  const notices = createNotices(kit, { audit: createAudit(kit), openPhone, sendText: null })
  const plain = await timed(() => each((n) => db.system((tx) => sql`insert into plain values (${n})`.execute(tx))))
  const told = await timed(async () => {
    const written = new AbortController()
    const writing = each((n) => db.system((tx) => tell(tx, noticeOf(n, kit.clock.now())))).then(() => written.abort())
    let spread = 0
    let sent = 0
    while (!written.signal.aborted || spread < count || sent < count * receivers) {
      spread += await notices.spread()
      sent += await notices.send()
    }
    await writing
  })
  const { rows } = await db.system((tx) =>
    sql<{ channel: string; state: string; n: number }>`
      select channel, state, count(*)::integer as n from notice_delivery group by 1, 2 order by 1, 2`.execute(tx),
  )
  for (const row of rows) say(`${row.channel} ${row.state}: ${whole(row.n)}`)
  const perMinute = (count / told) * minuteMs
  judge({
    what: `${whole(count)} notices, ${whole(count * receivers * 2)} deliveries, a minute`,
    figure: whole(perMinute),
    isMet: perMinute >= goalPerMinute && rows.every(({ state, n }) => state === 'sent' && n === count * receivers),
    goal: `>= ${whole(goalPerMinute)}, none lost or doubled`,
  })
  compare({
    what: 'time beside as many rows without notices',
    figure: `${whole(told)} ms`,
    reference: `${whole(plain)} ms`,
    ratio: told / plain,
    goal: { atMost: 60 },
  })
}

async function fill(db: Database, secrets: ReturnType<typeof testKit>['secrets']): Promise<void> {
  await db.system(async (tx) => {
    await sql`insert into agent (id, parent_id, company) values (3, null, 'a company')`.execute(tx)
    await sql`insert into notice_setting (agent_id, quiet_from, quiet_to, email_cap, sms_cap, push_cap, changed_at, changed_by)
      values (3, 0, 0, 1000, 0, 0, now(), 'a person')`.execute(tx)
    await sql`insert into notice_rule (agent_id, event, channels, is_urgent, repeat_minutes, changed_at, changed_by)
      values (3, 'export_done', '{in_app,email}', false, 30, now(), 'a person')`.execute(tx)
  })
  for (let id = firstPerson; id < firstPerson + people; id += 1) {
    const sealed = secrets.encryptText({ purpose: emailPurpose, text: `p${id}@example.com`, context: String(id) })
    await db.system(async (tx) => {
      await sql`insert into operator (id, agent_id, op_man_id, phone_hash, phone_sealed, name, level)
        values (${id}, 3, ${String(id).padStart(24, '0')}, ${`h${id}`}, 's', ${`p${id}`}, 2)`.execute(tx)
      await sql`insert into notice_address (operator_id, agent_id, email_sealed, asked_at, confirmed_at)
        values (${id}, 3, ${sealed}, now(), now())`.execute(tx)
    })
  }
}

async function each(work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    for (let n = next; n < count; n = next) {
      next += 1
      await work(n)
    }
  }
  await Promise.all(Array.from({ length: writers }, lane))
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
