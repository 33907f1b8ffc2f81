import { sql } from 'kysely'
import { cardPayers, cardStates, soldCardList, type SoldCard } from '@saddle/contract/finance/cards.ts'
import { cardKinds } from '@saddle/contract/finance/cardTerms.ts'
import { addDays } from '@saddle/contract/time.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import type { OfRiders, RiderDirectory } from '../wallet/who.ts'
import { earnedCents, refundableCents, ridesLeft } from './cards.ts'

const soldRow = rowsOf(
  rowOf('rider_card', 'k', [
    'id',
    'agent_id',
    'rider_id',
    'product_id',
    'version',
    'kind',
    'name',
    'state',
    'paid_by',
    'price_cents',
    'days',
    'rides',
    'ridden',
    'earned_days',
    'earned_rides',
    'asked_at',
    'bought_at',
    'begins_on',
    'ends_on',
    'refunded_cents',
    'refunded_at',
  ]).codes({ kind: cardKinds, state: cardStates, paid_by: cardPayers }),
  rowOf('agent', 'a', ['company']),
  rowOf('rider', 'i', ['phone_sealed', 'phone_hash']).optional(),
  rowOfValues({
    uses: computed('bigint', sql`u.uses`),
    saved_cents: computed('bigint', sql`u.saved_cents`),
    last_use: computed('date?', sql`u.last_use`),
  }),
)

export const soldRows = tableList(soldCardList, {
  table: 'rider_card',
  alias: 'k',
  tenant: 'agent',
  columns: soldRow,
  joins: sql`
    join agent a on a.id = k.agent_id
    left join rider i on i.id = k.rider_id and i.agent_id = k.agent_id
    cross join lateral (
      select count(*) as uses, coalesce(sum(u.saved_cents), 0)::bigint as saved_cents, max(u.used_on) as last_use
      from card_use u where u.card_id = k.id and u.returned_at is null
    ) u`,
  sorts: { asked: ['asked_at', 'instant'] },
  find: ({ productId, states = cardStates, kinds, payers, ...span }, { riderIds }: OfRiders) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [
      riderIds && sql`k.rider_id = any (${riderIds}::bigint[])`,
      productId !== undefined && sql`k.product_id = ${productId}`,
    ],
    where: [
      ...spanOf('k.asked_at', span),
      kinds && sql`k.kind = any (${kinds}::text[])`,
      payers && sql`k.paid_by = any (${payers}::text[])`,
    ],
  }),
  sums: { priceCents: sql`k.price_cents`, refundedCents: sql`k.refunded_cents` },
})

export function soldCardOf(
  row: RowOf<typeof soldRow>,
  { riders, today }: { riders: Pick<RiderDirectory, 'maskedPhone'>; today: string },
): SoldCard {
  const { phone_sealed, phone_hash } = row
  const isKnown = phone_sealed !== null && phone_hash !== null
  return {
    id: row.id,
    agentId: row.agent_id,
    company: row.company,
    riderId: row.rider_id,
    phone: isKnown ? riders.maskedPhone({ phone_sealed, phone_hash }) : null,
    productId: row.product_id,
    version: row.version,
    kind: row.kind,
    name: row.name,
    state: row.state,
    paidBy: row.paid_by,
    priceCents: row.price_cents,
    askedAt: row.asked_at.getTime(),
    boughtAt: row.bought_at?.getTime() ?? null,
    firstDay: row.begins_on,
    lastDay: row.ends_on === null ? null : addDays(row.ends_on, -1),
    uses: row.uses,
    ridesLeft: ridesLeft(row),
    savedCents: row.saved_cents,
    earnedCents: earnedCents(row),
    refundableCents: refundableCents({ ...row, used_today: row.last_use === today }, today),
    refundedCents: row.refunded_cents,
    refundedAt: row.refunded_at?.getTime() ?? null,
  }
}
