/**
 * A day of 1,000,000 rides over 300 areas of 3 companies is divided, closed and settled: `node bench/splits.ts [rides]`. Beside it
 * the same number of rows of the same table, written by one plain `insert … select`. A second close has to change nothing.
 */
import pg from 'pg'
import { systemClock } from '@saddle/server/kit/clock.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { createLedger } from '@saddle/server/finance/ledger/ledger.ts'
import { closeDay } from '@saddle/server/finance/splits/close.ts'
import { divideNext } from '@saddle/server/finance/splits/divide.ts'
import { settleDay, type ChannelDays } from '@saddle/server/finance/splits/settle.ts'
import { addCompanies, idsOf, withOwnDatabase } from './lib/ownDatabase.ts'

const [rides = 1_000_000] = process.argv.slice(2).map(Number)
const companies = 3
const areas = 300
const limitSeconds = 60
const day = '2026-11-20'
const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Rides of the day, paid from a balance or by a channel, with what a book's entries have about them. Three parties share. */
async function prepare(url: string): Promise<void> {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  const run = (text: string, values: readonly unknown[] = []) => owner.query(text, [...values])
  // References are right by construction, and the chain of the books is not what is measured.
  await run(`set session_replication_role = replica`)
  await addCompanies(owner, { companies, areas })
  await run(`
    insert into ride_order (id, agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at, ended_at,
      distance_m, price_version_id, return_kind, charged_cents, changed_at)
    select n, 1 + n % ${companies}, 5000 + n % ${areas}, 1, 'BX000001', 1, 'paid', at, at, at + interval '9 minutes', 1800, 1,
      'in_place', 250 + n % 700, at
    from (select n, date_trunc('milliseconds', timestamptz '${day} 00:00+08' + n * interval '23 hours' / ${rides + 1}) as at from generate_series(1, ${rides}) n) t`)
  await run(`
    insert into order_line (order_id, n, agent_id, area_id, code, reason, quantity, unit_cents, amount_cents, benefit, bearer)
    select id, 1, agent_id, area_id, 'coupon', 'coupon', 1, -100, -100, 'coupon:1', 'platform' from ride_order where id % 10 = 0`)
  await run(`
    insert into ledger_account (id, agent_id, number, kind, owner_id, currency, may_be_negative, opened_at, hash)
    select a * 10 + k, a, k, (array['agent_revenue', 'clearing_wechat', 'rider_balance'])[k], case when k = 3 then 1 else 0 end,
      'CNY', true, now(), '\\x00' from generate_series(1, ${companies}) a, generate_series(1, 3) k`)
  await run(`
    insert into ledger_balance (account_id, agent_id, may_be_negative, balance_cents, is_owned)
    select id, agent_id, true, 0, false from ledger_account`)
  await run(`
    insert into ledger_entry (agent_id, number, kind, reference, key, occurred_at, recorded_at, account_ids, amounts_cents, memo,
      input_hash, hash)
    select agent_id, row_number() over (partition by agent_id order by id), 'ride_charge', 'order:' || id, 'ride_charge', ended_at,
      ended_at, array[agent_id * 10 + 2 + id % 2, agent_id * 10 + 1], array[-charged_cents, charged_cents], '', '\\x00', '\\x00'
    from ride_order`)
  await run(`
    insert into ledger_book (agent_id, entry_number, account_number)
    select agent_id, max(number), 3 from ledger_entry group by agent_id`)
  const terms = {
    feeBasisPoints: 60,
    feeBearer: 'company',
    parties: [
      { partyId: 1, name: 'platform', share: { of: 'rest', basisPoints: 800 } },
      { partyId: 2, name: 'ground', share: { of: 'ride', cents: 20 } },
      { partyId: 3, name: 'partner', share: { of: 'rest', basisPoints: 1_500 } },
    ],
  }
  await run(
    `insert into split_terms (agent_id, version, first_day, terms, reason, made_at, made_by)
     select n, 1, '${day}', $1, 'bench', now(), 'bench' from generate_series(1, ${companies}) n`,
    [JSON.stringify(terms)],
  )
  await run(`set session_replication_role = origin`)
  await run('vacuum analyze')
  await owner.end()
}

/** The bill of the channel has come and nothing of it differs. */
const allMatched: ChannelDays = { of: async () => ({ state: 'matched', heldCents: 0, reasons: [] }) }

/** What a second close must leave as it is. */
async function stateOf(client: pg.Client): Promise<Readonly<Record<string, unknown>>> {
  const { rows } = await client.query(`
    select (select count(*) from split_line)::int as lines, (select count(*) from split_bill)::int as bills,
      (select count(*) from split_settlement)::int as settlements, (select count(*) from ledger_entry)::int as entries,
      (select sum(paid_cents) from split_line)::bigint = (select sum(paid_cents) from split_bill)::bigint as equal,
      (select md5(string_agg(encode(hash, 'hex'), '' order by id)) from split_bill) as hash,
      (select md5(string_agg(account_id || ' ' || balance_cents, ',' order by account_id)) from ledger_balance) as balances`)
  return rows[0]
}

async function measure(url: string): Promise<void> {
  const db = openDatabase({ url, log: silentLog, systemConnections: 4 })
  const ledger = createLedger({ db, clock: systemClock, log: silentLog })
  await prepare(url)
  say(`${rides.toLocaleString('en')} rides, ${areas} areas, ${companies} companies`)
  const close = async (): Promise<void> => {
    // Companies have books of their own: two of them at a time.
    const agents = [...idsOf({ companies, areas }).agentIds]
    const closeOne = async (): Promise<void> => {
      for (let agentId = agents.shift(); agentId !== undefined; agentId = agents.shift()) {
        const of = { agentId, day, at: Date.now() }
        while (await db.system((tx) => divideNext(tx, { agentId: of.agentId, firstDay: day })));
        await db.system((tx) => closeDay({ ledger }, tx, of))
        await db.system((tx) => settleDay({ ledger, channelDays: allMatched }, tx, of))
      }
    }
    await Promise.all([closeOne(), closeOne()])
  }
  const startedAt = performance.now()
  await close()
  const seconds = (performance.now() - startedAt) / 1_000
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  await bare.query('create table bare_line (like split_line including indexes)')
  const bareAt = performance.now()
  await bare.query('insert into bare_line select * from split_line')
  const bareSeconds = (performance.now() - bareAt) / 1_000
  const before = await stateOf(bare)
  const againAt = performance.now()
  await close()
  const againSeconds = (performance.now() - againAt) / 1_000
  const after = await stateOf(bare)
  const isSame = JSON.stringify(after) === JSON.stringify(before)
  say(
    `divided, closed and settled in ${seconds.toFixed(1)} s = ${(seconds / bareSeconds).toFixed(1)} x a plain copy of the lines (limit ${limitSeconds} s: ${seconds <= limitSeconds ? 'met' : 'missed'})`,
  )
  say(`  ${bareSeconds.toFixed(1)} s plain; ${JSON.stringify(before)}`)
  say(`  a second close took ${againSeconds.toFixed(1)} s and changed ${isSame ? 'nothing' : JSON.stringify(after)}`)
  await bare.end()
  await ledger.close()
  await db.close()
}

await withOwnDatabase({ name: 'splits' }, ({ url }) => measure(url))
