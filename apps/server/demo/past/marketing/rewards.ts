import { sql } from 'kysely'
import { couponTermsSchema } from '@saddle/contract/marketing/couponTerms.ts'
import { fixedTermsSchema } from '@saddle/contract/marketing/fixedActivities.ts'
import type { Reward } from '@saddle/contract/marketing/rewards.ts'
import { taskTermsSchema } from '@saddle/contract/marketing/taskActivities.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Finance } from '#finance/public.ts'
import { giveDueRewards, lockActivity, rewardPorts, updateActivity, wakeRiders } from '#marketing/demoDoor.ts'
import type { Marketing } from '#marketing/public.ts'
import { demoTenants, platformAgentId } from '#demo/tenants.ts'
import type { PastSource } from '../benefits.ts'
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
      fromDays: -9,
      common: { budgetUses: 600, holdoutPercent: 10 },
      ...fixed({ event: 'first_ride', rewards: coupons(1) }),
    },
    {
      name: '开学首骑礼',
      fromDays: -25,
      toDays: -12,
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
      fromDays: -wokenDays,
      common: { budgetUses: 600 },
      ...fixed({ event: 'wake', rewards: coupons(2), idleDays: 21 }),
    },
    {
      name: '首充礼',
      fromDays: 1,
      state: 'draft',
      ...fixed({ event: 'first_recharge', rewards: gift(200), minCents: 2_000 }),
    },
    ...tasksOf(task, coupons, levels),
  ]
}

const evening = { from: 1_200, to: 1_440 }
const commute = { from: 420, to: 540 }
const workdays = [1, 2, 3, 4, 5]

/** Custom activities: some are on with rounds under way, one is dry, the others are over, stopped or to come. */
function tasksOf(
  task: (terms: Parameters<typeof taskTermsSchema.parse>[0]) => Pick<Made, 'kind' | 'terms'>,
  coupons: (count: number) => Reward[],
  levels: (...targets: number[]) => object[],
): readonly Made[] {
  return [
    {
      name: '每周骑行挑战',
      fromDays: -18,
      common: { budgetUses: 1_600, holdoutPercent: 10 },
      ...task({ measure: 'rides', days: 7, levels: levels(8, 12, 16), rides: { minMinutes: 10 }, delayHours: 48 }),
    },
    {
      name: '工作日通勤打卡',
      fromDays: -5,
      common: { budgetUses: 800 },
      ...task({ measure: 'days', days: 14, levels: levels(3, 5), rides: { hours: commute, weekdays: workdays } }),
    },
    {
      name: '骑行百分钟',
      fromDays: -10,
      common: { budgetUses: 80 },
      ...task({ measure: 'minutes', days: 10, levels: [{ target: 100, rewards: coupons(2) }] }),
    },
    {
      name: '夜骑打卡',
      fromDays: -27,
      toDays: -6,
      common: { budgetUses: 500 },
      ...task({ measure: 'days', days: 7, levels: levels(3, 5), rides: { hours: evening } }),
    },
    {
      name: '周末骑行里程',
      fromDays: -20,
      state: 'paused',
      stoppedDays: -4,
      common: { budgetUses: 400 },
      ...task({ measure: 'metres', days: 7, levels: levels(10_000, 20_000), rides: { weekdays: [6, 7] } }),
    },
    {
      name: '新学期骑行月',
      fromDays: -29,
      state: 'ended',
      stoppedDays: -19,
      common: { budgetUses: 300 },
      ...task({ measure: 'rides', days: 28, levels: levels(12, 20), rides: { minMinutes: 5 }, repeats: false }),
    },
    {
      name: '早高峰打卡',
      fromDays: 5,
      toDays: 35,
      ...task({ measure: 'days', days: 7, levels: levels(3, 5), rides: { hours: commute, weekdays: workdays } }),
    },
    {
      name: '寒假骑行挑战',
      fromDays: 50,
      state: 'draft',
      ...task({ measure: 'rides', days: 14, levels: levels(4, 8), rides: { minMinutes: 5 } }),
    },
  ]
}

/** Since when riders who stay away are woken. */
const wokenDays = 7
const isStopped = ({ state }: Made): boolean => state === 'paused' || state === 'ended'

/**
 * Makes the fixed and custom activities of the demo's companies as they were a month ago, before its rides are booked: the
 * platform's own job then counts these. What a person has stopped since ends at that moment, until `fillRewards` stops it.
 * Done once.
 */
export async function openPastRewards(kit: Pick<Kit, 'db' | 'clock'>): Promise<void> {
  if (await hasActivities(kit, 'fixed')) return
  const now = kit.clock.now()
  for (const { id: agentId } of demoTenants) {
    if (agentId === platformAgentId) continue
    await kit.db.system(async (tx) => {
      const templateId = await insertRewardCoupon(tx, { agentId, name: '活动奖励 1 元券', cents: 100, now })
      for (const made of activitiesOf(templateId)) {
        const { kind, terms, ...activity } = made
        const { state: _, stoppedDays, ...open } = activity
        const own =
          stoppedDays !== undefined && isStopped(made) ? Object.assign(open, { toDays: stoppedDays }) : activity
        await insertPastActivity(tx, { agentId, kind, activity: own, terms, now })
      }
    })
  }
}

const stoppedRow = rowOf('activity', 'a', ['id', 'agent_id', 'ends_at']).filled('ends_at')

/** Stops what a person has stopped in the past; what is paused has no end from then on. */
async function stopPastRewards({ db }: Pick<Kit, 'db'>): Promise<void> {
  await db.system(async (tx) => {
    for (const { kind, name, state = 'on' } of activitiesOf(1).filter(isStopped)) {
      const { rows } = await stoppedRow.select`
        from activity a
        where a.kind = ${kind} and a.name = ${name} and a.version = 1 and a.state = 'on' and a.ends_at is not null
        order by a.id`.execute(tx)
      for (const { id, agent_id: agentId, ends_at: endsAt } of rows) {
        const row = await lockActivity(tx, { id, kind, scope: { agentIds: [agentId] } })
        const by = { id: null, name: marketingClerk, at: endsAt }
        if (state === 'paused')
          await updateActivity(tx, { row, common: { ...row.common, endsAt: null }, terms: row.terms, by })
        await sql`update activity set state = ${state}, changed_at = ${endsAt} where id = ${id}`.execute(tx)
      }
    }
  })
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

const turnsMax = 100

/** Gives what rides of the past have earned as soon as it is due, so that the rides after it can use it. */
export const pastRewards = (
  { db, clock, log }: Pick<Kit, 'db' | 'clock' | 'log'>,
  { marketing, finance }: { readonly marketing: Pick<Marketing, 'facts'>; readonly finance: Pick<Finance, 'gifts'> },
): PastSource => ({
  reach: async (at) => {
    await marketing.facts.run()
    const then = { db, log, clock: { ...clock, now: () => at } }
    for (let turn = 0; turn < turnsMax; turn += 1) if ((await giveDueRewards(then, rewardPorts(finance))) === 0) return
  },
})

const someGiven = 12

/** Counts what was ridden, gives what is due, and takes a few rewards back as a person would. Done once. */
export async function fillRewards({ db, clock }: Pick<Kit, 'db' | 'clock'>, marketing: Marketing): Promise<void> {
  await marketing.facts.run()
  await stopPastRewards({ db })
  for (let days = wokenDays - 1; days >= 0; days -= 1) {
    const at = clock.now() - days * dayMs
    await wakeRiders({ db, clock: { ...clock, now: () => at } }, marketing.rewards)
  }
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
