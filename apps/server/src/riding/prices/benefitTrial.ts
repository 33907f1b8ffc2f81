import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { weathers, type Benefit } from '@saddle/contract/riding/benefits.ts'
import { returnKinds, type PriceRules } from '@saddle/contract/riding/price.ts'
import { comparedRidesMax } from '@saddle/contract/riding/prices.ts'
import { businessDayOf, businessDayStart, dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { priceRide, ridingByDay, type PricedRide } from '#riding/pricing/pricing.ts'
import { heldBenefitsOf } from '../orders/present.ts'
import { selectInForce, versionOf } from './store.ts'

/** Number of rides priced before the event loop is released. */
const breathEvery = 1_000

const rideRow = rowsOf(
  rowOf('ride_order', 'o', [
    'id',
    'area_id',
    'rider_id',
    'started_at',
    'ended_at',
    'distance_m',
    'return_kind',
    'benefits',
  ]),
  rowOf('service_area', 's', ['name as area']),
  rowOfValues({ model: computed('text?', sql`v.model`), weather: computed('text?', sql`w.weather`) }),
)
  .filled('started_at', 'ended_at', 'return_kind')
  .codes({ return_kind: returnKinds, weather: weathers })
type Row = RowOf<typeof rideRow>

/** A use of the benefit that is tried. */
type Use = { readonly riderId: number; readonly areaId: number; readonly at: number; readonly cents: number }

export type BenefitTrial = {
  readonly agentId: number
  /** None: all of the company's. */
  readonly areaIds: readonly number[]
  readonly weeks: number
  readonly benefit: Benefit
  /** Whether the benefit's own limits let a rider have it at a moment. */
  readonly canTake: (use: Pick<Use, 'riderId' | 'at'>) => boolean
  /** Counts a use; false where its budget has no room for it. */
  readonly take: (use: Use) => boolean
}

/**
 * Prices the rides of the last weeks again with one more benefit, by the prices in force, from the oldest on: each with what
 * it had anyway, and with the vehicle and weather it had.
 */
export async function tryBenefitOnPast(
  { db, clock }: Pick<Kit, 'db' | 'clock'>,
  scope: Scope,
  trial: BenefitTrial,
): Promise<{ rides: number; isCut: boolean; areas: ReadonlyMap<number, string> }> {
  const now = clock.now()
  const own = { ...scope, agentIds: scope.agentIds.filter((id) => id === trial.agentId) }
  const versions = await db.read(own, (k) => selectInForce({ scope: own, at: new Date(now) }).compile(k))
  const rules = new Map(versions.map((row) => [row.area_id, versionOf(row).rules]))
  const rows = await ridesOf(db, own, trial, now)
  const priceOf = createPricing(trial)
  for (const [index, row] of rows.entries()) {
    if (index % breathEvery === breathEvery - 1) await setImmediate()
    const inForce = rules.get(row.area_id)
    if (inForce !== undefined) priceOf(inForce, row)
  }
  return {
    rides: rows.length,
    isCut: rows.length === comparedRidesMax,
    areas: new Map(rows.map((row) => [row.area_id, row.area])),
  }
}

async function ridesOf(
  db: Pick<Kit['db'], 'read'>,
  scope: Scope,
  { areaIds, weeks }: BenefitTrial,
  now: number,
): Promise<readonly Row[]> {
  const since = new Date(businessDayStart(businessDayOf(now - weeks * 7 * dayMs)))
  const inAreas = areaIds.length === 0 ? sql`true` : sql`o.area_id = any (${areaIds}::bigint[])`
  const query = rideRow.select`
    from ride_order o join service_area s on s.id = o.area_id join vehicle v on v.id = o.vehicle_id
    left join area_weather w on w.area_id = o.area_id and w.hour = date_trunc('hour', o.started_at)
    where ${inAreas} and ${tenantFilter('o', scope)} and o.placed_at >= ${since}
      and o.charged_cents is not null and o.started_at is not null
    order by o.placed_at desc, o.id desc limit ${comparedRidesMax}`
  return (await db.read(scope, (k) => query.compile(k))).toReversed()
}

/** Prices one ride after the other, each knowing what its rider was charged before in that area on the same days. */
function createPricing({ benefit, canTake, take }: BenefitTrial): (rules: PriceRules, row: Row) => void {
  const spent = new Map<string, Record<string, number>>()
  const reference = `${benefit.kind}:${benefit.id}`
  return (rules, row) => {
    const whose = `${row.rider_id} ${row.area_id}`
    const days = spent.get(whose) ?? {}
    const ride = rideOf(row, days)
    const use = { riderId: row.rider_id, areaId: row.area_id, at: ride.endedAt }
    const tried = canTake(use) ? priceRide(rules, { ...ride, benefits: [...ride.benefits, benefit] }) : null
    const cents = (tried?.lines ?? []).reduce(
      (sum, line) => (line.benefit === reference ? sum - line.amountCents : sum),
      0,
    )
    const isTaken = tried !== null && cents > 0 && take({ ...use, cents })
    // A benefit that takes nothing off leaves the lines as they were: the ride is not priced a second time.
    const { lines } = tried !== null && (isTaken || cents === 0) ? tried : priceRide(rules, ride)
    for (const [day, dayCents] of Object.entries(ridingByDay(lines))) days[day] = (days[day] ?? 0) + dayCents
    spent.set(whose, days)
  }
}

function rideOf(row: Row, spentByDay: PricedRide['spentByDay']): PricedRide {
  const { returnKind, weather } = rideRow.present(row)
  return {
    startedAt: row.started_at.getTime(),
    endedAt: row.ended_at.getTime(),
    distanceM: row.distance_m ?? 0,
    returnKind,
    benefits: heldBenefitsOf(row.benefits),
    model: row.model,
    weather,
    areaId: row.area_id,
    spentByDay,
  }
}
