import { sql } from 'kysely'
import { returnKinds, type PriceRules } from '@saddle/contract/riding/price.ts'
import { comparedRidesMax } from '@saddle/contract/riding/prices.ts'
import { priceRide } from '#riding/pricing/pricing.ts'
import type { Kit } from '#kit/kit.ts'
import type { Scope } from '#kit/db/scope.ts'
import { within } from '#kit/db/within.ts'
import { known } from '#kit/known.ts'
import { benefitsOf } from '../orders/present.ts'
import { orderNumber } from '../orders/rules.ts'

const monthMs = 30 * 24 * 3_600_000
const examplesMax = 5

type Row = {
  id: number
  placed_at: Date
  started_at: Date
  ended_at: Date
  distance_m: number | null
  return_kind: string
  benefits: unknown
  charged_cents: number
}

/**
 * What the last month's rides of an area were charged, and what they would have been under other rules. Each ride is
 * priced for itself: the cap of a day counts no other ride.
 */
export async function compare(
  kit: Pick<Kit, 'db' | 'clock'>,
  scope: Scope,
  { areaId, rules }: { areaId: number; rules: PriceRules },
) {
  const since = new Date(kit.clock.now() - monthMs)
  const query = sql<Row>`
    select o.id, o.placed_at, o.started_at, o.ended_at, o.distance_m, o.return_kind, o.benefits, o.charged_cents
    from ride_order o
    where o.area_id = ${areaId} and ${within('o', scope)} and o.placed_at >= ${since}
      and o.charged_cents is not null and o.started_at is not null
    order by o.placed_at desc, o.id desc limit ${comparedRidesMax}`
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  const rides = rows.map((row) => ({
    orderId: row.id,
    number: orderNumber({ id: row.id, placedAt: row.placed_at.getTime() }),
    chargedCents: row.charged_cents,
    newCents: priceRide(rules, {
      startedAt: row.started_at.getTime(),
      endedAt: row.ended_at.getTime(),
      distanceM: row.distance_m ?? 0,
      returnKind: known(returnKinds, row.return_kind),
      benefits: benefitsOf(row.benefits),
      spentByDay: {},
    }).totalCents,
  }))
  const change = (ride: (typeof rides)[number]): number => ride.newCents - ride.chargedCents
  return {
    rides: rides.length,
    chargedCents: rides.reduce((sum, ride) => sum + ride.chargedCents, 0),
    newCents: rides.reduce((sum, ride) => sum + ride.newCents, 0),
    dearer: rides.filter((ride) => change(ride) > 0).length,
    cheaper: rides.filter((ride) => change(ride) < 0).length,
    examples: rides
      .filter((ride) => change(ride) !== 0)
      .toSorted((a, b) => Math.abs(change(b)) - Math.abs(change(a)))
      .slice(0, examplesMax),
  }
}
