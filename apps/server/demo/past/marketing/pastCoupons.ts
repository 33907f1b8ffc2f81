import { sql } from 'kysely'
import { couponTermsSchema, type CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import type { Benefit } from '@saddle/contract/riding/benefits.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'
import { couponBenefitOf, createCouponHandlers, expireCoupons } from '#marketing/demoDoor.ts'
import { createRiders } from '#rider/public.ts'
import type { Riding } from '#riding/public.ts'
import { callOf, type DemoPerson } from '#demo/desk.ts'
import { demoServiceAreas, demoTenants, platformAgentId } from '#demo/tenants.ts'
import { drawOf } from '../riderFacts.ts'
import type { PastRiding } from './riding.ts'

/** Codes that companies of the demo handed out in the past month, and the rides that their coupons were used for. */

const clerkPhone = '13800138000'
const day = (count: number): number => count * dayMs

/** Kinds of coupons with codes, and when how many of them were printed. */
const kinds: readonly {
  readonly terms: Parameters<typeof couponTermsSchema.parse>[0]
  readonly madeDays: readonly number[]
}[] = [
  {
    terms: { name: '地推骑行券', effect: { off: 'cents', cents: 150 }, validDays: 7, validUntil: null },
    madeDays: [28, 16, 6],
  },
  {
    terms: {
      name: '商圈八折券',
      effect: { off: 'percent', percent: 20, maxCents: 200 },
      validDays: 10,
      validUntil: null,
      budgetCents: 60_000,
    },
    madeDays: [22, 9],
  },
]
const codesOfBatch = 120
/** A card that was handed out is claimed within these days; the code holds for so many days from now. */
const claimDays = 12
/** One rider in so many takes a code, before one of the rides of that time. */
const takerEvery = 9
/** Some claim a code and forget it. */
const forgetEvery = 4

type Code = {
  readonly id: number
  readonly batchId: number
  readonly templateId: number
  readonly terms: CouponTerms
  readonly madeAt: number
}
type Held = Code & { readonly riderId: number; readonly claimedAt: number; readonly endsAt: number; isUsed: boolean }
type Used = Held & { readonly orderId: number; readonly usedAt: number; readonly savedCents: number }
type Ride = Parameters<PastRiding['benefitsOf']>[0]

type Deps = {
  readonly kit: Kit
  readonly riding: Pick<Riding, 'tryBenefit'>
  readonly people: ReadonlyMap<string, DemoPerson>
}

/** Activities while rides of the past are booked, and coupons with them. Done once; the rides of a past that was cut short go without. */
export async function withPastCoupons(deps: Deps, activities: PastRiding): Promise<PastRiding> {
  const codes = await makeCodes(deps)
  if (codes === null) return activities
  const held = new Map<number, Held>()
  const takeCode = ({ agentId, riderId, endedAt }: Ride): Held | undefined => {
    const known = held.get(riderId)
    if (known !== undefined || drawOf(riderId, 70, takerEvery) !== 0) return known
    const claimedAt = endedAt - hourMs * (2 + drawOf(riderId, 71, 40))
    const open = codes.get(agentId) ?? []
    const at = open.findIndex(({ madeAt }) => claimedAt > madeAt && claimedAt < madeAt + day(claimDays))
    const [code] = at < 0 ? [] : open.splice(at, 1)
    if (code === undefined) return undefined
    const own = { ...code, riderId, claimedAt, endsAt: claimedAt + day(code.terms.validDays ?? 1), isUsed: false }
    held.set(riderId, own)
    return own
  }
  const ofLine = (riderId: number, benefit: string | null): Held | undefined => {
    const own = held.get(riderId)
    return own !== undefined && benefit === `coupon:${own.id}` ? own : undefined
  }
  return {
    benefitsOf(ride): readonly Benefit[] {
      const own = takeCode(ride)
      const isHeld = own !== undefined && !own.isUsed && ride.endedAt > own.claimedAt && ride.endedAt < own.endsAt
      const uses = isHeld && drawOf(ride.riderId, 72, forgetEvery) !== 0
      return [...activities.benefitsOf(ride), ...(uses ? [couponBenefitOf(own.id, own.terms, own.endsAt)] : [])]
    },
    take(ride, lines) {
      for (const { benefit } of lines) {
        const own = ofLine(ride.riderId, benefit)
        if (own !== undefined) own.isUsed = true
      }
      return activities.take(ride, lines)
    },
    async store(tx, rides) {
      await activities.store(tx, rides)
      const used = rides.flatMap(({ riderId, orderId, endedAt, lines }) =>
        lines.flatMap(({ benefit, amountCents }): Used[] => {
          const own = ofLine(riderId, benefit)
          return own === undefined ? [] : [{ ...own, orderId, usedAt: endedAt, savedCents: -amountCents }]
        }),
      )
      await storeUsed(tx, used)
    },
    async finish() {
      await activities.finish()
      await deps.kit.db.system((tx) =>
        storeClaims(
          tx,
          [...held.values()].filter(({ isUsed }) => !isUsed),
        ),
      )
      await expireCoupons(deps.kit)
    },
  }
}

const codeRow = rowOf('coupon', 'c', ['id', 'batch_id'])
const companies = demoTenants.filter(({ id }) => id !== platformAgentId)

/** Makes kinds and codes as a person of the office did; null where they are there already. */
async function makeCodes({ kit, riding, people }: Deps): Promise<Map<number, Code[]> | null> {
  const person = people.get(clerkPhone)
  const names = kinds.map(({ terms }) => couponTermsSchema.parse(terms).name)
  const known = await kit.db.systemRead((k) =>
    k.selectFrom('coupon_template').select('id').where('name', 'in', names).limit(1).compile(),
  )
  if (person === undefined || known.length > 0) return null
  const now = kit.clock.now()
  const codes = new Map<number, Code[]>()
  for (const { id: agentId } of companies) {
    const areaIds = demoServiceAreas.filter((area) => area.agentId === agentId).map(({ id }) => id)
    const call = callOf(person, clerkPhone, { agentIds: [agentId], areaIds })
    const own: Code[] = []
    for (const { terms: given, madeDays } of kinds) {
      const terms = couponTermsSchema.parse(given)
      const officeAt = (at: number) => {
        const then: Kit = { ...kit, clock: { now: () => at } }
        return createCouponHandlers({ kit: then, audit: createAudit(then), riders: createRiders(then), riding })
      }
      const first = now - day(Math.max(...madeDays) + 1)
      const templateId = (await officeAt(first).createCouponTemplate({ agentId, terms }, call)).data.id
      for (const days of madeDays) {
        const madeAt = now - day(days)
        const made = { templateId, count: codesOfBatch, claimUntil: now + day(claimDays), note: '街头发放卡片' }
        const { batchId } = (await officeAt(madeAt).makeCouponCodes(made, call)).data
        const rows = await kit.db.systemRead((k) =>
          codeRow.select`from coupon c where c.batch_id = ${batchId} order by c.id`.compile(k),
        )
        own.push(...rows.map(({ id }) => ({ id, batchId, templateId, terms, madeAt })))
      }
    }
    codes.set(agentId, own)
  }
  return codes
}

/** Counts what happened to the coupons of each batch. */
async function addToBatches(
  tx: Tx,
  coupons: readonly Held[],
  counters: readonly ('claimed' | 'used')[],
): Promise<void> {
  for (const [batchId, own] of Map.groupBy(coupons, (coupon) => coupon.batchId)) {
    for (const counter of counters)
      await sql`
        update coupon_batch set ${sql.ref(counter)} = ${sql.ref(counter)} + ${own.length} where id = ${batchId}`.execute(
        tx,
      )
  }
}

async function storeUsed(tx: Tx, used: readonly Used[]): Promise<void> {
  if (used.length === 0) return
  const rows = unnest<Used>({
    rows: used,
    alias: 'u',
    columns: {
      id: ['bigint', ({ id }) => id],
      rider_id: ['bigint', ({ riderId }) => riderId],
      claimed_at: ['timestamptz', ({ claimedAt }) => claimedAt],
      ends_at: ['timestamptz', ({ endsAt }) => endsAt],
      used_at: ['timestamptz', ({ usedAt }) => usedAt],
      order_id: ['bigint', ({ orderId }) => orderId],
      saved_cents: ['bigint', ({ savedCents }) => savedCents],
    },
  })
  await sql`
    update coupon c set state = 'used', rider_id = u.rider_id, claimed_at = u.claimed_at, ends_at = u.ends_at,
      used_at = u.used_at, order_id = u.order_id, saved_cents = u.saved_cents
    from ${rows} where c.id = u.id`.execute(tx)
  for (const [templateId, own] of Map.groupBy(used, (one) => one.templateId)) {
    const cents = own.reduce((sum, { savedCents }) => sum + savedCents, 0)
    await sql`
      update coupon_template set uses = uses + ${own.length}, used_cents = used_cents + ${cents}
      where id = ${templateId}`.execute(tx)
  }
  await addToBatches(tx, used, ['claimed', 'used'])
}

async function storeClaims(tx: Tx, claimed: readonly Held[]): Promise<void> {
  if (claimed.length === 0) return
  const rows = unnest<Held>({
    rows: claimed,
    alias: 'u',
    columns: {
      id: ['bigint', ({ id }) => id],
      rider_id: ['bigint', ({ riderId }) => riderId],
      claimed_at: ['timestamptz', ({ claimedAt }) => claimedAt],
      ends_at: ['timestamptz', ({ endsAt }) => endsAt],
    },
  })
  await sql`
    update coupon c set rider_id = u.rider_id, claimed_at = u.claimed_at, ends_at = u.ends_at
    from ${rows} where c.id = u.id and c.state = 'open' and c.rider_id is null`.execute(tx)
  await addToBatches(tx, claimed, ['claimed'])
}
