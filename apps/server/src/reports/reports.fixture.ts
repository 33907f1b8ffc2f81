import { sql } from 'kysely'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import {
  balanceRefund,
  cardEarning,
  cardSale,
  depositPay,
  depositRefund,
  recharge,
  rideCharge,
  rideRefund,
} from '#finance/ledger/recipes.ts'
import type { Entry } from '#finance/ledger/rules.ts'
import { moneyWorld } from '#finance/wallet/money.fixture.ts'
import { createAudit } from '#audit/public.ts'
import { testPriceRules } from '#test/rides.ts'
import { createReports } from './public.ts'

type WorldArea = { readonly agentId: number; readonly areaId: number }

/** The areas of two companies, each with two vehicles of different models. */
const worldAreas: readonly WorldArea[] = [
  { agentId: 3, areaId: 31 },
  { agentId: 3, areaId: 32 },
  { agentId: 4, areaId: 41 },
]

export interface NewOrder {
  readonly area: number
  readonly vehicle: number
  readonly placedAt: number
  readonly minutes: number
  readonly cents: number
  readonly state: 'paid' | 'due' | 'cancelled' | 'failed'
}

/** Two companies whose riders ride, pay and are refunded, with the reports of it; `more` are further areas of the first one. */
export async function reportWorld({ more = [] }: { readonly more?: readonly number[] } = {}) {
  const areas = [...worldAreas, ...more.map((areaId) => ({ agentId: 3, areaId }))]
  const world = await moneyWorld()
  const { owner, kit, finance, newRider } = world
  const { ledger } = finance
  const nowMs = kit.clock.now()
  await owner
    .insertInto('service_area')
    .values(
      [32, ...more].map((id) => ({
        id,
        agent_id: 3,
        name: id === 32 ? '城东' : `城东 ${id}`,
        centre_lat: 31,
        centre_lng: 120,
        ring: '[[120,31],[120.1,31],[120.1,31.1],[120,31]]',
      })),
    )
    .execute()
  const riderOf = new Map<number, number>()
  const { riderId } = await newRider()
  riderOf.set(3, riderId)
  const { id: other } = await owner
    .insertInto('rider')
    .values({
      agent_id: 4,
      phone_hash: 'x',
      phone_sealed: 'x',
      created_at: new Date(nowMs),
      last_active_at: new Date(nowMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  riderOf.set(4, other)
  const versions: number[] = []
  const vehicles: number[][] = []
  for (const { agentId, areaId } of areas) {
    const { id } = await owner
      .insertInto('price_version')
      .values({
        agent_id: agentId,
        area_id: areaId,
        name: '标准',
        rules: JSON.stringify(testPriceRules),
        valid_from: new Date(nowMs - 400 * dayMs),
        author_name: '周可',
        created_at: new Date(nowMs - 400 * dayMs),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    versions.push(id)
    const made = await sql<{ id: number }>`
      insert into vehicle (agent_id, area_id, number, model, protocol, state, state_changed_at, created_at)
      select ${agentId}, ${areaId}, 'RP' || ${areaId}::text || n, 'model ' || n, 'omni', 'available', now(), now()
      from generate_series(1, 2) n returning id`.execute(owner)
    vehicles.push(made.rows.map((row) => row.id))
  }

  /** Adds orders as they are after their end, and posts what was paid for them. */
  async function addOrders(orders: readonly NewOrder[]): Promise<number[]> {
    const ids: number[] = []
    const entries: Entry[] = []
    for (const { area, vehicle, placedAt, minutes, cents, state } of orders) {
      const { agentId, areaId } = areas[area]!
      const isRidden = state === 'paid' || state === 'due'
      const endedAt = placedAt + minutes * minuteMs
      const { id } = await owner
        .insertInto('ride_order')
        .values({
          agent_id: agentId,
          area_id: areaId,
          vehicle_id: vehicles[area]![vehicle]!,
          vehicle_number: `RP${areaId}${vehicle + 1}`,
          rider_id: riderOf.get(agentId)!,
          state,
          placed_at: new Date(placedAt),
          changed_at: new Date(endedAt),
          ...(isRidden && {
            started_at: new Date(placedAt),
            ended_at: new Date(endedAt),
            distance_m: 100 * minutes,
            price_version_id: versions[area]!,
            return_kind: 'in_place' as const,
            charged_cents: cents,
          }),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      ids.push(id)
      if (state !== 'paid' || cents === 0) continue
      const sources = [{ account: { kind: 'clearing_sandbox' } as const, cents }]
      entries.push(rideCharge({ agentId, orderId: id, at: endedAt, cents, sources }))
    }
    await post(entries)
    return ids
  }

  async function post(entries: readonly Entry[]): Promise<void> {
    for (const result of await ledger.postMany(entries)) if (result.status === 'rejected') throw result.reason
  }

  /** Gives a part of an order back. */
  async function refund(id: number, cents: number, at = nowMs): Promise<void> {
    const row = await owner
      .updateTable('ride_order')
      .set({ refunded_cents: cents, state: 'part_refunded', changed_at: new Date(at) })
      .where('id', '=', id)
      .returning(['agent_id', 'rider_id'])
      .executeTakeFirstOrThrow()
    const targets = [{ account: { kind: 'rider_balance', ownerId: row.rider_id } as const, cents }]
    await ledger.post(rideRefund({ agentId: row.agent_id, orderId: id, refundId: id, at, cents, targets }))
  }

  /** Recharges, deposits and cards of every day of a span. */
  async function addMoney(from: number, days: number): Promise<void> {
    const agentId = 3
    for (let day = 0; day < days; day += 1) {
      const at = from + day * dayMs + (day % 24) * hourMs
      const number = day + 1
      const own = { agentId, riderId, at }
      await owner.transaction().execute(async (tx) => {
        // What a card is sold by does not matter here.
        await sql`set local session_replication_role = replica`.execute(tx)
        await sql`
          insert into rider_card (id, agent_id, rider_id, product_id, kind, name, price_cents, days, free_minutes, percent_off, state,
            paid_by, request_id, asked_at, bought_at, begins_on, ends_on)
          overriding system value
          values (${number}, ${agentId}, ${riderId}, 1, ${day % 3 === 0 ? 'discount' : 'riding'}, '月卡', 3000, 30,
            ${day % 3 === 0 ? null : 30}, ${day % 3 === 0 ? 20 : null}, 'active', 'wechat', ${`request-${number}`}, ${new Date(at)},
            ${new Date(at)}, ${new Date(at)}, ${new Date(at + 30 * dayMs)})`.execute(tx)
      })
      await post([
        recharge({ ...own, paymentId: number, channel: day % 2 === 0 ? 'wechat' : 'alipay', cents: 2_000 + day }),
        depositPay({ ...own, depositId: number, channel: 'wechat', cents: 19_900 }),
        cardSale({ ...own, cardId: number, paidBy: 'wechat', cents: 3_000 }),
      ])
      await post([
        cardEarning({ ...own, cardId: number, day: '2026-11-01', cents: 100 }),
        balanceRefund({ ...own, paymentId: number, refundId: number, cents: 500 }),
        ...(day % 2 === 0 ? [depositRefund({ ...own, depositId: number, cents: 19_900 })] : []),
      ])
    }
  }

  const reports = createReports(kit, { audit: createAudit(kit) })
  return { ...world, reports, riderId, vehicles, addOrders, refund, addMoney }
}
