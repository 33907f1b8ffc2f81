import type { PriceRules } from '@saddle/contract/riding/price.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { createRiders } from '#rider/public.ts'

/** Two yuan for a quarter of an hour, one for every ten minutes after it, a fee where nobody may park. */
export const testPriceRules: PriceRules = {
  freeSeconds: 60,
  startCents: 200,
  timeSteps: [{ fromMinute: 15, everyMinutes: 10, cents: 100 }],
  distance: null,
  bands: [],
  dayCapCents: 2_000,
  insuranceCents: 0,
  outOfPlaceCents: 500,
  outsideAreaCents: 1_500,
  noStopCents: 1_000,
  noStopReturnAllowed: false,
}

/** An order of each area with its price, lines, return and review, ridden by one rider; returns the ids of the orders. */
export async function addOrders(options: {
  tx: Tx
  kit: Kit
  agentId: number
  areaIds: readonly number[]
  vehicleIds: readonly number[]
  marker: string
  riderPhone: string
  at: Date
}): Promise<number[]> {
  const { tx, kit, agentId, areaIds, vehicleIds, marker, riderPhone, at } = options
  const [riderId = 0] = await createRiders(kit).ensure(tx, [{ agentId, phone: riderPhone, name: `${marker} rider` }])
  const begun = new Date(at.getTime() - 30 * minuteMs)
  const ids: number[] = []
  for (const [index, areaId] of areaIds.entries()) {
    const own = { agent_id: agentId, area_id: areaId }
    const { id: versionId } = await tx
      .insertInto('price_version')
      .values({
        ...own,
        name: `${marker} price`,
        rules: JSON.stringify(testPriceRules),
        valid_from: new Date(at.getTime() - hourMs),
        author_name: `${marker} author`,
        created_at: new Date(at.getTime() - hourMs),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addPlannedPrices(tx, { ...own, marker, at })
    const { id } = await tx
      .insertInto('ride_order')
      .values({
        ...own,
        vehicle_id: vehicleIds[index] ?? 0,
        vehicle_number: `${marker}${index}`,
        rider_id: riderId,
        state: 'part_refunded',
        refunded_cents: 100,
        placed_at: begun,
        started_at: begun,
        ended_at: at,
        distance_m: 1_500,
        price_version_id: versionId,
        return_kind: 'out_of_place',
        charged_cents: 900,
        changed_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const line = { ...own, order_id: id, quantity: 1 }
    await tx
      .insertInto('order_line')
      .values([
        { ...line, n: 1, code: 'start', reason: `${marker} start`, day: null, unit_cents: 400, amount_cents: 400 },
        { ...line, n: 2, code: 'out_of_place', reason: `${marker} fee`, day: null, unit_cents: 500, amount_cents: 500 },
      ])
      .execute()
    await tx
      .insertInto('return_check')
      .values({ ...own, order_id: id, checked_at: at, lat: 31.05, lng: 120.05, kind: 'out_of_place', accepted: true })
      .execute()
    await tx
      .insertInto('return_review')
      .values({
        ...own,
        order_id: id,
        opened_at: at,
        cause: index === 1 ? 'dispute' : 'fee',
        claim: `${marker} claim`,
        fee_cents: 500,
      })
      .execute()
    await tx
      .insertInto('order_refund')
      .values({ ...own, order_id: id, cents: 100, reason: `${marker} refund`, operator_name: 'x', refunded_at: at })
      .execute()
    ids.push(id)
  }
  await tx
    .insertInto('rider_app')
    .values({ agent_id: agentId, name: `${marker} app`, key_hash: `${marker} key`, created_at: at })
    .execute()
  return ids
}

/** One version that is still to begin, and one that was taken back. */
async function addPlannedPrices(
  tx: Tx,
  { marker, at, ...own }: { agent_id: number; area_id: number; marker: string; at: Date },
): Promise<void> {
  const planned = {
    ...own,
    rules: JSON.stringify(testPriceRules),
    valid_from: new Date(Date.UTC(2100, 0, 1)),
    author_name: `${marker} author`,
    created_at: at,
  }
  const [, taken] = await tx
    .insertInto('price_version')
    .values([
      { ...planned, name: `${marker} plan` },
      { ...planned, name: `${marker} taken back` },
    ])
    .returning('id')
    .execute()
  const by = { withdrawn_at: at, withdrawn_by_id: 1, withdrawn_by: `${marker} author` }
  await tx
    .insertInto('price_withdrawal')
    .values({ ...own, ...by, version_id: taken?.id ?? 0 })
    .execute()
}
