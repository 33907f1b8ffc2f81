import { sql } from 'kysely'
import { couponTermsSchema, type CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import type { Benefit } from '@saddle/contract/riding/benefits.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { createAudit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { unnest } from '#kit/db/unnest.ts'
import { couponBenefitOf, createCouponHandlers, expireCoupons } from '#marketing/demoDoor.ts'
import { createRiders } from '#rider/public.ts'
import type { Riding } from '#riding/public.ts'
import { callOf, type DemoPerson } from '#demo/desk.ts'
import { demoServiceAreas, demoTenants, platformAgentId } from '#demo/tenants.ts'
import { budgetLeft, savedBy, type BookedRide, type Budget, type PastRide, type PastSource } from '../benefits.ts'
import { drawOf } from '../riderFacts.ts'

/** Coupons that riders of the past hold, whoever gave them, and codes that companies handed out in the street. */

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
/** One rider in so many takes a code, some hours after a ride of that time. */
const takerEvery = 9

type Code = { readonly id: number; readonly batchId: number; readonly madeAt: number; readonly terms: CouponTerms }
type Claim = Code & { readonly riderId: number; readonly claimedAt: number; readonly endsAt: number }

type Deps = {
  readonly kit: Kit
  readonly riding: Pick<Riding, 'tryBenefit'>
  readonly people: ReadonlyMap<string, DemoPerson>
}

const heldRow = rowsOf(
  rowOf('coupon', 'c', ['id', 'rider_id', 'template_id', 'version', 'batch_id', 'ends_at']).filled('rider_id'),
  rowOfValues({ from_at: computed('timestamptz', sql`coalesce(c.claimed_at, c.issued_at)`) }),
)
const termsRow = rowOf('coupon_template_version', 'v', ['template_id', 'version', 'terms'])
const budgetRow = rowOf('coupon_template', 't', ['id', 'budget_cents', 'budget_uses', 'used_cents', 'uses'])
type Held = RowOf<typeof heldRow> & { readonly benefit: Benefit }
type Used = Held & { readonly orderId: number; readonly usedAt: number; readonly savedCents: number }

/**
 * Coupons while rides of the past are booked: what is open is read again whenever a moment is reached, so that it does not
 * matter who gave them. Codes are made once; the rides of a past that was cut short are ridden without new ones.
 */
export async function openPastCoupons(deps: Deps): Promise<PastSource> {
  const { kit } = deps
  const codes = await makeCodes(deps)
  const claimed = new Set<number>()
  const claims: Claim[] = []
  let held = new Map<number, Held[]>()
  let budgets = new Map<number, Budget>()
  const open = new Map<number, Held>()
  const read = async (): Promise<void> => {
    held = await readHeld(kit)
    budgets = await readBudgets(kit)
    open.clear()
    for (const coupon of [...held.values()].flat()) open.set(coupon.id, coupon)
  }
  const takeCode = ({ agentId, riderId, endedAt }: PastRide): void => {
    if (claimed.has(riderId) || drawOf(riderId, 70, takerEvery) !== 0) return
    const claimedAt = endedAt + hourMs * (2 + drawOf(riderId, 71, 40))
    const own = codes.get(agentId) ?? []
    const at = own.findIndex(({ madeAt }) => claimedAt > madeAt && claimedAt < madeAt + day(claimDays))
    if (at < 0 || claimedAt >= kit.clock.now()) return
    const [code] = own.splice(at, 1)
    if (code === undefined) return
    claimed.add(riderId)
    claims.push({ ...code, riderId, claimedAt, endsAt: claimedAt + day(code.terms.validDays ?? 1) })
  }
  const isHeld = ({ endedAt }: PastRide, { id, from_at: from, ends_at: end }: Held): boolean =>
    open.has(id) && from.getTime() < endedAt && end.getTime() > endedAt
  return {
    reach: async (at) => {
      await expireCoupons({ db: kit.db, clock: { ...kit.clock, now: () => at } })
      await read()
    },
    held: (ride) => {
      const own = (held.get(ride.riderId) ?? []).filter((coupon) => isHeld(ride, coupon))
      return { benefits: own.map(({ benefit }) => benefit), skipped: [] }
    },
    refused: (_, lines) =>
      [...savedBy(lines, 'coupon')].flatMap(([id, cents]) => {
        const left = budgets.get(open.get(id)?.template_id ?? 0)
        return left !== undefined && left.uses >= 1 && left.cents >= cents ? [] : [`coupon:${id}`]
      }),
    take: (ride, lines) => {
      for (const [id, cents] of savedBy(lines, 'coupon')) {
        const left = budgets.get(open.get(id)?.template_id ?? 0)
        if (left !== undefined) Object.assign(left, { cents: left.cents - cents, uses: left.uses - 1 })
        open.delete(id)
      }
      takeCode(ride)
    },
    store: async (tx, rides) => {
      await storeClaims(tx, claims.splice(0))
      await storeUsed(tx, usedBy(rides, held))
    },
    finish: async () => void (await expireCoupons(kit)),
  }
}

const usedBy = (rides: readonly BookedRide[], held: ReadonlyMap<number, readonly Held[]>): Used[] =>
  rides.flatMap(({ riderId, orderId, endedAt, lines }) =>
    [...savedBy(lines, 'coupon')].flatMap(([id, savedCents]): Used[] => {
      const coupon = held.get(riderId)?.find((one) => one.id === id)
      return coupon === undefined ? [] : [{ ...coupon, orderId, usedAt: endedAt, savedCents }]
    }),
  )

/** What is open in riders' hands. */
async function readHeld({ db }: Pick<Kit, 'db'>): Promise<Map<number, Held[]>> {
  const [rows, versions] = await db.system(async (tx) => [
    (
      await heldRow.select`
        from coupon c where c.state = 'open' and c.rider_id is not null order by c.ends_at, c.id`.execute(tx)
    ).rows,
    (await termsRow.select`from coupon_template_version v order by v.template_id, v.version`.execute(tx)).rows,
  ])
  const terms = new Map(
    versions.map((row) => [`${row.template_id} ${row.version}`, couponTermsSchema.parse(row.terms)] as const),
  )
  const held = new Map<number, Held[]>()
  for (const row of rows) {
    const own = terms.get(`${row.template_id} ${row.version}`)
    if (own === undefined) throw new Error(`coupon ${row.id} has no terms`)
    const benefit = couponBenefitOf(row.id, own, row.ends_at.getTime())
    held.set(row.rider_id, [...(held.get(row.rider_id) ?? []), { ...row, benefit }])
  }
  return held
}

/** What is left of the budget of each kind. */
async function readBudgets({ db }: Pick<Kit, 'db'>): Promise<Map<number, Budget>> {
  const { rows } = await db.system((tx) => budgetRow.select`from coupon_template t order by t.id`.execute(tx))
  return new Map(rows.map((row) => [row.id, budgetLeft(row)]))
}

const codeRow = rowOf('coupon', 'c', ['id', 'batch_id'])
const companies = demoTenants.filter(({ id }) => id !== platformAgentId)

/** Makes kinds and codes as a person of the office did; none where they are there already. */
async function makeCodes({ kit, riding, people }: Deps): Promise<Map<number, Code[]>> {
  const person = people.get(clerkPhone)
  const names = kinds.map(({ terms }) => couponTermsSchema.parse(terms).name)
  const known = await kit.db.systemRead((k) =>
    k.selectFrom('coupon_template').select('id').where('name', 'in', names).limit(1).compile(),
  )
  const codes = new Map<number, Code[]>()
  if (person === undefined || known.length > 0) return codes
  const now = kit.clock.now()
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
        own.push(...rows.map(({ id }) => ({ id, batchId, terms, madeAt })))
      }
    }
    codes.set(agentId, own)
  }
  return codes
}

async function storeUsed(tx: Tx, used: readonly Used[]): Promise<void> {
  if (used.length === 0) return
  const rows = unnest<Used>({
    rows: used,
    alias: 'u',
    columns: {
      id: ['bigint', ({ id }) => id],
      used_at: ['timestamptz', ({ usedAt }) => usedAt],
      order_id: ['bigint', ({ orderId }) => orderId],
      saved_cents: ['bigint', ({ savedCents }) => savedCents],
    },
  })
  await sql`
    update coupon c set state = 'used', used_at = u.used_at, order_id = u.order_id, saved_cents = u.saved_cents
    from ${rows} where c.id = u.id`.execute(tx)
  for (const [templateId, own] of Map.groupBy(used, (one) => one.template_id)) {
    const cents = own.reduce((sum, { savedCents }) => sum + savedCents, 0)
    await sql`
      update coupon_template set uses = uses + ${own.length}, used_cents = used_cents + ${cents}
      where id = ${templateId}`.execute(tx)
  }
  for (const [batchId, own] of Map.groupBy(used, (one) => one.batch_id))
    await sql`update coupon_batch set used = used + ${own.length} where id = ${batchId}`.execute(tx)
}

async function storeClaims(tx: Tx, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return
  const rows = unnest<Claim>({
    rows: claims,
    alias: 'u',
    columns: {
      id: ['bigint', ({ id }) => id],
      rider_id: ['bigint', ({ riderId }) => riderId],
      claimed_at: ['timestamptz', ({ claimedAt }) => claimedAt],
      ends_at: ['timestamptz', ({ endsAt }) => endsAt],
    },
  })
  const { rows: claimed } = await codeRow.returning`
    update coupon c set rider_id = u.rider_id, claimed_at = u.claimed_at, ends_at = u.ends_at
    from ${rows} where c.id = u.id and c.state = 'open' and c.rider_id is null`.execute(tx)
  for (const [batchId, own] of Map.groupBy(claimed, (one) => one.batch_id))
    await sql`update coupon_batch set claimed = claimed + ${own.length} where id = ${batchId}`.execute(tx)
}
