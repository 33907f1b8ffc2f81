import { sql } from 'kysely'
import { inviteTermsSchema } from '@saddle/contract/marketing/inviteActivities.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import type { Finance } from '#finance/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createSeededRandom } from '#kit/random.ts'
import {
  afterInviteTime,
  ensureCode,
  giveReward,
  idsOfCause,
  insertInvite,
  inviteConsumer,
  lockInvites,
  lockRewards,
  rewardPorts,
  type InviteActivity,
  type InviteDeps,
} from '#marketing/demoDoor.ts'
import type { Marketing } from '#marketing/public.ts'
import { createRiders } from '#rider/public.ts'
import { callOf, type DemoPerson } from '#demo/desk.ts'
import { demoServiceAreas, demoTenants, platformAgentId } from '#demo/tenants.ts'
import { drawOf, telephoneOf } from '../riderFacts.ts'
import { historyPhone, historyRider, historyRiderName } from '../ridersOfTrips.ts'
import { insertPastActivity, spanOfPast, type PastActivity } from './activities.ts'
import { insertRewardCoupon } from './rewards.ts'

type Terms = Parameters<typeof inviteTermsSchema.parse>[0]

/** The invite activities of each company of the demo, one in each state; those of the past follow each other. */
function activitiesOf(templateId: number): readonly (PastActivity & { readonly terms: Terms })[] {
  const coupons = (count: number) => [{ kind: 'coupon', templateId, count }]
  const usual = { rideDays: 7, inviterRewards: coupons(1), invitedRewards: coupons(1) }
  return [
    { name: '开学邀请季', fromDays: -30, toDays: -18, common: { budgetUses: 30, riderUses: 3 }, terms: usual },
    {
      name: '周末带新人',
      fromDays: -18,
      state: 'paused',
      stoppedDays: -9,
      common: { riderUses: 4 },
      terms: { ...usual, inviterRewards: coupons(2) },
    },
    {
      name: '邀请好友一起骑',
      fromDays: -9,
      common: { budgetCents: 200_000, riderUses: 10, holdoutPercent: 10 },
      terms: { ...usual, inviterRewards: [{ kind: 'gift', cents: 300, validDays: 60 }], depthMax: 3 },
    },
    { name: '双十二双人礼', fromDays: 12, toDays: 20, terms: { ...usual, invitedRewards: coupons(2) } },
    { name: '寒假返乡邀请', fromDays: 40, state: 'draft', terms: { ...usual, waitHours: 48 } },
  ]
}

type Running = { readonly activity: InviteActivity; readonly from: number; readonly until: number }
/** Somebody who names an inviter at a moment. */
type Newcomer = {
  readonly riderId: number
  readonly at: number
  /** Who brought them, where that is decided. */
  readonly inviterId?: number
}
type Company = { readonly agentId: number; readonly appId: number | null; readonly running: readonly Running[] }
type Deps = InviteDeps & { readonly kit: Kit; readonly finance: Pick<Finance, 'gifts'> }

/** Before that long ago nobody of the past was invited. */
const pastDays = 28
const perDay = 2
/** Of the last days more: their rewards are still to come. */
const perRecentDay = 6
const recentDays = 2
const inviters = 12
/** Accounts of these many days ago that never rode. */
const idleDays = [0.2, 0.6, 1.2, 2, 3.5, 5, 11, 13] as const
const depthMax = 4

const newcomerRow = rowsOf(
  rowOf('rider', 'r', ['id']),
  rowOfValues({ first_at: computed('timestamptz', sql`r.first_at`) }),
)

/** Riders whose first ride was in the last weeks, a few of each day: those of whom nothing older is known. */
async function newcomersOf({ kit }: Deps, agentId: number): Promise<Newcomer[]> {
  const now = kit.clock.now()
  const perDayOf = sql`case when first_at > ${new Date(now - recentDays * dayMs)} then ${perRecentDay}::int else ${perDay}::int end`
  const { rows } = await kit.db.system((tx) =>
    newcomerRow.select`
      from (
        select id, first_at, row_number() over (partition by date_trunc('day', first_at) order by id) as n
        from (
          select i.id, min(o.placed_at) as first_at
          from rider i join ride_order o on o.rider_id = i.id
          where i.agent_id = ${agentId} and i.closed_at is null and i.name_sealed is not null
          group by i.id
        ) i
        where first_at > ${new Date(now - pastDays * dayMs)}
          and not exists (select from rider_ban b where b.rider_id = i.id)
          and not exists (select from rider_certificate c where c.rider_id = i.id)
          and not exists (select from rider_rebind b where i.id in (b.rider_id, b.holder_id))
          and not exists (select from payment p where p.rider_id = i.id and p.created_at < first_at)
          and not exists (select from coupon c where c.rider_id = i.id and c.issued_at < first_at)
      ) r
      where n <= ${perDayOf} order by first_at, id`.execute(tx),
  )
  return rows.map(({ id, first_at: firstAt }) => ({
    riderId: id,
    at: firstAt.getTime() - hourMs - drawOf(id, 60, 35 * hourMs),
  }))
}

/** Riders of long ago, who invite others. */
async function invitersOf({ kit }: Deps, agentId: number): Promise<number[]> {
  const known = rowOf('rider', 'r', ['id'])
  const { rows } = await kit.db.system((tx) =>
    known.select`
      from rider r
      where r.agent_id = ${agentId} and r.closed_at is null and r.name_sealed is not null
        and r.created_at < ${new Date(kit.clock.now() - 31 * dayMs)}
        and not exists (select from rider_ban b where b.rider_id = r.id)
        and not exists (select from invite i where i.invited_id = r.id)
      order by r.last_active_at desc nulls last, r.id limit ${inviters}`.execute(tx),
  )
  return rows.map(({ id }) => id)
}

/** The parts of the platform as they were at a moment. */
const depsAt = (deps: Deps, at: number): Deps => {
  const kit: Kit = { ...deps.kit, clock: { now: () => at } }
  return { ...deps, kit, riders: createRiders(kit) }
}

/** Makes the company's activities as they were before anybody stopped them; null where it has some, or nobody rides. */
async function openCompany({ kit }: Deps, agentId: number): Promise<Company | null> {
  const now = kit.clock.now()
  return kit.db.system(async (tx) => {
    const { rows } = await sql<{ known: boolean; app_id: string | null }>`
      select not exists (select from rider where agent_id = ${agentId})
          or exists (select from activity where agent_id = ${agentId} and kind = 'invite') as known,
        (select min(id) from rider_app where agent_id in (${agentId}, ${platformAgentId})) as app_id`.execute(tx)
    const [found] = rows
    if (found === undefined || found.known) return null
    const templateId = await insertRewardCoupon(tx, { agentId, name: '邀请奖励 2 元券', cents: 200, now })
    const running: Running[] = []
    for (const { terms: given, ...activity } of activitiesOf(templateId)) {
      const terms = inviteTermsSchema.parse(given)
      const { state, ...before } = activity
      const open = state === 'draft' ? activity : before
      const { id, common } = await insertPastActivity(tx, { agentId, kind: 'invite', activity: open, terms, now })
      const { name, endsAt, holdoutPercent } = common
      running.push({ activity: { id, version: 1, name, endsAt, holdoutPercent, terms }, ...spanOfPast(activity, now) })
    }
    return { agentId, appId: found.app_id === null ? null : Number(found.app_id), running }
  })
}

/** Activities that a person has stopped since. */
async function closeCompany({ kit }: Deps, { running }: Company): Promise<void> {
  const stopped = activitiesOf(0).flatMap(({ state, stoppedDays = 0 }, index) =>
    state === 'paused' ? [{ id: running[index]?.activity.id ?? 0, at: kit.clock.now() + stoppedDays * dayMs }] : [],
  )
  await kit.db.system(async (tx) => {
    for (const { id, at } of stopped)
      await sql`update activity set state = 'paused', changed_at = ${new Date(at)} where id = ${id}`.execute(tx)
  })
}

/** They registered shortly before they named who brought them. */
async function registerAt(tx: Tx, { riderId, at, inviterId }: Newcomer): Promise<void> {
  // Those whose inviter is decided are new accounts, made at their time.
  if (inviterId !== undefined) return
  const createdAt = new Date(at - 5 * minuteMs - drawOf(riderId, 63, 50 * minuteMs))
  await sql`
    update rider_device d set first_seen_at = ${createdAt} from rider r
    where d.rider_id = ${riderId} and r.id = d.rider_id and d.first_seen_at < ${createdAt}`.execute(tx)
  await sql`
    update rider set created_at = ${createdAt}, certified_at = certified_at + (${createdAt}::timestamptz - created_at)
    where id = ${riderId}`.execute(tx)
}

/** Accounts that never rode. Two of them name each other. */
async function idleOf(deps: Deps, agentId: number): Promise<Newcomer[]> {
  const now = deps.kit.clock.now()
  const idle: Newcomer[] = []
  for (const [index, days] of idleDays.entries()) {
    const number = historyRider(agentId, 90_000 + index * 1_117 + drawOf(agentId, 66, 1_000))
    const at = now - days * dayMs - drawOf(number, 67, 170) * minuteMs
    const person = { agentId, phone: historyPhone(number), name: historyRiderName(number) }
    const [riderId = 0] = await deps.kit.db.system((tx) => depsAt(deps, at - hourMs).riders.ensure(tx, [person]))
    idle.push({ riderId, at })
  }
  const [last, , before] = idle
  if (last === undefined || before === undefined) return idle
  const circle: Newcomer[] = [
    { ...last, inviterId: before.riderId },
    { ...before, at: last.at + hourMs, inviterId: last.riderId },
  ]
  return [...idle.filter((one) => one !== last && one !== before), ...circle]
}

const rideRow = rowOf('ride_order', 'o', ['id', 'ended_at', 'state']).filled('ended_at')
const ridesMax = 50

/** Adds an invite at its time, and what rides and time have made of it since. */
async function liveThrough(
  deps: Deps,
  company: Company,
  invite: { readonly inviterId: number; readonly invited: Newcomer; readonly isFalse: boolean },
): Promise<void> {
  const { agentId, appId } = company
  const { inviterId, invited, isFalse } = invite
  const running = company.running.findLast(({ from, until }) => from <= invited.at && invited.at < until)
  if (running === undefined) return
  const now = deps.kit.clock.now()
  const then = depsAt(deps, invited.at)
  await deps.kit.db.system(async (tx) => {
    await registerAt(tx, invited)
    await ensureCode(depsAt(deps, invited.at - hourMs), tx, { agentId, riderId: inviterId })
    if (isFalse && appId !== null) {
      const device = { id: `demo ${inviterId}`, ...telephoneOf(inviterId) }
      for (const riderId of [inviterId, invited.riderId])
        await then.riders.noteDevice(tx, { agentId, appId, riderId, device })
    }
    const pair = { agentId, inviterId, invitedId: invited.riderId }
    const { id } = await insertInvite(tx, { ...pair, activity: running.activity, at: invited.at })
    await countRides(deps, tx, { ...invited, agentId, until: stopOf(running, now) })
    const [counted] = await lockInvites(tx, sql`i.id = ${id}`)
    if (counted?.state === 'registered' && counted.rideBy < now - 2 * dayMs)
      await afterInviteTime(deps, tx, { id, now: counted.rideBy + dayMs + minuteMs })
    if (counted?.state !== 'pending' || counted.dueAt === null || counted.dueAt > now) return
    await giveBoth(deps, tx, { ...pair, grantId: counted.grantId ?? 0, at: counted.dueAt })
    await afterInviteTime(deps, tx, { id, now: counted.dueAt })
  })
}

/** Rides count until somebody paused the activity; after its own end the rules refuse them. */
const stopOf = ({ activity, until }: Running, now: number): number => (activity.endsAt === null ? until : now)

async function countRides(
  deps: Deps,
  tx: Tx,
  { agentId, riderId, at, until }: Newcomer & { readonly agentId: number; readonly until: number },
): Promise<void> {
  const { rows } = await rideRow.select`
    from ride_order o
    where o.rider_id = ${riderId} and o.agent_id = ${agentId} and o.charged_cents > 0 and o.state <> 'due'
      and o.ended_at between ${new Date(at)} and ${new Date(until)}
    order by o.ended_at, o.id limit ${ridesMax}`.execute(tx)
  const facts = rows.map(({ id, ended_at: endedAt }) => ({
    seq: 0,
    agent_id: agentId,
    rider_id: riderId,
    kind: 'ride_paid' as const,
    subject_id: id,
    at: endedAt,
  }))
  await inviteConsumer(deps).handle(tx, facts)
}

async function giveBoth(
  { finance }: Deps,
  tx: Tx,
  given: { agentId: number; inviterId: number; invitedId: number; grantId: number; at: number },
): Promise<void> {
  const { agentId, inviterId, invitedId, grantId, at } = given
  const ports = rewardPorts(finance)
  for (const riderId of [inviterId, invitedId]) {
    const ids = await idsOfCause(tx, { agentId, riderId, cause: { kind: 'invite', id: grantId } })
    for (const row of await lockRewards(tx, { agentIds: [agentId], ids }))
      await giveReward(ports, tx, row, new Date(at))
  }
}

/** Each of them is brought by a rider of long ago or by one who was brought before, down to a few levels. */
async function inviteAll(deps: Deps, company: Company): Promise<number> {
  const { agentId } = company
  const tops = await invitersOf(deps, agentId)
  const newcomers = [...(await newcomersOf(deps, agentId)), ...(await idleOf(deps, agentId))]
  const brought: { readonly riderId: number; readonly at: number; readonly depth: number }[] = []
  for (const invited of newcomers.toSorted((a, b) => a.at - b.at || a.riderId - b.riderId)) {
    const { riderId, at } = invited
    const above = brought.filter((one) => one.at < at - 6 * hourMs && one.depth < depthMax)
    const isBelow = above.length > 0 && drawOf(riderId, 61, 100) < 55
    const parent = isBelow ? above[drawOf(riderId, 62, above.length)] : undefined
    // Of those of long ago the first invite the most.
    const top = tops[Math.floor((drawOf(riderId, 64, 100) / 100) ** 2 * tops.length)]
    const inviterId = invited.inviterId ?? parent?.riderId ?? top
    if (inviterId === undefined || inviterId === riderId) continue
    const isFalse = invited.inviterId === undefined && drawOf(riderId, 65, 9) === 0
    await liveThrough(deps, company, { inviterId, invited, isFalse })
    if (invited.inviterId === undefined)
      brought.push({ riderId, at, depth: (parent === undefined ? 0 : parent.depth) + 1 })
  }
  return brought.length
}

const clerkPhone = '13800138000'
const refundedMax = 2
/** Gives all of an order back. */
type Refund = (order: { readonly orderId: number; readonly reason: string }, call: SessionCall) => Promise<unknown>

/** People refund a few first rides, refuse an invite and let one through. */
async function decide(
  agentId: number,
  by: { readonly marketing: Marketing; readonly refund: Refund; readonly person: DemoPerson },
): Promise<void> {
  const areaIds = demoServiceAreas.filter((area) => area.agentId === agentId).map(({ id }) => id)
  const call = callOf(by.person, clerkPhone, { agentIds: [agentId], areaIds })
  const { handlers } = by.marketing
  const some = async (filter: Parameters<typeof handlers.listInvites>[0]['filter'], pageSize: number) =>
    (await handlers.listInvites({ filter, sort: 'bound', pageSize }, call)).data.list
  for (const { orderId } of await some({ states: ['rewarded'] }, refundedMax)) {
    if (orderId !== null) await by.refund({ orderId, reason: '车辆故障，全额退款' }, call)
  }
  for (const { id } of await some({ states: ['pending'] }, 1))
    await handlers.refuseInvite({ id, note: '同一宿舍集中注册，核查后不予发放' }, call)
  for (const { id } of await some({ reasons: ['device'] }, 1))
    await handlers.clearInvite({ id, note: '核实为同住家人共用手机，放行' }, call)
}

/**
 * The invites of the demo's past month: activities, who brought whom, and what rides and time have made of it by the rules
 * of the platform. A company that has invite activities is left alone. Resolves to the number of invites.
 */
export async function fillInvites(
  kit: Kit,
  domains: {
    readonly marketing: Marketing
    readonly finance: Pick<Finance, 'gifts'>
    readonly refund: Refund
    readonly people: ReadonlyMap<string, DemoPerson>
  },
): Promise<number> {
  const { marketing, finance, refund, people } = domains
  let count = 0
  for (const { id: agentId } of demoTenants.filter(({ id }) => id !== platformAgentId)) {
    const own: Kit = { ...kit, random: createSeededRandom(agentId) }
    const deps: Deps = {
      kit: own,
      audit: createAudit(kit),
      riders: createRiders(kit),
      rewards: marketing.rewards,
      finance,
    }
    const company = await openCompany(deps, agentId)
    if (company === null) continue
    count += await inviteAll(deps, company)
    await closeCompany(deps, company)
    const person = people.get(clerkPhone)
    if (person !== undefined) await decide(agentId, { marketing, refund, person })
  }
  await marketing.facts.run()
  return count
}
