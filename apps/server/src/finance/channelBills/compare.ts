import { sql, type RawBuilder } from 'kysely'
import { defaultAgentId } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  billLineStates,
  differencesMax,
  ownStates,
  type ChannelBillSource,
} from '@saddle/contract/finance/channelBills.ts'
import { businessDayEnd, businessDayOf, businessDayStart } from '@saddle/contract/time.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { channelDifference } from '../ledger/channelRecipes.ts'
import { channelFee } from '../ledger/recipes.ts'
import { BillError, type BillLine } from './bill.ts'
import { selectMovements } from './movements.ts'
import { feesInCents, judge, type Judged, type OfBill, type OfPlatform } from './rules.ts'
import { countDays, insertBill, isCompared, lineColumns, lockBill, type ChannelDayOf } from './store.ts'
import { findKnown, findOwn, keyOf, writeDifferences, type Known, type NewDifference, type Own } from './unmatched.ts'

export type ComparedBill = {
  readonly lines: number
  readonly differences: number
  readonly companies: number
  /** The same file was compared before: nothing has changed. */
  readonly isKnown: boolean
}

export type NewBill = ChannelDayOf & {
  readonly batches: AsyncIterable<readonly BillLine[]>
  readonly hash: Buffer
  readonly source: ChannelBillSource
  readonly by: string
  readonly at: number
}

type Deps = { readonly db: Pick<Database, 'system' | 'copyIn'>; readonly ledger: Pick<Ledger, 'post'> }

const linesAtATime = 1_000

/**
 * Compares the bill of a day with the payments and refunds that the platform has of it, in one transaction: a bill that cannot
 * be read leaves nothing behind. Lines are matched by the database, so that a million of them take no memory here; what does not
 * match is looked at one by one. Throws BillError, and channel_bill_compared for another bill of the same day.
 */
export async function compareBill({ db, ledger }: Deps, bill: NewBill): Promise<ComparedBill> {
  return db.system(async (tx) => {
    const known = await lockBill(tx, bill)
    if (known !== undefined) {
      if (!known.hash.equals(bill.hash)) throw new AppError('channel_bill_compared')
      return { lines: known.lines, differences: 0, companies: 0, isKnown: true }
    }
    const lines = await takeLines(db, tx, bill)
    await matchLines(tx, bill)
    await insertBill(tx, bill)
    const unmatched = await judgeUnmatched(tx, bill)
    await keepLines(tx, bill, unmatched.agents)
    const agentIds = await keepDays(tx, bill)
    await writeDifferences(tx, unmatched.differences)
    for (const day of new Set([bill.day, ...(await endParked(tx, bill)), ...unmatched.days])) {
      await countDays(tx, { channel: bill.channel, day })
    }
    // Last, because others of a company wait for its book.
    await postFees(tx, ledger, bill)
    await postRefunded(tx, ledger, bill)
    return { lines, differences: unmatched.differences.length, companies: agentIds.length, isKnown: false }
  })
}

async function takeLines(db: Deps['db'], tx: Tx, bill: NewBill): Promise<number> {
  // Tables of this connection alone; what was left by an earlier transaction of it is gone with its commit.
  await sql`create temporary table bill_in (like channel_bill_line, copy integer not null default 1) on commit drop`.execute(
    tx,
  )
  await sql`set local work_mem = '64MB'`.execute(tx)
  const columns = lineColumns(bill)
  const checkTime = timeCheck(bill.day)
  let count = 0
  let held: BillLine[] = []
  const flush = async (): Promise<void> => {
    if (held.length === 0) return
    count += await db.copyIn(tx, columns.copy(held, 'bill_in'))
    held = []
  }
  for await (const batch of bill.batches) {
    for (const line of batch) {
      checkTime(line)
      held.push(line)
    }
    if (held.length >= linesAtATime) await flush()
  }
  await flush()
  await sql`analyze bill_in`.execute(tx)
  await sql`
    update bill_in l set copy = t.copy
    from (
      select b.n, row_number() over (partition by b.is_refund, b.number order by b.n) as copy
      from bill_in b join (select is_refund, number from bill_in group by 1, 2 having count(*) > 1) twice using (is_refund, number)
    ) t where t.n = l.n and t.copy > 1`.execute(tx)
  return count
}

/** A bill of another day is refused as a whole. */
function timeCheck(day: string): (line: BillLine) => void {
  const [from, to] = [businessDayStart(day), businessDayEnd(day)]
  return ({ at, n }) => {
    if (at < from || at >= to) throw new BillError(`line ${n} is not of ${day}`, { code: 'channel_bill_foreign' })
  }
}

/** Lines beside what the platform has of the day. A number that comes twice is matched once. */
async function matchLines(tx: Tx, { channel, day }: ChannelDayOf): Promise<void> {
  const [from, to] = [new Date(businessDayStart(day)), new Date(businessDayEnd(day))]
  const within = (column: RawBuilder<unknown>) => sql`${column} >= ${from} and ${column} < ${to}`
  const movements = selectMovements({ channel: sql`${channel}`, within })
  await sql`
    create temporary table bill_pair on commit drop as
    select l.n, coalesce(l.copy, 1) as copy, o.agent_id, coalesce(l.is_refund, o.is_refund) as is_refund,
      coalesce(l.number, o.number) as number, coalesce(l.order_number, o.number) as order_number,
      coalesce(l.trade_number, '') as trade_number, l.at, l.cents, l.fee_millicents, l.status, o.subject_id,
      o.cents as own_cents, o.at as own_at
    from (select * from bill_in where copy = 1) l full join (
      ${movements}
    ) o on o.number = l.number and o.is_refund = l.is_refund
    union all
    select n, copy, null, is_refund, number, order_number, trade_number, at, cents, fee_millicents, status, null, null, null
    from bill_in where copy > 1`.execute(tx)
  await sql`analyze bill_pair`.execute(tx)
}

const pairRow = rowOfValues({
  n: computed('integer?', sql`p.n`),
  agent_id: computed('bigint?', sql`p.agent_id`),
  is_refund: computed('boolean', sql`p.is_refund`),
  number: computed('text', sql`p.number`),
  order_number: computed('text', sql`p.order_number`),
  trade_number: computed('text', sql`p.trade_number`),
  at: computed('timestamptz?', sql`p.at`),
  cents: computed('bigint?', sql`p.cents`),
  status: computed('text?', sql`p.status`),
  subject_id: computed('bigint?', sql`p.subject_id`),
  own_cents: computed('bigint?', sql`p.own_cents`),
  own_at: computed('timestamptz?', sql`p.own_at`),
  copy: computed('integer', sql`p.copy`),
})
type Pair = RowOf<typeof pairRow>

/** What does not match. Throws where it is not the bill of this merchant. */
async function selectUnmatched(tx: Tx): Promise<Pair[]> {
  const { rows } = await pairRow.select`
    from bill_pair p
    where p.n is null or p.subject_id is null or p.cents <> p.own_cents or p.status <> 'success'
    order by p.n nulls last, p.number limit ${differencesMax + 1}`.execute(tx)
  if (rows.length > differencesMax) {
    throw new BillError(`more than ${differencesMax} differences`, { code: 'channel_bill_foreign' })
  }
  return rows
}

type Unmatched = {
  /** Days of bills whose differences were found to be part of this one's. */
  readonly days: readonly string[]
  readonly differences: readonly NewDifference[]
  /** Whose the lines are that nothing of the day was matched with. */
  readonly agents: ReadonlyMap<number, { readonly agentId: number; readonly subjectId: number | null }>
}

async function judgeUnmatched(tx: Tx, bill: NewBill): Promise<Unmatched> {
  const pairs = await selectUnmatched(tx)
  const owns = await findOwn(tx, bill.channel, pairs)
  const known = await findKnown(tx, bill.channel, pairs)
  const agents = new Map<number, { agentId: number; subjectId: number | null }>()
  const differences: NewDifference[] = []
  const compared = new Map<string, boolean>([[bill.day, true]])
  for (const pair of pairs) {
    const own = pair.copy > 1 ? null : ownOf(pair, owns.get(keyOf(pair)))
    const earlier = known.get(keyOf(pair))
    const agentId = pair.agent_id ?? own?.agentId ?? owns.get(`pay ${pair.order_number}`)?.agentId ?? defaultAgentId
    if (pair.n !== null) agents.set(pair.n, { agentId, subjectId: pair.copy > 1 ? null : (own?.subjectId ?? null) })
    if (earlier?.refundNumber === pair.number) continue
    const otherDay = own?.day ?? bill.day
    if (!compared.has(otherDay)) compared.set(otherDay, await isCompared(tx, { channel: bill.channel, day: otherDay }))
    const judged = judgePair(pair, { own, earlier, day: bill.day, otherDayCompared: compared.get(otherDay) === true })
    if (judged === null) continue
    differences.push(differenceOf(pair, { own, judged, agentId, bill, earlier }))
  }
  return { differences, agents, days: [...known.values()].map((earlier) => earlier.day) }
}

function ownOf(pair: Pair, found: Own | undefined): Own | null {
  if (pair.subject_id === null) return found ?? null
  const { agent_id: agentId, subject_id: subjectId, own_cents: cents, own_at: at } = pair
  const status = pair.is_refund ? ('done' as const) : ('paid' as const)
  return { agentId: agentId ?? 0, subjectId, cents: cents ?? 0, status, at, day: at && businessDayOf(at.getTime()) }
}

function judgePair(
  pair: Pair,
  of: {
    readonly own: Own | null
    readonly earlier: Known | undefined
    readonly day: string
    readonly otherDayCompared: boolean
  },
): Judged | null {
  const { own, earlier, day, otherDayCompared } = of
  const bill = pair.cents === null ? null : ({ cents: pair.cents, status: pair.status } as OfBill)
  // The bill of another day had the line: what is missing here stands there.
  const line: OfBill | null = bill ?? earlier?.bill ?? null
  const isElsewhere = bill === null && line !== null
  const platform: OfPlatform | null = own === null ? null : { cents: own.cents, status: own.status, day: own.day }
  return judge({
    isRefund: pair.is_refund,
    day: isElsewhere ? (earlier?.day ?? day) : day,
    bill: line,
    own: platform,
    otherDayCompared,
  })
}

function differenceOf(
  pair: Pair,
  of: {
    readonly own: Own | null
    readonly judged: Judged
    readonly agentId: number
    readonly bill: ChannelDayOf & { readonly at: number }
    readonly earlier: Known | undefined
  },
): NewDifference {
  const { own, judged, agentId, bill, earlier } = of
  const other = pair.cents === null ? earlier?.bill : undefined
  return {
    agentId,
    channel: bill.channel,
    day: bill.day,
    kind: judged.kind,
    state: judged.state,
    isRefund: pair.is_refund,
    number: pair.number,
    copy: pair.copy,
    orderNumber: pair.order_number,
    tradeNumber: pair.trade_number,
    subjectId: own?.subjectId ?? null,
    billCents: pair.cents ?? other?.cents ?? null,
    billStatus: billLineStates.find((state) => state === pair.status) ?? other?.status ?? null,
    billAt: pair.at?.getTime() ?? earlier?.billAt ?? null,
    ownCents: own?.cents ?? null,
    ownStatus: own === null ? null : (ownStates.find((state) => state === own.status) ?? null),
    ownAt: own?.at?.getTime() ?? null,
    deltaCents: judged.deltaCents,
    heldCents: judged.heldCents,
    foundAt: bill.at,
  }
}

/** Lines of the bill for good, each for the company that it belongs to. */
async function keepLines(tx: Tx, { channel, day }: ChannelDayOf, agents: Unmatched['agents']): Promise<void> {
  const ns = [...agents.keys()]
  const values = [...agents.values()]
  await sql`
    insert into channel_bill_line (channel, day, n, agent_id, is_refund, number, order_number, trade_number, at, cents,
      fee_millicents, status, subject_id)
    select ${channel}, ${day}::date, p.n, coalesce(u.agent_id, p.agent_id, ${defaultAgentId}), p.is_refund, p.number, p.order_number,
      p.trade_number, p.at, p.cents, p.fee_millicents, p.status, case when u.n is null then p.subject_id else u.subject_id end
    from bill_pair p left join unnest(${ns}::integer[], ${values.map(({ agentId }) => agentId)}::bigint[],
      ${values.map(({ subjectId }) => subjectId)}::bigint[]) u (n, agent_id, subject_id) on u.n = p.n
    where p.n is not null`.execute(tx)
}

const feeRow = rowOfValues({
  agent_id: computed('bigint', sql`l.agent_id`),
  fee_millicents: computed('bigint', sql`sum(l.fee_millicents)`),
})

/** What bill and platform have of each company. Resolves to the companies. */
async function keepDays(tx: Tx, bill: NewBill): Promise<number[]> {
  const { channel, day, source, at } = bill
  const { rows } = await feeRow.select`
    from channel_bill_line l where l.channel = ${channel} and l.day = ${day} group by l.agent_id`.execute(tx)
  const fees = feesInCents(new Map(rows.map((row) => [row.agent_id, row.fee_millicents])))
  const added = await rowOf('channel_day', ['agent_id']).returning`
    insert into channel_day (agent_id, channel, day, source, bill_payments, bill_paid_cents, bill_refunds, bill_refunded_cents,
      own_payments, own_paid_cents, own_refunds, own_refunded_cents, fee_millicents, fee_cents, compared_at)
    select agent_id, ${channel}, ${day}::date, ${source}, coalesce(l.payments, 0), coalesce(l.paid, 0), coalesce(l.refunds, 0),
      coalesce(l.refunded, 0), coalesce(o.payments, 0), coalesce(o.paid, 0), coalesce(o.refunds, 0), coalesce(o.refunded, 0),
      coalesce(l.fee, 0), coalesce(f.cents, 0), ${new Date(at)}
    from (
      select l.agent_id, count(*) filter (where not is_refund) as payments, count(*) filter (where is_refund) as refunds,
        coalesce(sum(cents) filter (where not is_refund and status = 'success'), 0) as paid,
        coalesce(sum(cents) filter (where is_refund and status = 'success'), 0) as refunded, sum(fee_millicents) as fee
      from channel_bill_line l where l.channel = ${channel} and l.day = ${day} group by l.agent_id
    ) l full join (
      select p.agent_id, count(*) filter (where not is_refund) as payments, count(*) filter (where is_refund) as refunds,
        coalesce(sum(own_cents) filter (where not is_refund), 0) as paid,
        coalesce(sum(own_cents) filter (where is_refund), 0) as refunded
      from bill_pair p where p.subject_id is not null group by p.agent_id
    ) o using (agent_id)
    left join unnest(${[...fees.keys()]}::bigint[], ${[...fees.values()]}::bigint[]) f (agent_id, cents) using (agent_id)`.execute(
    tx,
  )
  return added.rows.map((row) => row.agent_id)
}

/** What was parked a day and is still open waits for people from now on. Resolves to the days that it belongs to. */
async function endParked(tx: Tx, { channel, day }: ChannelDayOf): Promise<string[]> {
  const { rows } = await rowOf('channel_difference', ['day']).returning`
    update channel_difference set state = 'open'
    where channel = ${channel} and state = 'parked' and day < ${day} and kind <> 'cross_day'`.execute(tx)
  return rows.map((row) => row.day)
}

const feeDayRow = rowOf('channel_day', 'd', ['id', 'agent_id', 'fee_cents'])

async function postFees(tx: Tx, ledger: Deps['ledger'], { channel, day, at }: NewBill): Promise<void> {
  const { rows } = await feeDayRow.select`
    from channel_day d where d.channel = ${channel} and d.day = ${day} and d.fee_cents <> 0 order by d.agent_id`.execute(
    tx,
  )
  for (const { id, agent_id: agentId, fee_cents: cents } of rows) {
    await ledger.post(channelFee({ agentId, at, cents, channel, statementId: id }), tx)
  }
}

const refundedRow = rowOf('channel_difference', 'd', ['id', 'agent_id', 'delta_cents'])

/** What the channel gave back of differences leaves the suspense account with the line that says so. */
async function postRefunded(tx: Tx, ledger: Deps['ledger'], { channel, day, at }: NewBill): Promise<void> {
  const { rows } = await refundedRow.returning`
    update channel_difference d set refunded_on = ${day}
    -- The day's lines for good have no statistics yet: this join would read all of them for each difference.
    from bill_in l
    where l.is_refund and l.status = 'success'
      and d.refund_number = l.number and d.channel = ${channel} and d.refunded_on is null`.execute(tx)
  for (const { id, agent_id: agentId, delta_cents: cents } of rows) {
    await ledger.post(
      channelDifference({ agentId, at, cents: -cents, channel, differenceId: id, step: 'refunded' }),
      tx,
    )
  }
}
