import { sql } from 'kysely'
import { couponTermsSchema } from '@saddle/contract/marketing/couponTerms.ts'
import { fixedTermsSchema } from '@saddle/contract/marketing/fixedActivities.ts'
import type { Reward } from '@saddle/contract/marketing/rewards.ts'
import { taskTermsSchema } from '@saddle/contract/marketing/taskActivities.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Marketing } from '#marketing/public.ts'
import { demoTenants, platformAgentId } from '#demo/tenants.ts'
import { hasActivities, insertPastActivity, marketingClerk, type PastActivity } from './activities.ts'

type Made = PastActivity & { readonly kind: 'fixed' | 'task'; readonly terms: object }

/** The fixed and custom activities of each company of the demo, in each state; all of them are small. */
function activitiesOf(templateId: number): readonly Made[] {
  const coupons = (count: number): Reward[] => [{ kind: 'coupon', templateId, count }]
  const gift = (cents: number): Reward[] => [{ kind: 'gift', cents, validDays: 30 }]
  const fixed = (terms: Parameters<typeof fixedTermsSchema.parse>[0]) =>
    ({ kind: 'fixed', terms: fixedTermsSchema.parse(terms) }) as const
  const task = (terms: Parameters<typeof taskTermsSchema.parse>[0]) =>
    ({ kind: 'task', terms: taskTermsSchema.parse(terms) }) as const
  const levels = (...targets: number[]) =>
    targets.map((target, index) => ({ target, rewards: index === 2 ? gift(300) : coupons(index + 1) }))
  return [
    {
      name: '首骑礼',
      fromDays: -25,
      common: { budgetUses: 120 },
      ...fixed({ event: 'first_ride', rewards: coupons(1) }),
    },
    {
      name: '实名认证礼',
      fromDays: -20,
      state: 'paused',
      stoppedDays: -2,
      ...fixed({ event: 'identified', rewards: coupons(1) }),
    },
    {
      name: '久别重逢',
      fromDays: -14,
      common: { budgetUses: 60 },
      ...fixed({ event: 'wake', rewards: coupons(2), idleDays: 14 }),
    },
    {
      name: '首充礼',
      fromDays: 1,
      state: 'draft',
      ...fixed({ event: 'first_recharge', rewards: gift(200), minCents: 2_000 }),
    },
    {
      name: '每周骑行挑战',
      fromDays: -21,
      common: { budgetUses: 300, holdoutPercent: 10 },
      ...task({ measure: 'rides', days: 7, levels: levels(3, 6, 10), rides: { minMinutes: 3 }, delayHours: 48 }),
    },
    {
      name: '骑行百分钟',
      fromDays: -10,
      common: { budgetUses: 80 },
      ...task({ measure: 'minutes', days: 10, levels: [{ target: 100, rewards: coupons(2) }] }),
    },
    {
      name: '早高峰打卡',
      fromDays: 5,
      toDays: 35,
      ...task({
        measure: 'days',
        days: 7,
        levels: [
          { target: 3, rewards: coupons(1) },
          { target: 5, rewards: coupons(2) },
        ],
        rides: { hours: { from: 420, to: 540 }, weekdays: [1, 2, 3, 4, 5] },
      }),
    },
  ]
}

/**
 * Makes the fixed and custom activities of the demo's companies as they were a month ago, before its rides are booked: the
 * platform's own job then counts these. Done once.
 */
export async function openPastRewards(kit: Pick<Kit, 'db' | 'clock'>): Promise<void> {
  if (await hasActivities(kit, 'fixed')) return
  const now = kit.clock.now()
  for (const { id: agentId } of demoTenants) {
    if (agentId === platformAgentId) continue
    await kit.db.system(async (tx) => {
      const templateId = await insertRewardCoupon(tx, { agentId, name: '活动奖励 1 元券', cents: 100, now })
      for (const { kind, terms, ...activity } of activitiesOf(templateId)) {
        await insertPastActivity(tx, { agentId, kind, activity, terms, now })
      }
    })
  }
}

/** A coupon that activities give. */
export async function insertRewardCoupon(
  tx: Tx,
  coupon: { readonly agentId: number; readonly name: string; readonly cents: number; readonly now: number },
): Promise<number> {
  const { agentId, name, cents, now } = coupon
  const terms = couponTermsSchema.parse({
    name,
    effect: { off: 'cents', cents },
    validDays: 14,
    validUntil: null,
  })
  const at = new Date(now - 31 * dayMs)
  const { id } = await tx
    .insertInto('coupon_template')
    .values({ agent_id: agentId, name: terms.name, created_at: at, changed_at: at, changed_by: marketingClerk })
    .returning('id')
    .executeTakeFirstOrThrow()
  const version = { template_id: id, version: 1, agent_id: agentId, terms: JSON.stringify(terms) }
  await tx
    .insertInto('coupon_template_version')
    .values({ ...version, made_at: at, made_by: marketingClerk })
    .execute()
  return id
}

const someGiven = 12

/** Counts what was ridden, gives what is due, and takes a few rewards back as a person would. Done once. */
export async function fillRewards({ db, clock }: Pick<Kit, 'db' | 'clock'>, marketing: Marketing): Promise<void> {
  await marketing.facts.run()
  await marketing.rewards.giveDue()
  const { rows } = await db.system((tx) =>
    sql<{ id: number; agent_id: number; is_done: boolean }>`
      select r.id, r.agent_id, exists (select from reward d where d.state = 'revoked') as is_done
      from reward r where r.state = 'given' order by r.id limit ${someGiven}`.execute(tx),
  )
  const at = new Date(clock.now())
  const by = { id: 0, name: marketingClerk }
  for (const { id, agent_id: agentId, is_done: isDone } of rows.filter((_, index) => index % 4 === 0)) {
    if (isDone) return
    await db.system((tx) =>
      marketing.rewards.revoke(tx, { ids: [id], agentIds: [agentId], at, by, reason: '同一人多账号参与' }),
    )
  }
}
