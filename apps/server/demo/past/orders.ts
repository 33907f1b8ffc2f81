import { sql } from 'kysely'
import { orderCells } from '@saddle/contract/riding/orders.ts'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import { businessDayOf, dayMs } from '@saddle/contract/time.ts'
import { rideChargeByChannel, type Ledger } from '#finance/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import type { Riders } from '#rider/public.ts'
import {
  benefitRulesVersion,
  feeOf,
  insertLines,
  insertVersion,
  judgeReturn,
  priceRide,
  ridingByDay,
  selectInForce,
  versionOf,
  zonesOf,
  type Judgement,
  type Price,
  type Zones,
} from '#riding/demoDoor.ts'
import { demoWeather } from './marketing/weather.ts'
import { priceAndTake, type PastBenefits, type PastRide } from './benefits.ts'
import { historyPhone, historyRider, historyRiderName, riderOfTrip } from './ridersOfTrips.ts'

export type OrderHistoryDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock'>
  readonly riders: Pick<Riders, 'ensure'>
  readonly geography: Pick<Geography, 'current'>
  readonly ledger: Pick<Ledger, 'postMany'>
  /** Null: no ride has a benefit. */
  readonly benefits: PastBenefits | null
}

const batchSize = 2_000
/** How long before the first ride the first prices begin. */
const pricesBeforeMs = dayMs
/** Returns with a fee are reviewed within this time. */
const reviewedAfterMs = 3 * dayMs
const platformName = reasonOf('byPlatform')

type Trip = {
  id: number
  agent_id: number
  area_id: number
  vehicle_id: number
  vehicle_number: string
  model: string | null
  started_at: Date
  ended_at: Date
  start_lat: number | null
  start_lng: number | null
  end_lat: number | null
  end_lng: number | null
  distance_m: number
  /** Who rode, counted within the franchisee; null where the history does not say. */
  rider: number | null
}

/** The riders of a franchisee: the ids of those who are known already, and when each one's latest trip ends. */
type Company = { readonly ids: Map<number, number>; readonly busyUntil: Map<number, number> }

/** What is known of an area while its rides are booked. */
type Area = {
  readonly zones: Zones
  readonly rules: PriceRules
  readonly versionId: number
}

type Booking = {
  readonly trip: Trip
  readonly area: Area
  readonly riderId: number
  readonly judgement: Judgement
  readonly price: Price
}

/**
 * Makes an order of every ride of the past that has none: ridden by a made-up rider, judged by the fences and charged by
 * the prices of its area. Areas without prices get `rules` first. For the demo; safe to repeat and to be cut short.
 * Resolves to the number of orders.
 */
export async function bookOrders(deps: OrderHistoryDeps, rules: PriceRules): Promise<number> {
  const areas = new Map<number, Area>()
  const spent = new Map<number, Map<string, number>>()
  const companies = new Map<number, Company>()
  let booked = 0
  for (let after = 0; ;) {
    const found = await unbooked(deps, after)
    const trips = await beforeNextEvent(deps, found)
    for (const trip of trips) {
      if (!areas.has(trip.area_id)) areas.set(trip.area_id, await openArea(deps, trip, rules))
    }
    const ridden = await ridersOf(deps, trips, companies)
    if (ridden.length > 0) await deps.benefits?.plan(ridden.map(({ trip, riderId }) => rideOf(trip, riderId)))
    const bookings = ridden.flatMap(({ trip, riderId }): Booking[] => {
      const area = areas.get(trip.area_id)
      const { benefits } = deps
      return area === undefined ? [] : [bookingOf({ trip, area, riderId, spent, benefits })]
    })
    await deps.kit.db.system((tx) => insertBookings(tx, bookings, deps))
    booked += bookings.length
    await settleDue(deps)
    const last = trips.at(-1)
    if (last === undefined || (trips.length === found.length && found.length < batchSize)) return booked
    after = last.id
  }
}

/** The trips that end before something else happens, after what happened before the first of them. */
async function beforeNextEvent({ benefits }: OrderHistoryDeps, trips: readonly Trip[]): Promise<readonly Trip[]> {
  const [first] = trips
  if (benefits === null || first === undefined) return trips
  await benefits.reach(first.ended_at.getTime())
  const until = benefits.nextAt()
  const count = trips.findIndex((trip) => trip.ended_at.getTime() >= until)
  return count <= 0 ? trips : trips.slice(0, count)
}

const rideOf = ({ agent_id: agentId, area_id: areaId, started_at, ended_at }: Trip, riderId: number): PastRide => ({
  agentId,
  areaId,
  riderId,
  startedAt: started_at.getTime(),
  endedAt: ended_at.getTime(),
})

async function unbooked({ kit }: OrderHistoryDeps, after: number): Promise<Trip[]> {
  const query = sql<Trip>`
    select t.id, t.agent_id, t.area_id, t.vehicle_id, v.number as vehicle_number, v.model, t.started_at, t.ended_at,
      t.start_lat, t.start_lng, t.end_lat, t.end_lng, t.distance_m, r.rider
    from trip t join vehicle v on v.id = t.vehicle_id left join demo_trip_rider r on r.trip_id = t.id
    where t.id > ${after} and t.ended_at is not null and t.distance_m is not null
      and not exists (select from ride_order o where o.trip_id = t.id)
      -- What was ridden by an app has its order, or is about to have it.
      and not exists (select from ride_order o where o.vehicle_number = v.number and o.app_id is not null
        and o.placed_at between t.started_at - interval '1 hour' and t.ended_at)
    order by t.id limit ${batchSize}`
  return kit.db.systemRead((k) => query.compile(k))
}

const dueRow = rowOf('ride_order', ['id', 'agent_id', 'charged_cents', 'ended_at']).filled('charged_cents', 'ended_at')

const settledRow = rowOf('ride_order', ['id'])

/**
 * Posts the charges of rides that are booked and not yet paid, by the payment channel, and marks them paid. What was
 * posted before a crash is answered by the ledger with the first entry, so that no ride is charged twice. A rider with the
 * app may pay one of them meanwhile, by the channel, the balance or gifts: then that is its payment, and the ledger refuses
 * this one.
 */
async function settleDue({ kit, ledger }: Pick<OrderHistoryDeps, 'kit' | 'ledger'>): Promise<void> {
  for (;;) {
    const due = await kit.db.systemRead((k) => selectDue(null).compile(k))
    const answers = await ledger.postMany(
      due.map((row) =>
        rideChargeByChannel({
          agentId: row.agent_id,
          orderId: row.id,
          cents: row.charged_cents,
          at: row.ended_at.getTime(),
          channel: 'sandbox',
        }),
      ),
    )
    const refused = due.filter((_, index) => answers[index]?.status === 'rejected').map(({ id }) => id)
    const paid = due.filter((_, index) => answers[index]?.status === 'fulfilled').map(({ id }) => id)
    if (refused.length > 0) {
      const [open] = await kit.db.systemRead((k) => selectDue(refused).compile(k))
      if (open !== undefined) throw new Error(`the ledger refused the charge of order ${open.id} of the past`)
    }
    if (due.length === 0) return
    await kit.db.system(async (tx) => {
      const { rows } = await settledRow.returning`
        update ride_order set state = 'paid' where id = any (${paid}::bigint[]) and state = 'due'`.execute(tx)
      await insertPayments(
        tx,
        rows.map(({ id }) => id),
      )
    })
  }
}

/** Rides of the past that are not paid yet; of some ids, where they are given. */
const selectDue = (ids: readonly number[] | null) =>
  dueRow.select`
    from ride_order
    where cell = any (${orderCells({ states: ['due'] })}::smallint[]) and app_id is null
      and (${ids}::bigint[] is null or id = any (${ids}::bigint[]))
    order by placed_at, id limit ${batchSize}`

async function openArea(deps: OrderHistoryDeps, trip: Trip, rules: PriceRules): Promise<Area> {
  const { kit } = deps
  const [agentId, areaId, at] = [trip.agent_id, trip.area_id, trip.started_at.getTime()]
  const scope = scopeOfAgent(agentId, [areaId])
  const zones = await zonesOf(deps, { areaId, at: kit.clock.now() })
  return kit.db.system(async (tx) => {
    const known = (await selectInForce({ scope, at: trip.started_at }).execute(tx)).rows[0]
    if (known !== undefined) return { zones, rules: versionOf(known).rules, versionId: known.id }
    const versionId = await insertVersion(tx, {
      agentId,
      areaId,
      name: '首版计价',
      rules,
      validFrom: new Date(at - pricesBeforeMs),
      authorId: null,
      authorName: platformName,
      createdAt: new Date(at - pricesBeforeMs),
    })
    return { zones, rules, versionId }
  })
}

/** Who rode each trip; nobody rides two vehicles at once. Riders that are new are added. */
async function ridersOf(
  { kit, riders }: OrderHistoryDeps,
  trips: readonly Trip[],
  companies: Map<number, Company>,
): Promise<{ trip: Trip; riderId: number }[]> {
  const ridden = trips.map((trip) => {
    const company = companies.get(trip.agent_id) ?? { ids: new Map(), busyUntil: new Map() }
    companies.set(trip.agent_id, company)
    const { busyUntil } = company
    const startedAt = trip.started_at.getTime()
    const rider = riderOfTrip({ tripId: trip.id, known: trip.rider, startedAt, busyUntil })
    busyUntil.set(rider, Math.max(busyUntil.get(rider) ?? 0, trip.ended_at.getTime()))
    return { trip, company, rider }
  })
  const added = new Map(
    ridden
      .filter(({ company, rider }) => !company.ids.has(rider))
      .map(({ trip, company, rider }) => [historyRider(trip.agent_id, rider), { trip, company, rider }]),
  )
  const people = [...added].map(([number, { trip }]) => ({
    agentId: trip.agent_id,
    phone: historyPhone(number),
    name: historyRiderName(number),
  }))
  const ids = people.length === 0 ? [] : await kit.db.system((tx) => riders.ensure(tx, people))
  for (const [index, { company, rider }] of [...added.values()].entries()) company.ids.set(rider, ids[index] ?? 0)
  return ridden.map(({ trip, company, rider }) => ({ trip, riderId: company.ids.get(rider) ?? 0 }))
}

/** What a rider was charged before counts towards the cap of the day. */
function bookingOf(options: {
  trip: Trip
  area: Area
  riderId: number
  spent: Map<number, Map<string, number>>
  benefits: PastBenefits | null
}): Booking {
  const { trip, area, riderId, spent, benefits } = options
  const past = rideOf(trip, riderId)
  const { startedAt, endedAt } = past
  const place = trip.end_lat === null || trip.end_lng === null ? null : { lat: trip.end_lat, lng: trip.end_lng }
  const judgement = judgeReturn(place, area.zones)
  const days = spent.get(riderId) ?? new Map<string, number>()
  spent.set(riderId, days)
  const ride = {
    startedAt,
    endedAt,
    distanceM: trip.distance_m,
    returnKind: judgement.kind,
    model: trip.model,
    weather: demoWeather(trip.area_id, startedAt),
    areaId: trip.area_id,
    spentByDay: Object.fromEntries(days),
  }
  const price = priceAndTake(benefits, past, (held) => priceRide(area.rules, { ...ride, benefits: held }))
  const today = businessDayOf(startedAt)
  for (const day of days.keys()) if (day < today) days.delete(day)
  for (const [day, cents] of Object.entries(ridingByDay(price.lines))) days.set(day, (days.get(day) ?? 0) + cents)
  return { trip, area, riderId, judgement, price }
}

const rideOrderRow = rowsOf(rowOf('ride_order', ['trip_id']), rowOfValues({ id: computed('bigint', sql`id`) })).filled(
  'trip_id',
)

async function insertBookings(
  tx: Tx,
  bookings: readonly Booking[],
  { kit, benefits }: Pick<OrderHistoryDeps, 'kit' | 'benefits'>,
): Promise<void> {
  if (bookings.length === 0) return
  const rows = unnest<Booking>({
    rows: bookings,
    alias: 'r',
    columns: {
      trip_id: ['bigint', ({ trip }) => trip.id],
      rider_id: ['bigint', ({ riderId }) => riderId],
      version_id: ['bigint', ({ area }) => area.versionId],
      return_kind: ['text', ({ judgement }) => judgement.kind],
      charged_cents: ['integer', ({ price }) => price.totalCents],
      benefits: ['jsonb', ({ price }) => JSON.stringify(price.applied)],
      skipped: ['jsonb', ({ price }) => JSON.stringify(price.skipped)],
    },
  })
  const added = await rideOrderRow.returning`
    insert into ride_order (
      agent_id, area_id, vehicle_id, vehicle_number, rider_id, state, placed_at, started_at, ended_at, trip_id,
      start_lat, start_lng, end_lat, end_lng, distance_m, price_version_id, return_kind, charged_cents, benefits, skipped_benefits,
      benefit_rules, changed_at)
    select
      t.agent_id, t.area_id, t.vehicle_id, v.number, r.rider_id, case when r.charged_cents = 0 then 'paid' else 'due' end, date_trunc('milliseconds', t.started_at),
      t.started_at, t.ended_at, t.id, t.start_lat, t.start_lng, t.end_lat, t.end_lng, t.distance_m, r.version_id,
      r.return_kind, r.charged_cents, r.benefits, r.skipped, ${benefitRulesVersion}, t.ended_at
    from ${rows} join trip t on t.id = r.trip_id join vehicle v on v.id = t.vehicle_id
    on conflict (trip_id) do nothing `.execute(tx)
  const ids = new Map(added.rows.map((row) => [row.trip_id, row.id]))
  const kept = bookings.flatMap((booking) => {
    const orderId = ids.get(booking.trip.id)
    return orderId === undefined ? [] : [{ orderId, booking }]
  })
  await insertLines(
    tx,
    kept.map(({ orderId, booking }) => ({
      orderId,
      agentId: booking.trip.agent_id,
      areaId: booking.trip.area_id,
      lines: booking.price.lines,
    })),
  )
  await benefits?.store(
    tx,
    kept.map(({ orderId, booking: { trip, riderId, price } }) => ({
      ...rideOf(trip, riderId),
      orderId,
      lines: price.lines,
    })),
  )
  await insertEvidence(tx, kept, kit.clock.now())
  const booked = bookings.map(({ trip }) => trip.id)
  await sql`delete from demo_trip_rider where trip_id = any (${booked}::bigint[])`.execute(tx)
}

/** By which they were paid: refunds go back the same way. */
async function insertPayments(tx: Tx, orderIds: readonly number[]): Promise<void> {
  await sql`
    insert into payment (agent_id, rider_id, purpose, subject_id, became, channel, number, cents, state, trade_number,
      created_at, paid_at)
    select o.agent_id, o.rider_id, 'ride', o.id, 'ride', 'sandbox', md5('history ' || o.id), o.charged_cents, 'paid',
      'history-' || o.id, o.ended_at, o.ended_at
    from ride_order o
    where o.id = any (${orderIds}::bigint[])
      and not exists (select from payment p where p.number = md5('history ' || o.id))`.execute(tx)
}

type Kept = { readonly orderId: number; readonly booking: Booking }

async function insertEvidence(tx: Tx, kept: readonly Kept[], nowMs: number): Promise<void> {
  const checks = unnest<Kept>({
    rows: kept,
    alias: 'r',
    columns: {
      order_id: ['bigint', ({ orderId }) => orderId],
      fence_id: ['bigint', ({ booking }) => booking.judgement.fence?.id ?? null],
      fence_name: ['text', ({ booking }) => booking.judgement.fence?.name ?? null],
      fence_version: ['integer', ({ booking }) => booking.judgement.fence?.version ?? null],
      distance_m: ['real', ({ booking }) => booking.judgement.distanceM],
    },
  })
  await sql`
    insert into return_check (
      order_id, agent_id, area_id, checked_at, lat, lng, kind, fence_id, fence_name, fence_version, distance_m, accepted)
    select o.id, o.agent_id, o.area_id, o.ended_at, o.end_lat, o.end_lng, o.return_kind, r.fence_id, r.fence_name,
      r.fence_version, r.distance_m, true
    from ${checks} join ride_order o on o.id = r.order_id`.execute(tx)
  const fees = unnest<Kept>({
    rows: kept.filter(({ booking }) => feeOf(booking.price.lines) > 0),
    alias: 'r',
    columns: {
      order_id: ['bigint', ({ orderId }) => orderId],
      fee_cents: ['integer', ({ booking }) => feeOf(booking.price.lines)],
      reviewed: ['boolean', ({ booking }) => booking.trip.ended_at.getTime() < nowMs - reviewedAfterMs],
    },
  })
  await sql`
    insert into return_review (
      order_id, agent_id, area_id, opened_at, cause, fee_cents, state, decided_at, decided_by)
    select o.id, o.agent_id, o.area_id, o.ended_at, 'fee', r.fee_cents,
      case when r.reviewed then 'kept' else 'open' end,
      case when r.reviewed then o.ended_at + interval '1 day' end,
      case when r.reviewed then ${platformName} end
    from ${fees} join ride_order o on o.id = r.order_id`.execute(tx)
}
