import { sql } from 'kysely'
import type { ActivityCommon } from '@saddle/contract/marketing/activities.ts'
import {
  rechargeTermsSchema,
  rewardsOfTier,
  type RechargeTerms,
} from '@saddle/contract/marketing/rechargeActivities.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { keepRechargeUse, rechargeSource, tierOf } from '#marketing/demoDoor.ts'
import type { Marketing } from '#marketing/public.ts'
import { demoTenants, platformAgentId } from '#demo/tenants.ts'
import { hasActivities, insertPastActivity, spanOfPast, type PastActivity } from './activities.ts'

const terms = (tiers: readonly object[], firstOnly = false): RechargeTerms =>
  rechargeTermsSchema.parse({ tiers, firstOnly })

/** The recharge activities of each company of the demo, one in each state. The first that fits a recharge gives. */
const activities: readonly (PastActivity & { readonly terms: RechargeTerms })[] = [
  {
    name: '迎新首充礼',
    fromDays: -30,
    toDays: -17,
    common: { riderUses: 1, budgetCents: 100_000 },
    terms: terms(
      [
        { payCents: 2_000, giftCents: 300, giftDays: 10 },
        { payCents: 5_000, giftCents: 1_000, giftDays: 10 },
      ],
      true,
    ),
  },
  {
    name: '金秋充值季',
    fromDays: -22,
    state: 'ended',
    stoppedDays: -12,
    common: { riderDayUses: 1 },
    terms: terms([{ payCents: 10_000, giftCents: 2_000, giftDays: 60 }]),
  },
  {
    name: '周中小充有礼',
    fromDays: -16,
    state: 'paused',
    stoppedDays: -4,
    common: { riderDayUses: 1, bearer: 'partner', partner: '江城商管' },
    terms: terms([{ payCents: 2_000, giftCents: 200, giftDays: 30 }]),
  },
  {
    name: '限量双倍赠',
    fromDays: -15,
    common: { budgetUses: 5 },
    terms: terms([{ payCents: 5_000, giftCents: 1_500, giftDays: 7 }]),
  },
  {
    name: '充多送多',
    fromDays: -14,
    common: { budgetCents: 60_000, riderDayUses: 2 },
    terms: terms([
      { payCents: 2_000, giftCents: 200, giftDays: 90 },
      { payCents: 5_000, giftCents: 800, giftDays: 90 },
      { payCents: 10_000, giftCents: 2_000, giftDays: 90 },
    ]),
  },
  {
    name: '双十二预充值',
    fromDays: 12,
    toDays: 20,
    common: { budgetCents: 200_000 },
    terms: terms([
      { payCents: 5_000, giftCents: 1_200, giftDays: 60 },
      { payCents: 10_000, giftCents: 3_000, giftDays: 60 },
    ]),
  },
  {
    name: '春节返程礼',
    fromDays: 40,
    state: 'draft',
    terms: terms([{ payCents: 3_000, giftCents: 600, giftDays: 30 }]),
  },
]

const paidRow = rowsOf(
  rowOf('payment', 'p', ['id', 'rider_id', 'cents', 'paid_at']),
  rowOfValues({
    has_refund: computed('boolean', sql`exists (select from payment_refund r where r.payment_id = p.id)`),
  }),
).filled('paid_at')
type Paid = RowOf<typeof paidRow>
type Running = {
  readonly id: number
  readonly common: ActivityCommon
  readonly terms: RechargeTerms
  readonly from: number
  readonly until: number
}

const paymentsMax = 500

/**
 * Gives the recharges of the demo's past what activities of that time promised, by the rules of the platform, in the order in
 * which they were paid. Done once. Resolves to the number of recharges with an offer.
 */
export async function fillRecharges(
  kit: Pick<Kit, 'db' | 'clock'>,
  { rewards }: Pick<Marketing, 'rewards'>,
): Promise<number> {
  if (await hasActivities(kit, 'recharge')) return 0
  const source = rechargeSource({ kit, rewards })
  let count = 0
  await kit.db.system(async (tx) => {
    for (const { id: agentId } of demoTenants.filter(({ id }) => id !== platformAgentId)) {
      const running = await openAll(tx, agentId, kit.clock.now())
      const { rows } = await paidRow.select`
        from payment p where p.agent_id = ${agentId} and p.purpose = 'recharge' and p.state = 'paid'
        order by p.paid_at, p.id limit ${paymentsMax}`.execute(tx)
      for (const paid of rows) count += await give(tx, source, { agentId, running, paid })
      await closeAll(tx, running)
    }
  })
  return count
}

/** Activities as they were before anybody stopped them. */
async function openAll(tx: Tx, agentId: number, now: number): Promise<Running[]> {
  const running: Running[] = []
  for (const { terms: own, ...activity } of activities) {
    const { state: _, ...before } = activity
    const open = activity.state === 'draft' ? activity : before
    const { id, common } = await insertPastActivity(tx, { agentId, kind: 'recharge', activity: open, terms: own, now })
    running.push({ id, common, terms: own, ...spanOfPast(activity, now) })
  }
  return running
}

async function closeAll(tx: Tx, running: readonly Running[]): Promise<void> {
  for (const [index, { state }] of activities.entries()) {
    const id = running[index]?.id ?? 0
    if (state === 'ended' || state === 'paused')
      await sql`update activity set state = ${state} where id = ${id}`.execute(tx)
  }
}

async function give(
  tx: Tx,
  source: ReturnType<typeof rechargeSource>,
  { agentId, running, paid }: { readonly agentId: number; readonly running: readonly Running[]; readonly paid: Paid },
): Promise<number> {
  const { id: paymentId, rider_id: riderId, cents } = paid
  const at = paid.paid_at.getTime()
  const chosen = running.find(
    ({ from, until, terms: own }) => from <= at && at < until && tierOf(own, cents) !== undefined,
  )
  const tier = chosen && tierOf(chosen.terms, cents)
  if (chosen === undefined || tier === undefined) return 0
  const { giftCents } = tier
  const promise = { paymentId, agentId, riderId, activityId: chosen.id, version: 1, cents, giftCents }
  await keepRechargeUse(tx, { ...promise, rewards: rewardsOfTier(tier), at: new Date(at - minuteMs) })
  const given = await source.settled(tx, { agentId, riderId, paymentId, cents, at, isAboveCap: false })
  await sql`update payment set gift_cents = ${given} where id = ${paymentId}`.execute(tx)
  if (paid.has_refund) await source.refunded(tx, { agentId, riderId, paymentIds: [paymentId], at: at + 60 * minuteMs })
  return 1
}
