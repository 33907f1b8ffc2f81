import { sql } from 'kysely'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import type { Tx } from '#kit/db/pool.ts'
import { unnest } from '#kit/db/unnest.ts'

export type OrderLines = {
  readonly orderId: number
  readonly agentId: number
  readonly areaId: number
  readonly lines: readonly ChargeLine[]
}

type NumberedLine = { readonly order: OrderLines; readonly n: number; readonly line: ChargeLine }

/** Writes what orders were charged, line by line, in one statement. */
export async function insertLines(tx: Tx, orders: readonly OrderLines[]): Promise<void> {
  const rows = orders.flatMap((order) =>
    order.lines.map((line, index): NumberedLine => ({ order, n: index + 1, line })),
  )
  if (rows.length === 0) return
  const given = unnest<NumberedLine>({
    rows,
    alias: 'r',
    columns: {
      order_id: ['bigint', ({ order }) => order.orderId],
      n: ['smallint', ({ n }) => n],
      agent_id: ['bigint', ({ order }) => order.agentId],
      area_id: ['bigint', ({ order }) => order.areaId],
      code: ['text', ({ line }) => line.code],
      reason: ['text', ({ line }) => line.reason],
      day: ['date', ({ line }) => line.day],
      quantity: ['integer', ({ line }) => line.quantity],
      unit_cents: ['integer', ({ line }) => line.unitCents],
      amount_cents: ['integer', ({ line }) => line.amountCents],
      benefit: ['text', ({ line }) => line.benefit],
      bearer: ['text', ({ line }) => line.bearer],
    },
  })
  await sql`
    insert into order_line (order_id, n, agent_id, area_id, code, reason, day, quantity, unit_cents, amount_cents,
      benefit, bearer)
    select * from ${given}`.execute(tx)
}

/** Adds one line to those of an order, which the caller has locked. */
export async function appendLine(
  tx: Tx,
  { n, line, ...order }: Omit<OrderLines, 'lines'> & { readonly n: number; readonly line: ChargeLine },
): Promise<void> {
  await tx
    .insertInto('order_line')
    .values({
      order_id: order.orderId,
      agent_id: order.agentId,
      area_id: order.areaId,
      n,
      code: line.code,
      reason: line.reason,
      day: line.day,
      quantity: line.quantity,
      unit_cents: line.unitCents,
      amount_cents: line.amountCents,
      benefit: line.benefit,
      bearer: line.bearer,
    })
    .execute()
}

const feeCodes: ReadonlySet<ChargeLine['code']> = new Set(['out_of_place', 'outside_area', 'no_stop'])
export const isFee = (code: ChargeLine['code']): boolean => feeCodes.has(code)

/** What of a charge is for where the vehicle was returned, less what benefits take off it. */
export const feeOf = (lines: readonly ChargeLine[]): number =>
  lines.reduce((sum, { code, amountCents }) => (isFee(code) || code === 'fee_benefit' ? sum + amountCents : sum), 0)
