import type { CompiledQuery } from 'kysely'
import { busyStates, type OrderDetail } from '@saddle/contract/riding/orders.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { orderReference, selectUsedGifts, usedGiftOf, type Ledger } from '#finance/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Geography } from '#geography/public.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Riders } from '#rider/public.ts'
import { findVersion } from '../prices/store.ts'
import { selectReturnPhotos } from '../returns/photos.ts'
import { refundOf, selectRefunds } from '../refunds/store.ts'
import { benefitsOf, checkOf, lineOf, orderOf, placeOf, reviewOf, skippedOf } from './present.ts'
import { selectChecks, selectLines, selectOrder, selectReview, type OrderRow } from './store.ts'

export type DetailDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock'>
  readonly riders: Riders
  readonly ledger: Pick<Ledger, 'entriesOf'>
  readonly fleet: Pick<Fleet, 'handlers' | 'commandsDuring'>
  readonly geography: Pick<Geography, 'inForce'>
}

/** The first command of a ride is queued a moment before its order is written. */
const queuedBeforeMs = 2_000
/** About 300 m: fences so far around the two ends of a ride are drawn. */
const fenceMarginDegrees = 0.003

/** Everything that explains an order. Throws not_found outside the scope of the call. */
export async function readDetail(deps: DetailDeps, call: SessionCall, id: number): Promise<OrderDetail> {
  const { kit, riders } = deps
  const { scope } = call
  const read = <R>(query: { compile(k: never): CompiledQuery<R> }): Promise<R[]> =>
    kit.db.read(scope, (k) => query.compile(k as never))
  const [row] = await read(selectOrder({ id, scope }))
  if (row === undefined) throw new AppError('not_found')
  const [lines, gifts, checks, [review], photos, refunds, entries, priceVersion, commands, track, fences] =
    await Promise.all([
      read(selectLines({ orderId: id, scope })),
      read(selectUsedGifts({ orderId: id, scope })),
      read(selectChecks({ orderId: id, scope })),
      read(selectReview({ orderId: id, scope })),
      read(selectReturnPhotos({ orderId: id, scope })),
      read(selectRefunds({ orderId: id, scope })),
      deps.ledger.entriesOf({ scope, reference: orderReference(id) }),
      row.price_version_id === null ? null : findVersion(kit.db, { id: row.price_version_id, scope }),
      commandsOf(deps, call, row),
      trackOf(deps, call, row),
      fencesOf(deps, call, row),
    ])
  return {
    order: orderOf(row, riders),
    riderName: riders.maskedName(row),
    failure: row.failure,
    start: placeOf(row.start_lat, row.start_lng),
    end: placeOf(row.end_lat, row.end_lng),
    priceVersion,
    benefits: benefitsOf(row.benefits),
    skippedBenefits: skippedOf(row.skipped_benefits),
    gifts: gifts.map(usedGiftOf),
    lines: lines.map(lineOf),
    checks: checks.map(checkOf),
    review: review === undefined ? null : reviewOf(review),
    returnPhotoCount: photos.length,
    refunds: refunds.map(refundOf),
    entries: entries.map(({ number, kind, occurredAt, lines: postings }) => ({
      number,
      kind,
      at: occurredAt,
      lines: postings.map(({ account, amountCents }) => ({ account: account.kind, amountCents })),
    })),
    commands,
    track,
    fences,
  }
}

/** The commands sent to the vehicle for this order: no other rider has it while the order lasts. */
function commandsOf({ kit, fleet }: DetailDeps, { scope }: SessionCall, row: OrderRow) {
  const from = row.placed_at.getTime() - queuedBeforeMs
  const isUnderWay = busyStates.some((state) => state === row.state)
  const to = isUnderWay ? kit.clock.now() : (row.ended_at ?? row.changed_at).getTime()
  return fleet.commandsDuring({ scope, vehicleId: row.vehicle_id, from, to })
}

/** Empty when the vehicle has since moved to a franchisee that the caller may not see. */
async function trackOf({ fleet }: DetailDeps, call: SessionCall, row: OrderRow): Promise<OrderDetail['track']> {
  if (row.trip_id === null) return []
  try {
    const { data } = await fleet.handlers.itinerary({ vehicleId: row.vehicle_id, tripId: row.trip_id }, call)
    return data.list
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

async function fencesOf(
  { kit, geography }: DetailDeps,
  call: SessionCall,
  row: OrderRow,
): Promise<OrderDetail['fences']> {
  const ends = [placeOf(row.start_lat, row.start_lng), placeOf(row.end_lat, row.end_lng)].filter(
    (place) => place !== null,
  )
  if (ends.length === 0) return []
  const lats = ends.map(({ lat }) => lat)
  const lngs = ends.map(({ lng }) => lng)
  const bounds = {
    west: Math.min(...lngs) - fenceMarginDegrees,
    east: Math.max(...lngs) + fenceMarginDegrees,
    south: Math.min(...lats) - fenceMarginDegrees,
    north: Math.max(...lats) + fenceMarginDegrees,
  }
  const at = row.ended_at?.getTime() ?? kit.clock.now()
  return geography.inForce(call.scope, { areaId: row.area_id, at, bounds })
}
