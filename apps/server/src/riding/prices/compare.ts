import { setImmediate } from 'node:timers/promises'
import { returnKinds, type PriceRules } from '@saddle/contract/riding/price.ts'
import { comparedRidesMax, type PriceVersion } from '@saddle/contract/riding/prices.ts'
import { businessDayOf, businessDayStart, dayMs } from '@saddle/contract/time.ts'
import { priceRide, ridingByDay, type PricedRide } from '#riding/pricing/pricing.ts'
import type { Kit } from '#kit/kit.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { codeOf } from '#kit/codes.ts'
import { heldBenefitsOf } from '../orders/present.ts'
import { orderNumber } from '../orders/rules.ts'

const monthDays = 30
const examplesMax = 5
/** Number of rides priced before the event loop is released. */
const breathEvery = 1_000

const rideOrderRow = rowOf('ride_order', 'o', [
  'id',
  'area_id',
  'rider_id',
  'placed_at',
  'started_at',
  'ended_at',
  'distance_m',
  'return_kind',
  'benefits',
  'charged_cents',
]).filled('started_at', 'ended_at', 'return_kind', 'charged_cents')
type Row = RowOf<typeof rideOrderRow>

type Compared = { readonly orderId: number; readonly number: string; currentCents: number; newCents: number }

/**
 * What the last month's rides of some areas were charged, what they cost under the versions in force, and what they would
 * under other rules. Both are priced ride by ride from the oldest on, because the cap of a day counts what a rider was
 * charged before, by the same rules.
 */
export async function compare(
  kit: Pick<Kit, 'db' | 'clock'>,
  scope: Scope,
  asked: { areaIds: readonly number[]; rules: PriceRules; current: readonly PriceVersion[] },
) {
  const { areaIds, rules, current } = asked
  const rows = await monthOf(kit, scope, areaIds)
  const inForce = new Map(current.map((version) => [version.areaId, version.rules]))
  const [before, after] = [createPricing(), createPricing()]
  const rides: Compared[] = []
  for (const [index, row] of rows.entries()) {
    if (index % breathEvery === breathEvery - 1) await setImmediate()
    rides.push({
      orderId: row.id,
      number: orderNumber({ id: row.id, placedAt: row.placed_at.getTime() }),
      currentCents: before(inForce.get(row.area_id) ?? rules, row),
      newCents: after(rules, row),
    })
  }
  const change = (ride: Compared): number => ride.newCents - ride.currentCents
  return {
    rides: rides.length,
    isCut: rides.length === comparedRidesMax,
    chargedCents: rows.reduce((sum, row) => sum + row.charged_cents, 0),
    currentCents: rides.reduce((sum, ride) => sum + ride.currentCents, 0),
    newCents: rides.reduce((sum, ride) => sum + ride.newCents, 0),
    dearer: rides.filter((ride) => change(ride) > 0).length,
    cheaper: rides.filter((ride) => change(ride) < 0).length,
    examples: rides
      .filter((ride) => change(ride) !== 0)
      .toSorted((a, b) => Math.abs(change(b)) - Math.abs(change(a)))
      .slice(0, examplesMax),
  }
}

/** The newest rides of whole business days, the oldest of them first. */
async function monthOf(
  kit: Pick<Kit, 'db' | 'clock'>,
  scope: Scope,
  areaIds: readonly number[],
): Promise<readonly Row[]> {
  const since = new Date(businessDayStart(businessDayOf(kit.clock.now() - monthDays * dayMs)))
  const query = rideOrderRow.select`
    from ride_order o
    where o.area_id = any (${areaIds}::bigint[]) and ${tenantFilter('o', scope)} and o.placed_at >= ${since}
      and o.charged_cents is not null and o.started_at is not null
    order by o.placed_at desc, o.id desc limit ${comparedRidesMax}`
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  return rows.toReversed()
}

/** Prices one ride after the other, each knowing what its rider was charged before in that area on the same days. */
function createPricing(): (rules: PriceRules, row: Row) => number {
  const spent = new Map<string, Record<string, number>>()
  return (rules, row) => {
    const whose = `${row.rider_id} ${row.area_id}`
    const days = spent.get(whose) ?? {}
    const { lines, totalCents } = priceRide(rules, rideOf(row, days))
    for (const [day, cents] of Object.entries(ridingByDay(lines))) days[day] = (days[day] ?? 0) + cents
    spent.set(whose, days)
    return totalCents
  }
}

const rideOf = (row: Row, spentByDay: PricedRide['spentByDay']): PricedRide => ({
  startedAt: row.started_at.getTime(),
  endedAt: row.ended_at.getTime(),
  distanceM: row.distance_m ?? 0,
  returnKind: codeOf(returnKinds, row.return_kind),
  benefits: heldBenefitsOf(row.benefits),
  model: null,
  weather: null,
  areaId: row.area_id,
  spentByDay,
})
