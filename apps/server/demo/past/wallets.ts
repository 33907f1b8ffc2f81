import { sql } from 'kysely'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, type RowOf } from '#kit/db/rows.ts'
import {
  balanceRefund,
  chargeEntry,
  depositFreeze,
  depositPay,
  depositRecovery,
  depositRefund,
  recharge,
  refundPaid,
  type MoneyDeps,
} from '#finance/demoDoor.ts'
import type { Entry } from '#finance/public.ts'
import { buyCards, endMall, openMall, type Mall } from './cards.ts'

/**
 * What some riders of the demo's past have done with their money, by the entries that the real calls make: recharges,
 * deposits with their cases, cards, refunds. Riders follow each other by their numbers, so every start makes the same.
 */

/** One rider in so many has used the wallet, and no more of a franchisee than that. */
const oneIn = 10
const ridersMax = 120
const depositCents = 9_900
const clerk = '周可'

const riderRow = rowOfValues({
  id: computed('bigint', sql`id`),
  agent_id: computed('bigint', sql`agent_id`),
  rode_at: computed('timestamptz?', sql`(select max(o.ended_at) from ride_order o where o.rider_id = r.id)`),
})
type Past = {
  readonly tx: Tx
  readonly agentId: number
  readonly now: number
  readonly mall: Mall
  readonly post: (entry: Entry) => Promise<void>
  readonly gifts: MoneyDeps['gifts']
}

type Parts = Pick<MoneyDeps, 'kit' | 'ledger' | 'gifts'>

/** Safe to repeat and to be cut short: a franchisee has all of it or nothing. Resolves to the number of riders. */
export async function fillWallets({ kit, ledger, gifts }: Parts): Promise<number> {
  const query = riderRow.select`
    from (
      select r.id, r.agent_id, row_number() over (partition by r.agent_id order by r.id) as place
      from rider r where r.id % ${oneIn} = 0
        and not exists (select from deposit_setting s where s.agent_id = r.agent_id)
    ) r where place <= ${ridersMax} order by agent_id, id`
  const riders = await kit.db.systemRead((k) => query.compile(k))
  const now = kit.clock.now()
  for (const [agentId, own] of Map.groupBy(riders, ({ agent_id }) => agent_id)) {
    await kit.db.system(async (tx) => {
      const post = async (entry: Entry): Promise<void> => {
        await ledger.post(entry, tx)
      }
      await insertSettings(tx, agentId, now)
      const mall = await openMall(tx, agentId, now)
      const past = { tx, agentId, now, gifts, post, mall }
      for (const [index, rider] of own.entries()) await liveThrough(past, rider, index)
      await endMall(tx, agentId, mall, now)
    })
  }
  return riders.length
}

/** A deposit was asked for once, and is not any more: the riders of the demo are not to be turned away. */
async function insertSettings(tx: Tx, agentId: number, now: number): Promise<void> {
  await sql`
    insert into deposit_setting (agent_id, area_id, cents, free_students, free_card_holders, author_name, created_at)
    select a.agent_id, a.id, s.cents, true, s.cents > 0, ${clerk}, s.at
    from service_area a, (values (${depositCents}::bigint, ${new Date(now - 90 * dayMs)}::timestamptz),
      (0, ${new Date(now - 12 * dayMs)})) as s (cents, at)
    where a.agent_id = ${agentId} order by s.at, a.id`.execute(tx)
}

async function liveThrough(past: Past, rider: RowOf<typeof riderRow>, index: number): Promise<void> {
  const { id: riderId, rode_at: rodeAt } = rider
  const daysAgo = 2 + (index % 26)
  const at = past.now - daysAgo * dayMs - (index % 600) * minuteMs
  // What activities give for it comes later: see `fillRecharges`.
  const cents = [2_000, 5_000, 10_000][index % 3] ?? 0
  const paymentId = await insertPaid(past, { riderId, purpose: 'recharge', cents, at })
  const own = { agentId: past.agentId, riderId }
  await past.post(recharge({ ...own, paymentId, cents, at, channel: 'sandbox' }))
  // After the last ride of the past: the rides before were charged without it.
  const boughtAt = Math.max(at + dayMs, (rodeAt?.getTime() ?? 0) + hourMs)
  if (index % 3 > 0 && boughtAt < past.now) await buyCards({ ...past, riderId, index, at: boughtAt })
  if (index % 4 === 0) await deposit(past, { riderId, index, at: at + hourMs })
  if (index % 40 === 7) await refundBalance(past, { riderId, paymentId, cents: 500, at: at + dayMs })
  if (index % 30 === 11) await charge(past, { riderId, at: past.now - dayMs })
}

const paymentRow = rowOf('payment', ['id'])

async function insertPaid(
  { tx, agentId }: Past,
  paid: { riderId: number; purpose: 'recharge' | 'deposit'; cents: number; at: number },
): Promise<number> {
  const { riderId, purpose, cents, at } = paid
  const { rows } = await paymentRow.returning`
    insert into payment (agent_id, rider_id, purpose, became, channel, number, cents, state, trade_number,
      created_at, paid_at)
    values (${agentId}, ${riderId}, ${purpose}, ${purpose}, 'sandbox', md5(${`${purpose} ${riderId}`}), ${cents},
      'paid', ${`history-${purpose}-${riderId}`}, ${new Date(at - 20_000)}, ${new Date(at)})
    `.execute(tx)
  return rows[0]?.id ?? 0
}

const depositCaseRow = rowOf('deposit_case', ['id'])

/** Deposits that are held, frozen, kept in part, or refunded. */
async function deposit(
  past: Past,
  { riderId, index, at }: { riderId: number; index: number; at: number },
): Promise<void> {
  const { tx, agentId, post } = past
  const cents = depositCents
  const id = await insertPaid(past, { riderId, purpose: 'deposit', cents, at })
  const end = ['held', 'frozen', 'kept', 'back'][(index / 4) % 4]
  const kept = end === 'kept' ? 3_000 : 0
  const back = end === 'back' ? cents : 0
  const frozen = end === 'frozen' ? 5_000 : 0
  await sql`
    insert into rider_deposit (id, agent_id, rider_id, cents, frozen_cents, recovered_cents, refunded_cents, paid_at)
    values (${id}, ${agentId}, ${riderId}, ${cents}, ${frozen}, ${kept}, ${back}, ${new Date(at)})`.execute(tx)
  const own = { agentId, riderId, depositId: id }
  await post(depositPay({ ...own, cents, at, channel: 'sandbox' }))
  const caseAt = at + 6 * hourMs
  if (back > 0) {
    const refundId = await insertRefund(past, {
      paymentId: id,
      cents: back,
      reason: '骑行者退押金',
      at: caseAt,
      fault: '',
    })
    await post({ ...depositRefund({ ...own, cents: back, at: caseAt }), key: `refund:${refundId}` })
    const paid = { agentId, riderId, refundId, reference: `deposit:${id}`, cents: back, channel: 'sandbox' } as const
    await post(refundPaid({ ...paid, at: caseAt + 2_000 }))
  }
  if (frozen + kept === 0) return
  const reason = frozen > 0 ? '车筐损坏，等待定损' : '前叉撞坏，维修费 30 元'
  const decided = kept > 0 ? new Date(caseAt + hourMs) : null
  const { rows } = await depositCaseRow.returning`
    insert into deposit_case (agent_id, deposit_id, cents, recovered_cents, state, reason, operator_name, opened_at,
      decision, decided_by, decided_at)
    values (${agentId}, ${id}, ${frozen + kept}, ${kept}, ${kept > 0 ? 'recovered' : 'open'}, ${reason}, ${clerk},
      ${new Date(caseAt)}, ${kept > 0 ? '骑行者已确认' : ''}, ${kept > 0 ? clerk : null}, ${decided})
    `.execute(tx)
  const caseId = rows[0]?.id ?? 0
  await post(depositFreeze({ ...own, caseId, cents: frozen + kept, at: caseAt }))
  if (decided !== null) await post(depositRecovery({ ...own, caseId, cents: kept, reason, at: decided.getTime() }))
}

const paymentRefundRow = rowOf('payment_refund', ['id'])

async function insertRefund(
  { tx, agentId }: Past,
  refund: { paymentId: number; cents: number; reason: string; at: number; fault: string },
): Promise<number> {
  const { paymentId, cents, reason, at, fault } = refund
  const { rows } = await paymentRefundRow.returning`
    insert into payment_refund (agent_id, payment_id, number, cents, reason, state, fault, attempts, created_at, done_at)
    values (${agentId}, ${paymentId}, md5(${`refund ${paymentId}`}), ${cents}, ${reason},
      ${fault === '' ? 'done' : 'failed'}, ${fault}, 1, ${new Date(at)}, ${fault === '' ? new Date(at + 2_000) : null})
    `.execute(tx)
  return rows[0]?.id ?? 0
}

/** The channel could not pay it out: the refund waits for a retry. */
async function refundBalance(
  past: Past,
  { riderId, paymentId, cents, at }: { riderId: number; paymentId: number; cents: number; at: number },
): Promise<void> {
  const fault = '收款账户状态异常，无法退款'
  const refundId = await insertRefund(past, { paymentId, cents, reason: '骑行者申请退余额', at, fault })
  await past.post(balanceRefund({ agentId: past.agentId, riderId, paymentId, refundId, cents, at }))
}

const platformChargeRow = rowOf('platform_charge', ['id'])

async function charge(
  { tx, agentId, gifts, post }: Past,
  { riderId, at }: { riderId: number; at: number },
): Promise<void> {
  const given = { account: 'gift', direction: 'credit', cents: 300, reason: '开锁失败三次，补偿 3 元' } as const
  const { rows } = await platformChargeRow.returning`
    insert into platform_charge (agent_id, rider_id, account, direction, cents, reason, operator_name, charged_at)
    values (${agentId}, ${riderId}, ${given.account}, ${given.direction}, ${given.cents}, ${given.reason}, ${clerk},
      ${new Date(at)}) `.execute(tx)
  const own = { agentId, riderId, chargeId: rows[0]?.id ?? 0, at }
  await gifts.credit(tx, { ...own, cents: given.cents })
  await post(chargeEntry({ ...own, ...given }))
}
