import { sql } from 'kysely'
import type { z } from 'zod'
import { couponTermsSchema, type CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import { businessDayEnd, businessDayOf, dayMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import type { AppCall, SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createCouponHandlers, createRiderCouponHandlers, expireCoupons } from '#marketing/demoDoor.ts'
import { createSeals } from '#rider/demoDoor.ts'
import { createRiders } from '#rider/public.ts'
import type { Riding } from '#riding/public.ts'
import { callOf, type DemoPerson } from '#demo/desk.ts'
import { demoServiceAreas, franchiseeId } from '#demo/tenants.ts'

const agentId = franchiseeId('qinghe')
const clerkPhone = '13800138001'
const ridersMax = 700

type Given = z.input<typeof couponTermsSchema>
const termsOf = (given: Given): CouponTerms => couponTermsSchema.parse(given)

/** Kinds of coupons of one company over the past month, as its office would have made and issued them. */
const kindsOf = (now: number): readonly Kind[] => [
  {
    terms: { name: '新人立减 2 元', effect: { off: 'cents', cents: 200 }, validDays: 7, validUntil: null, riderMax: 1 },
    madeDaysAgo: 29,
    issues: [
      { daysAgo: 28, riders: 60, note: '开学季新人' },
      { daysAgo: 12, riders: 40, note: '新人第二批' },
      { daysAgo: 2, riders: 30, note: '本周新人' },
    ],
  },
  {
    terms: {
      name: '周末免起步价',
      effect: { off: 'start' },
      conditions: { weekdays: [6, 7] },
      validDays: null,
      validUntil: businessDayEnd(businessDayOf(now + 10 * dayMs)),
    },
    madeDaysAgo: 20,
    issues: [{ daysAgo: 19, riders: 80, note: '周末活动' }],
    revoke: { daysAgo: 18, count: 6, reason: '误发' },
  },
  {
    terms: {
      name: '雨天五折',
      effect: { off: 'percent', percent: 50, maxCents: 300 },
      conditions: { weathers: ['rain'], parked: true },
      validDays: 60,
      validUntil: null,
      budgetCents: 200_000,
    },
    madeDaysAgo: 15,
    issues: [{ daysAgo: 14, riders: 120, note: '梅雨提前发放' }],
  },
  {
    terms: { name: '校园地推 30 分钟', effect: { off: 'minutes', minutes: 30 }, validDays: 14, validUntil: null },
    madeDaysAgo: 10,
    issues: [],
    codes: { daysAgo: 9, count: 120, claimed: 25, validDays: 30, note: '大学城地推卡片' },
  },
  {
    terms: { name: '节后免调度费', effect: { off: 'fee' }, validDays: 5, validUntil: null },
    madeDaysAgo: 26,
    issues: [{ daysAgo: 25, riders: 50, note: '节后' }],
    stoppedDaysAgo: 20,
  },
  {
    // Riders of the city use it as soon as they ride again, until its budget is dry.
    terms: {
      name: '常客立减 1 元',
      effect: { off: 'cents', cents: 100 },
      validDays: 30,
      validUntil: null,
      budgetCents: 3_000,
    },
    madeDaysAgo: 1,
    issues: [{ daysAgo: 0, riders: ridersMax, note: '常客回馈' }],
  },
]

type Kind = {
  readonly terms: Given
  readonly madeDaysAgo: number
  readonly issues: readonly { readonly daysAgo: number; readonly riders: number; readonly note: string }[]
  readonly codes?: {
    readonly daysAgo: number
    readonly count: number
    readonly claimed: number
    readonly validDays: number
    readonly note: string
  }
  readonly revoke?: { readonly daysAgo: number; readonly count: number; readonly reason: string }
  readonly stoppedDaysAgo?: number
}

type Rider = { readonly id: number; readonly phone_sealed: string; readonly phone_hash: string }
type Deps = {
  readonly kit: Kit
  readonly riding: Pick<Riding, 'tryBenefit'>
  readonly people: ReadonlyMap<string, DemoPerson>
}

/** The company's coupons of the past month, in every state. Done once. Resolves to the number of their kinds. */
export async function fillCoupons(deps: Deps): Promise<number> {
  const { kit, people } = deps
  const person = people.get(clerkPhone)
  const kinds = kindsOf(kit.clock.now())
  // Activities of the past have made a coupon of their own before.
  const firstName = kinds[0]?.terms.name ?? ''
  const [known] = await kit.db.systemRead((k) =>
    sql<{ isThere: boolean }>`
      select exists (
        select from coupon_template where agent_id = ${agentId} and name = ${firstName}
      ) as "isThere"`.compile(k),
  )
  if (person === undefined || known?.isThere === true) return 0
  const riders = await kit.db.systemRead((k) =>
    sql<Rider>`
      select id, phone_sealed, phone_hash from rider
      where agent_id = ${agentId} and closed_at is null and last_active_at is not null
      order by last_active_at desc, id limit ${ridersMax}`.compile(k),
  )
  const areaIds = demoServiceAreas.filter((area) => area.agentId === agentId).map(({ id }) => id)
  const call = callOf(person, clerkPhone, { agentIds: [agentId], areaIds })
  for (const [index, kind] of kinds.entries()) await addKind(deps, { call, kind, riders, skip: index * 20 })
  await expireCoupons(kit)
  return kinds.length
}

/** Makes, issues, claims, takes back and stops one kind, each at its time. */
async function addKind(
  deps: Deps,
  one: { readonly call: SessionCall; readonly kind: Kind; readonly riders: readonly Rider[]; readonly skip: number },
): Promise<void> {
  const { call, kind, riders, skip } = one
  const at = (daysAgo: number) => atTime(deps, daysAgo)
  const { id } = (await at(kind.madeDaysAgo).office.createCouponTemplate({ agentId, terms: termsOf(kind.terms) }, call))
    .data
  let first = skip
  for (const { daysAgo, riders: count, note } of kind.issues) {
    const chosen = riders.slice(count === ridersMax ? 0 : first, count === ridersMax ? ridersMax : first + count)
    first += count
    if (chosen.length === 0) continue
    await at(daysAgo).office.issueCoupons({ templateId: id, riderIds: chosen.map((rider) => rider.id), note }, call)
  }
  const { codes, revoke, stoppedDaysAgo } = kind
  if (codes !== undefined) await addCodes(deps, { call, templateId: id, codes, riders })
  if (revoke !== undefined) {
    const then = at(revoke.daysAgo)
    const { list } = (
      await then.office.listCoupons({ filter: { templateId: id }, sort: 'issued', pageSize: revoke.count }, call)
    ).data
    const ids = list.map((coupon) => coupon.id)
    if (ids.length > 0) await then.office.revokeCoupons({ ids, reason: revoke.reason }, call)
  }
  if (stoppedDaysAgo !== undefined) await at(stoppedDaysAgo).office.switchCouponTemplate({ id, state: 'off' }, call)
}

async function addCodes(
  deps: Deps,
  one: {
    readonly call: SessionCall
    readonly templateId: number
    readonly codes: NonNullable<Kind['codes']>
    readonly riders: readonly Rider[]
  },
): Promise<void> {
  const { call, templateId, codes, riders } = one
  const { office, claims } = atTime(deps, codes.daysAgo)
  const claimUntil = deps.kit.clock.now() + (codes.validDays - codes.daysAgo) * dayMs
  const made = { templateId, count: codes.count, claimUntil, note: codes.note }
  const { batchId } = (await office.makeCouponCodes(made, call)).data
  const { list } = (await office.listCoupons({ filter: { batchId }, sort: 'issued', pageSize: codes.claimed }, call))
    .data
  const seals = createSeals(deps.kit.secrets)
  const app: AppCall = { ...call, app: { id: 0, agentIds: [agentId] } }
  for (const [index, { code }] of list.entries()) {
    const rider = riders.at(-1 - index)
    if (rider === undefined || code === null) continue
    await claims.riderClaimCoupon({ phone: seals.openPhone(rider), agentId, code }, app)
  }
}

/** The calls as they were answered so many days ago. */
function atTime({ kit, riding }: Deps, daysAgo: number) {
  const then: Kit = { ...kit, clock: { now: () => kit.clock.now() - daysAgo * dayMs } }
  const deps = { kit: then, audit: createAudit(then), riders: createRiders(then), riding }
  return { office: createCouponHandlers(deps), claims: createRiderCouponHandlers(deps) }
}
