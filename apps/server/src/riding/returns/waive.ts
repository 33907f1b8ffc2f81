import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import { sql } from 'kysely'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { lineOf } from '#riding/pricing/pricing.ts'
import { appendLine, feeOf, isFee } from '../charges/store.ts'
import { presentLine, selectLines } from '../orders/store.ts'
import { giveBack, type Charged, type RefundParts } from '../refunds/refund.ts'

/**
 * Takes the fee of a return off an order that the caller has locked: what was paid is given back, what is still due
 * becomes less, by a line of its own.
 */
export async function waiveFee(
  parts: RefundParts,
  tx: Tx,
  call: SessionCall,
  { order, note }: { order: Charged; note: string },
): Promise<void> {
  const { scope } = call
  const { id: orderId, agent_id: agentId, area_id: areaId } = order
  const lines = (await selectLines({ orderId, scope }).execute(tx)).rows.map(presentLine)
  const fees = lines.filter(({ code, amountCents }) => isFee(code) && amountCents > 0)
  const cents = feeOf(lines)
  if (cents <= 0) return
  if (order.state !== 'due') {
    const reason = note === '' ? reasonOf('waived') : reasonOf('waivedBecause', { note })
    await giveBack(parts, tx, call, { order, lines: fees.map(({ n }) => n), reason: reason.slice(0, 200) })
    return
  }
  const reason = reasonOf('waived')
  const line = lineOf({ code: 'waived', reason, day: null, quantity: 1, unitCents: -cents })
  await appendLine(tx, { orderId, agentId, areaId, n: lines.length + 1, line })
  const left = (order.charged_cents ?? 0) - cents
  await sql`
    update ride_order set charged_cents = ${left}, state = ${left === 0 ? 'paid' : 'due'} where id = ${orderId}`.execute(
    tx,
  )
}
