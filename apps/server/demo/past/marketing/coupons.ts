import { sql } from 'kysely'
import type { z } from 'zod'
import { couponTermsSchema, type CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import { businessDayEnd, businessDayOf, dayMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import type { AppCall, SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import { createCouponHandlers, createRiderCouponHandlers } from '#marketing/demoDoor.ts'
import { createSeals } from '#rider/demoDoor.ts'
import { createRiders } from '#rider/public.ts'
import type { Riding } from '#riding/public.ts'
import { callOf, type DemoPerson } from '#demo/desk.ts'
import { demoServiceAreas, franchiseeId } from '#demo/tenants.ts'
import type { PastEvent } from '../benefits.ts'

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

type Deps = {
  readonly kit: Kit
  readonly riding: Pick<Riding, 'tryBenefit'>
  readonly people: ReadonlyMap<string, DemoPerson>
}

/** What the company's office did with coupons in the past month, each at its time; nothing where it has done so. */
export async function pastCoupons(deps: Deps): Promise<PastEvent[]> {
  const { kit, people } = deps
  const now = kit.clock.now()
  const person = people.get(clerkPhone)
  const kinds = kindsOf(now)
  // Activities of the past have made a coupon of their own before.
  const firstName = kinds[0]?.terms.name ?? ''
  const [known] = await kit.db.systemRead((k) =>
    sql<{ isThere: boolean }>`
      select exists (
        select from coupon_template where agent_id = ${agentId} and name = ${firstName}
      ) as "isThere"`.compile(k),
  )
  if (person === undefined || known?.isThere === true) return []
  const areaIds = demoServiceAreas.filter((area) => area.agentId === agentId).map(({ id }) => id)
  const call = callOf(person, clerkPhone, { agentIds: [agentId], areaIds })
  return kinds.flatMap((kind, index) => eventsOf(deps, { call, kind, skip: index * 20, now }))
}

const rider = rowOf('rider', 'r', ['id', 'phone_sealed', 'phone_hash'])

/** Those who rode last before a moment. */
async function ridersAt({ db }: Pick<Kit, 'db'>, at: number): Promise<RowOf<typeof rider>[]> {
  const { rows } = await db.system((tx) =>
    rider.select`
      from rider r join (
        select o.rider_id, max(o.ended_at) as rode_at from ride_order o
        where o.agent_id = ${agentId} and o.placed_at between ${new Date(at - 3 * dayMs)} and ${new Date(at)}
        group by 1
      ) o on o.rider_id = r.id
      where r.agent_id = ${agentId} and r.closed_at is null order by o.rode_at desc, r.id limit ${ridersMax}`.execute(
      tx,
    ),
  )
  return rows
}

/** Makes, issues, claims, takes back and stops one kind, each at its time. */
function eventsOf(
  deps: Deps,
  one: { readonly call: SessionCall; readonly kind: Kind; readonly skip: number; readonly now: number },
): PastEvent[] {
  const { call, kind, skip, now } = one
  const { terms, madeDaysAgo, issues, codes, revoke, stoppedDaysAgo } = kind
  let id = 0
  const event = (daysAgo: number, run: (then: Office, at: number) => Promise<unknown>): PastEvent => {
    const at = now - daysAgo * dayMs
    return { at, run: async () => void (await run(officeAt(deps, at), at)) }
  }
  let first = skip
  const issued = issues.map(({ daysAgo, riders: count, note }) => {
    const [from, to] = count === ridersMax ? [0, ridersMax] : [first, first + count]
    first += count
    return event(daysAgo, async ({ office }, at) => {
      const chosen = (await ridersAt(deps.kit, at)).slice(from, to)
      if (chosen.length > 0)
        await office.issueCoupons({ templateId: id, riderIds: chosen.map((row) => row.id), note }, call)
    })
  })
  return [
    event(madeDaysAgo, async ({ office }) => {
      id = (await office.createCouponTemplate({ agentId, terms: termsOf(terms) }, call)).data.id
    }),
    ...issued,
    ...(codes === undefined
      ? []
      : [event(codes.daysAgo, (then, at) => addCodes(deps, then, { call, templateId: id, codes, at, now }))]),
    ...(revoke === undefined
      ? []
      : [
          event(revoke.daysAgo, async ({ office }) => {
            const filter = { templateId: id, states: ['open' as const] }
            const { list } = (await office.listCoupons({ filter, sort: 'issued', pageSize: revoke.count }, call)).data
            const ids = list.map((coupon) => coupon.id)
            if (ids.length > 0) await office.revokeCoupons({ ids, reason: revoke.reason }, call)
          }),
        ]),
    ...(stoppedDaysAgo === undefined
      ? []
      : [event(stoppedDaysAgo, ({ office }) => office.switchCouponTemplate({ id, state: 'off' }, call))]),
  ]
}

async function addCodes(
  { kit }: Deps,
  { office, claims }: Office,
  one: {
    readonly call: SessionCall
    readonly templateId: number
    readonly codes: NonNullable<Kind['codes']>
    readonly at: number
    readonly now: number
  },
): Promise<void> {
  const { call, templateId, codes, at, now } = one
  const claimUntil = now + (codes.validDays - codes.daysAgo) * dayMs
  const made = { templateId, count: codes.count, claimUntil, note: codes.note }
  const { batchId } = (await office.makeCouponCodes(made, call)).data
  const { list } = (await office.listCoupons({ filter: { batchId }, sort: 'issued', pageSize: codes.claimed }, call))
    .data
  const seals = createSeals(kit.secrets)
  const app: AppCall = { ...call, app: { id: 0, agentIds: [agentId] } }
  const riders = await ridersAt(kit, at)
  for (const [index, { code }] of list.entries()) {
    const row = riders.at(-1 - index)
    if (row === undefined || code === null) continue
    await claims.riderClaimCoupon({ phone: seals.openPhone(row), agentId, code }, app)
  }
}

/** The calls as they were answered at a moment. */
function officeAt({ kit, riding }: Deps, at: number) {
  const then: Kit = { ...kit, clock: { ...kit.clock, now: () => at } }
  const deps = { kit: then, audit: createAudit(then), riders: createRiders(then), riding }
  return { office: createCouponHandlers(deps), claims: createRiderCouponHandlers(deps) }
}
type Office = ReturnType<typeof officeAt>
