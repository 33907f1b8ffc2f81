import { sql } from 'kysely'
import type { InvoiceState } from '@saddle/contract/finance/invoices.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { changeInvoice, insertInvoice, invoiceablesOf, sealOf, type InvoiceParts } from '#finance/demoDoor.ts'

const invoicesMax = 25
const ridersMax = 200

/** Invented companies and people who want invoices in the demo. */
const titles: readonly (readonly [title: string, taxNumber: string | null])[] = [
  ['苏州星河科技有限公司', '91320594MA1XABCD2E'],
  ['王晓明', null],
  ['江苏青石建筑设计有限公司', '91320505MA20K7WX3P'],
  ['苏州湖畔餐饮管理有限公司', '91320508MA1T6QRM8H'],
  ['李静', null],
  ['无锡云帆物流有限公司', '91320211MA25YNLU6D'],
  ['昆山启程电子有限公司', '91320583MA1W9PPX5T'],
]
/** As it goes in a month: most are issued. */
const outcomes: readonly InvoiceState[] = [
  'issued',
  'issued',
  'requested',
  'issued',
  'refused',
  'issued',
  'requested',
  'red_flushed',
  'issued',
  'cancelled',
]

/**
 * Invoices of riders of the demo's past, for rides that a channel was really paid for. Safe to be cut short: what is
 * missing is added by the next turn. Resolves to the number added.
 */
export async function fillInvoices(deps: InvoiceParts): Promise<number> {
  const { kit } = deps
  const [known] = await kit.db.systemRead((k) =>
    sql<{ count: number }>`select count(*) as count from (select from invoice limit ${invoicesMax}) i`.compile(k),
  )
  const start = known?.count ?? 0
  const riders = await kit.db.systemRead((k) =>
    sql<{ agentId: number; riderId: number }>`
      select agent_id as "agentId", id as "riderId" from rider i
      where not exists (select from invoice v where v.rider_id = i.id)
      order by (id * 40503) % 65536, id limit ${ridersMax}`.compile(k),
  )
  let count = start
  for (const who of riders) {
    if (count >= invoicesMax) break
    const items = (await invoiceablesOf(deps, who)).slice(0, 1 + (who.riderId % 6))
    if (items.length === 0) continue
    await addOne(deps, { ...who, items, number: count })
    count += 1
  }
  return count - start
}

async function addOne(
  deps: InvoiceParts,
  one: { agentId: number; riderId: number; items: Parameters<typeof insertInvoice>[1]['items']; number: number },
): Promise<void> {
  const { kit } = deps
  const { agentId, riderId, items, number } = one
  const seal = sealOf({ kit }, riderId)
  const [title, taxNumber] = titles[number % titles.length] ?? ['', null]
  const newest = Math.max(...items.map(({ at }) => at))
  const askedAt = Math.min(kit.clock.now() - hourMs, newest + (2 + (number % 9)) * hourMs)
  const decidedAt = new Date(Math.min(kit.clock.now(), askedAt + (3 + (number % 20)) * hourMs))
  const state = outcomes[number % outcomes.length] ?? 'requested'
  await kit.db.system(async (tx) => {
    const id = await insertInvoice(tx, {
      agentId,
      riderId,
      titleKind: taxNumber === null ? 'person' : 'company',
      titleSealed: seal(title),
      taxNumberSealed: taxNumber === null ? null : seal(taxNumber),
      emailSealed: seal(`fapiao${riderId}@example.com`),
      at: new Date(askedAt),
      items,
    })
    if (state === 'requested') return
    const by = { decided_at: decidedAt, decided_by: state === 'cancelled' ? null : '财务' }
    const given = `24322000000${String(100_000_000 + id)}`
    if (state === 'issued') await changeInvoice(tx, id, { state, ...by, number: given })
    else if (state === 'refused')
      await changeInvoice(tx, id, { state, ...by, reason: '抬头与税号不一致，请核对后重新申请' })
    else if (state === 'cancelled') await changeInvoice(tx, id, { state, ...by })
    else {
      const redNumber = `24322000000${String(900_000_000 + id)}`
      await changeInvoice(tx, id, { state, ...by, number: given, red_number: redNumber, reason: '订单退款，红冲重开' })
    }
  })
}
