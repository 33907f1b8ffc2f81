import { sql } from 'kysely'
import { benefitRulesVersion } from '#riding/pricing/benefits.ts'
import type { Price } from '#riding/pricing/pricing.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { metresPerDegree } from '@saddle/geo/earth.ts'
import type { Tx } from '#kit/db/pool.ts'
import { builtJson, computed, rowOfValues } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { takeMeans } from '../charges/money.ts'
import { feeOf, insertLines } from '../charges/store.ts'
import { spentBefore } from '../prices/spent.ts'
import { selectInForce, versionOf } from '../prices/store.ts'
import { judgeReturn, type Judgement } from '../returns/judge.ts'
import { insertCheck, openReview } from '../returns/store.ts'
import { zonesOf } from '../returns/zones.ts'
import { priceAndUse } from './benefits.ts'
import type { LifeParts } from './parts.ts'
import { placeOfVehicle, type RideRow } from './store.ts'

type Place = { readonly lat: number; readonly lng: number } | null

/** Where the vehicle is, judged by the fences in force now. */
export async function judgeNow(parts: LifeParts, tx: Tx, row: RideRow, place: Place): Promise<Judgement> {
  return judgeReturn(place, await zonesOf(parts, { areaId: row.area_id, at: parts.kit.clock.now() }, tx))
}

/** The price version that is in force in an area at a moment. Throws price_missing. */
export async function versionAt(tx: Tx, options: { agentId: number; areaId: number; at: Date }) {
  const { agentId, areaId, at } = options
  const scope = scopeOfAgent(agentId, [areaId])
  const [row] = (await selectInForce({ scope, at }).execute(tx)).rows
  if (row === undefined) throw new AppError('price_missing')
  return versionOf(row)
}

/**
 * Ends a ride that the caller has locked. Return, charge with reasons and ledger entry are one transaction, so that
 * after a crash the ride is either still running or charged. The posting comes last, because other postings of the
 * franchisee wait for it.
 */
export async function finishRide(parts: LifeParts, tx: Tx, row: RideRow, endedAtMs: number): Promise<void> {
  const { kit, benefits } = parts
  if (row.started_at === null) throw new Error(`ride ${row.id} ends without having begun`)
  const startedAt = row.started_at
  const endedAt = new Date(Math.max(endedAtMs, startedAt.getTime()))
  const { place, isKept, model } = await placeOfVehicle(tx, row.vehicle_id)
  const judgement = await judgeNow(parts, tx, row, place)
  const version = await versionAt(tx, { agentId: row.agent_id, areaId: row.area_id, at: startedAt })
  const { distanceM, tripId, spentByDay } = await pastOf(tx, { row, startedAt, endedAt })
  const own = { orderId: row.id, agentId: row.agent_id, areaId: row.area_id }
  await insertCheck(tx, { ...own, at: endedAt, place, judgement, accepted: true })
  if (isKept) await parts.fleet.turnReservation(tx, { vehicleId: row.vehicle_id, step: 'cancel' })
  // Others who use the same budget wait for this transaction from here on.
  const price = await priceAndUse(benefits, tx, {
    orderId: row.id,
    agentId: row.agent_id,
    riderId: row.rider_id,
    rules: version.rules,
    ride: {
      startedAt: startedAt.getTime(),
      endedAt: endedAt.getTime(),
      distanceM,
      returnKind: judgement.kind,
      areaId: row.area_id,
      model,
      spentByDay,
    },
    weatherThen: () => parts.geography.weather.at(tx, { areaId: row.area_id, at: startedAt }),
  })
  await insertLines(tx, [{ ...own, lines: price.lines }])
  const feeCents = feeOf(price.lines)
  if (feeCents > 0) await openReview(tx, { ...own, at: endedAt, cause: 'fee', claim: '', feeCents })
  const charge = { ...own, riderId: row.rider_id, cents: price.totalCents, at: endedAt.getTime() }
  const payment = await takeMeans(parts, tx, charge, null)
  await saveEnd(tx, {
    row,
    endedAt,
    place,
    price,
    judgement,
    versionId: version.id,
    distanceM,
    tripId,
    payment,
  })
  if (payment?.entry) await parts.ledger.post(payment.entry, tx)
  kit.log.debug({ orderId: row.id, cents: price.totalCents, isPaid: payment !== null }, 'a ride has ended')
}

async function saveEnd(
  tx: Tx,
  end: {
    readonly row: RideRow
    readonly endedAt: Date
    readonly place: Place
    readonly price: Price
    readonly judgement: Judgement
    readonly versionId: number
    readonly distanceM: number
    readonly tripId: number | null
    /** Null: the rider still owes the charge. */
    readonly payment: { readonly skipped: Price['skipped'] } | null
  },
): Promise<void> {
  await tx
    .updateTable('ride_order')
    .set({
      state: end.payment === null ? 'due' : 'paid',
      ended_at: end.endedAt,
      end_lat: end.place?.lat ?? null,
      end_lng: end.place?.lng ?? null,
      distance_m: end.distanceM,
      trip_id: end.tripId,
      price_version_id: end.versionId,
      return_kind: end.judgement.kind,
      benefits: JSON.stringify(end.price.applied),
      skipped_benefits: JSON.stringify([...end.price.skipped, ...(end.payment?.skipped ?? [])]),
      benefit_rules: benefitRulesVersion,
      charged_cents: end.price.totalCents,
      failure: null,
      changed_at: end.endedAt,
    })
    .where('id', '=', end.row.id)
    .execute()
}

/** Accepted difference between a device's clock and ours. */
const clockSlackMs = minuteMs

/**
 * The distance that the vehicle reports, which of its own rides it belongs to, and what the rider spent on these days
 * before: in one statement.
 */
async function pastOf(
  tx: Tx,
  { row, startedAt, endedAt }: { row: RideRow; startedAt: Date; endedAt: Date },
): Promise<{ distanceM: number; tripId: number | null; spentByDay: Record<string, number> }> {
  const rider = { riderId: row.rider_id, areaId: row.area_id, startedAt: startedAt.getTime() }
  const { rows } = await rowOfValues({
    distance_m: computed(
      'double precision',
      sql`(select coalesce(sum(${metresPerDegree}::float8 * sqrt(
          power(p.lat - p.lat_before, 2) + power((p.lng - p.lng_before) * cos(radians(p.lat)), 2))), 0)
        from (
          select lat, lng, lag(lat) over w as lat_before, lag(lng) over w as lng_before from device_report
          where vehicle_id = ${row.vehicle_id} and occurred_at between ${startedAt} and ${endedAt}
            and lat is not null and fix is distinct from false
          window w as (order by occurred_at)
        ) p)`,
    ),
    trip_id: computed(
      'bigint?',
      sql`(select t.id from trip t
        where t.vehicle_id = ${row.vehicle_id} and t.started_at <= ${endedAt}
          and t.started_at >= ${new Date(startedAt.getTime() - clockSlackMs)}
          and not exists (select from ride_order o where o.trip_id = t.id)
        order by t.started_at limit 1)`,
    ),
    spent_by_day: builtJson<Record<string, number> | null>(
      sql`(select jsonb_object_agg(s.day, s.cents) from (${spentBefore(rider)}) s)`,
    ),
  }).select`
    `.execute(tx)
  const [past] = rows
  return {
    distanceM: past?.distance_m ?? 0,
    tripId: past?.trip_id ?? null,
    spentByDay: past?.spent_by_day ?? {},
  }
}
