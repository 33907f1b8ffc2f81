import { sql, type RawBuilder } from 'kysely'
import { meters, metersOf } from '@saddle/contract/finance/meters.ts'
import {
  billAreasMax,
  billLineList,
  serviceBillList,
  serviceBillStates,
  type BillArea,
} from '@saddle/contract/finance/serviceBills.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { unnest } from '#kit/db/unnest.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'
import { priceOn } from '../meters/store.ts'
import { monthDays } from './rules.ts'

type Agents = Pick<Scope, 'agentIds'>
const monthOf = (column: string): RawBuilder<unknown> => sql`to_char(${sql.ref(column)}, 'YYYY-MM')`

const bill = rowsOf(
  rowOf('service_bill', 'b', [
    'id',
    'agent_id',
    'number',
    'state',
    'amount_cents',
    'adjusted_cents',
    'free_cents',
    'held_cents',
    'paid_cents',
    'open_cents',
    'issued_at',
    'due_at',
    'free_reason',
    'freed_by',
  ])
    .filled('state', 'open_cents')
    .codes({ state: serviceBillStates }),
  rowOf('agent', 'agent', ['company']),
  rowOfValues({ month: computed('text', monthOf('b.month')) }),
)
export const presentBill = bill.present

const ofAgent = sql`join agent on agent.id = b.agent_id`

export const billRows = tableList(serviceBillList, {
  table: 'service_bill',
  alias: 'b',
  tenant: 'agent',
  columns: bill,
  joins: ofAgent,
  sorts: { issued: ['issued_at', 'instant'], amount: ['amount_cents', 'whole'] },
  sums: {
    amountCents: sql`b.amount_cents`,
    paidCents: sql`b.paid_cents`,
    openCents: sql`b.open_cents`,
    heldCents: sql`b.held_cents`,
  },
  find: ({ id, number, month, states, ...span }) => ({
    narrowed: [id !== undefined && sql`b.id = ${id}`, number !== undefined && sql`b.number = ${number}`],
    where: [
      ...spanOf('b.issued_at', span),
      month !== undefined && sql`b.month = ${monthDays(month).first}::date`,
      states && sql`b.state = any (${states}::text[])`,
    ],
  }),
})

export function selectBill({ id, scope }: { id: number; scope: Agents }) {
  return bill.select`from service_bill b ${ofAgent} where b.id = ${id} and b.agent_id = any (${scope.agentIds}::bigint[])`
}

/** The bill of the scope, locked until the end of the transaction. */
export async function lockBill(
  tx: Tx,
  { id, scope }: { id: number; scope: Agents },
): Promise<RowOf<typeof bill> | undefined> {
  await sql`select from service_bill b where b.id = ${id} and b.agent_id = any (${scope.agentIds}::bigint[])
    for update`.execute(tx)
  return (await selectBill({ id, scope }).execute(tx)).rows[0]
}

export async function waiveBill(
  tx: Tx,
  waiving: {
    readonly id: number
    readonly cents: number
    readonly reason: string
    readonly by: string
    readonly byId: number
  },
): Promise<void> {
  await sql`
    update service_bill set free_cents = free_cents + ${waiving.cents}, free_reason = ${waiving.reason},
      freed_by_id = ${waiving.byId}, freed_by = ${waiving.by}
    where id = ${waiving.id}`.execute(tx)
}

const line = rowsOf(
  rowOf('service_bill_line', 'l', [
    'id',
    'bill_id',
    'agent_id',
    'meter',
    'area_id',
    'quantity',
    'amount_cents',
    'disputed_cents',
    'adjusted_cents',
  ]).codes({ meter: meters }),
  rowOf('service_bill', 'b', ['number']),
  rowOf('meter_price', 'price', ['price_cents', 'per_quantity']),
  rowOf('agent', 'agent', ['company']),
  rowOfValues({ month: computed('text', monthOf('b.month')), area: computed('text?', sql`area.name`) }),
)
export const presentLine = line.present

const ofLine = sql`
  join service_bill b on b.id = l.bill_id join meter_price price on price.id = l.price_id join agent on agent.id = l.agent_id
  left join service_area area on area.id = l.area_id`

export const lineRows = tableList(billLineList, {
  table: 'service_bill_line',
  alias: 'l',
  tenant: 'agent',
  columns: line,
  joins: ofLine,
  sorts: { newest: [], amount: ['amount_cents', 'whole'] },
  sums: {
    amountCents: sql`l.amount_cents`,
    disputedCents: sql`l.disputed_cents`,
    adjustedCents: sql`l.adjusted_cents`,
  },
  find: ({ billId, number, group, meters: wanted, areaIds, month }) => ({
    narrowed: [
      billId !== undefined && sql`l.bill_id = ${billId}`,
      number !== undefined && sql`l.bill_id = (select n.id from service_bill n where n.number = ${number})`,
      areaIds && sql`l.area_id = any (${areaIds}::bigint[])`,
    ],
    where: [
      group && sql`l.meter = any (${metersOf[group]}::text[])`,
      wanted && sql`l.meter = any (${wanted}::text[])`,
      month !== undefined &&
        sql`l.bill_id in (select m.id from service_bill m where m.agent_id = l.agent_id
          and m.month = ${monthDays(month).first}::date)`,
    ],
  }),
})

const lineWithPrice = rowsOf(line, rowOf('service_bill_line', 'l', ['price_id']))

export function selectLine({ id, scope }: { id: number; scope: Agents }) {
  return lineWithPrice.select`
    from service_bill_line l ${ofLine} where l.id = ${id} and l.agent_id = any (${scope.agentIds}::bigint[])`
}

const day = rowOfValues({
  day: computed('text', sql`to_char(d.day, 'YYYY-MM-DD')`),
  quantity: computed('bigint', sql`d.quantity`),
  counted_at: computed('timestamptz', sql`d.counted_at`),
})
export const presentDay = day.present

/** The days of a line: those of its month, meter and area that its price version holds for. */
export function selectDaysOfLine({ lineId, agentId }: { lineId: number; agentId: number }) {
  return day.select`
    from service_bill_line l join service_bill b on b.id = l.bill_id
    join meter_day d on d.agent_id = l.agent_id and d.meter = l.meter
      and coalesce(d.area_id, 0) = coalesce(l.area_id, 0)
      and d.day >= b.month and d.day < b.month + interval '1 month'
    cross join lateral (${priceOn(sql`d.meter`, sql`d.day`)}) p
    where l.id = ${lineId} and l.agent_id = ${agentId} and p.id = l.price_id
    order by d.day`
}

const areaSums = rowOfValues({
  agent_id: computed('bigint', sql`l.agent_id`),
  company: computed('text', sql`min(agent.company)`),
  area_id: computed('bigint?', sql`l.area_id`),
  area: computed('text?', sql`min(area.name)`),
  vehicle_days: computed('bigint', sql`coalesce(sum(l.quantity) filter (where l.meter = 'vehicle_day'), 0)`),
  service_cents: computed('bigint', sql`coalesce(sum(l.amount_cents) filter (where l.meter = 'vehicle_day'), 0)`),
  amount_cents: computed('bigint', sql`sum(l.amount_cents)`),
})

export function selectAreas({
  billId,
  month,
  scope,
}: {
  billId?: number | undefined
  month?: string | undefined
  scope: Agents
}) {
  return areaSums.select`
    from service_bill_line l ${ofLine}
    where l.agent_id = any (${scope.agentIds}::bigint[]) and (${billId ?? null}::bigint is null or l.bill_id = ${billId ?? null})
      and (${month ?? null}::text is null or b.month = ${month === undefined ? null : monthDays(month).first}::date)
    group by l.agent_id, l.area_id order by sum(l.amount_cents) desc, l.agent_id, l.area_id limit ${billAreasMax}`
}

export function presentArea(row: RowOf<typeof areaSums>): BillArea {
  const shown = areaSums.present(row)
  return {
    ...shown,
    id: `${shown.agentId}:${shown.areaId ?? '-'}`,
    usageCents: shown.amountCents - shown.serviceCents,
  }
}

const unbilled = rowOfValues({
  agent_id: computed('bigint', sql`d.agent_id`),
  month: computed('text', sql`to_char(date_trunc('month', d.day), 'YYYY-MM')`),
})
/** Months of companies that are over, counted whole and not billed. The platform's own company pays itself nothing. */
export async function selectUnbilled(
  tx: Tx,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<RowOf<typeof unbilled>[]> {
  const { rows } = await unbilled.select`
    from meter_day d join agent a on a.id = d.agent_id and a.parent_id is not null
    where d.day < ${before}::date and not exists (
      select from service_bill b where b.agent_id = d.agent_id and b.month = date_trunc('month', d.day)::date)
    group by d.agent_id, date_trunc('month', d.day) order by 2, 1 limit ${limit}`.execute(tx)
  return rows
}

const usage = rowOfValues({
  area_id: computed('bigint?', sql`d.area_id`),
  meter: computed('text', sql`d.meter`),
  price_id: computed('bigint', sql`p.id`),
  price_cents: computed('bigint', sql`p.price_cents`),
  per_quantity: computed('integer', sql`p.per_quantity`),
  quantity: computed('bigint', sql`sum(d.quantity)`),
})
/** What a company used within days, by meter, area and price version. */
export function selectUsage({ agentId, first, next }: { agentId: number; first: string; next: string }) {
  return usage.select`
    from meter_day d cross join lateral (${priceOn(sql`d.meter`, sql`d.day`)}) p
    where d.agent_id = ${agentId} and d.day >= ${first}::date and d.day < ${next}::date
    group by d.area_id, d.meter, p.id, p.price_cents, p.per_quantity
    order by d.meter, d.area_id nulls first, p.id`
}
export type Usage = RowOf<typeof usage>

export async function insertBill(
  tx: Tx,
  made: {
    readonly agentId: number
    readonly number: string
    readonly month: string
    readonly at: Date
    readonly dueAt: Date
    readonly lines: readonly (Usage & { readonly amountCents: number })[]
  },
): Promise<number> {
  const { agentId, lines } = made
  const { id } = await tx
    .insertInto('service_bill')
    .values({
      agent_id: agentId,
      number: made.number,
      month: monthDays(made.month).first,
      amount_cents: lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
      issued_at: made.at,
      due_at: made.dueAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = unnest<(typeof lines)[number]>({
    rows: lines,
    alias: 'n',
    columns: {
      area_id: ['bigint', (one) => one.area_id],
      meter: ['text', (one) => one.meter],
      price_id: ['bigint', (one) => one.price_id],
      quantity: ['bigint', (one) => one.quantity],
      amount_cents: ['bigint', (one) => one.amountCents],
    },
  })
  await sql`
    insert into service_bill_line (bill_id, agent_id, area_id, meter, price_id, quantity, amount_cents)
    select ${id}, ${agentId}, n.area_id, n.meter, n.price_id, n.quantity, n.amount_cents from ${rows}`.execute(tx)
  return id
}

const fault = rowOfValues({ number: computed('text', sql`b.number`) })
/** Bills whose lines do not sum to them, in amount or in what was taken off. */
export function selectFaults() {
  return fault.select`
    from service_bill b cross join lateral (
      select coalesce(sum(l.amount_cents), 0) as amount, coalesce(sum(l.adjusted_cents), 0) as adjusted
      from service_bill_line l where l.bill_id = b.id) l
    where b.amount_cents <> l.amount or b.adjusted_cents <> l.adjusted
    order by b.id limit 20`
}
