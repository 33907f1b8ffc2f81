import { serviceBillDueDays } from '@saddle/contract/finance/serviceBills.ts'
import { addDays, dayMs } from '@saddle/contract/time.ts'
import type { MeterDeps } from '../meters/deps.ts'
import { lastCounted, lockCounting } from '../meters/store.ts'
import { amountOf, billNumberOf, monthDays } from './rules.ts'
import { insertBill, selectUnbilled, selectUsage } from './store.ts'

const billsARun = 500

/** Makes the bills of months that are over and counted whole; each is its own transaction. */
export async function issueBills(deps: MeterDeps): Promise<number> {
  const { db, clock } = deps.kit
  const nowMs = clock.now()
  const at = new Date(nowMs)
  const due = await db.system(async (tx) => {
    // A month is billed when every meter that is read has been counted to its end.
    const lasts = await Promise.all([...deps.sources.keys()].map((meter) => lastCounted(tx, meter)))
    const last = lasts.reduce<string | null>(
      (least, one) => (least === null || (one ?? '') < least ? (one ?? '') : least),
      null,
    )
    if (last === null || last === '') return []
    const before = `${addDays(last, 1).slice(0, 7)}-01`
    return selectUnbilled(tx, { before, limit: billsARun })
  })
  for (const { agent_id: agentId, month } of due) {
    await db.system(async (tx) => {
      await lockCounting(tx)
      const { rows } = await selectUsage({ agentId, ...monthDays(month) }).execute(tx)
      const lines = rows.map((row) =>
        Object.assign(row, {
          amountCents: amountOf({ quantity: row.quantity, priceCents: row.price_cents, perQuantity: row.per_quantity }),
        }),
      )
      const dueAt = new Date(nowMs + serviceBillDueDays * dayMs)
      await insertBill(tx, { agentId, number: billNumberOf({ month, agentId }), month, at, dueAt, lines })
    })
  }
  return due.length
}
