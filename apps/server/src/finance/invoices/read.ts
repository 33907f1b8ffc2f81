import { type Invoice, type InvoiceItem, type WholeInvoice } from '@saddle/contract/finance/invoices.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { readSetting } from '#settings/public.ts'
import type { InvoiceParts } from './parts.ts'
import { itemKey, maskedTitle, type Covered } from './rules.ts'
import {
  presentInvoice,
  selectRecharges,
  selectRechargesById,
  selectTaken,
  type InvoiceRow,
  type NewItem,
} from './store.ts'

export const invoicePurpose = 'invoice'
/** Of each kind, the newest. */
const invoiceablesMax = 100

/** Title, tax number and address are sealed for the rider's own rows. */
export const sealOf =
  ({ kit }: Pick<InvoiceParts, 'kit'>, riderId: number) =>
  (text: string): string =>
    kit.secrets.encryptText({ purpose: invoicePurpose, text, context: String(riderId) })

export function wholeOf({ kit, riders }: Pick<InvoiceParts, 'kit' | 'riders'>, row: InvoiceRow): WholeInvoice {
  const open = (sealed: string): string =>
    kit.secrets.decryptText({ purpose: invoicePurpose, sealed, context: String(row.rider_id) })
  const {
    titleSealed,
    taxNumberSealed,
    emailSealed,
    phoneSealed: _,
    phoneHash: __,
    photoIds,
    ...shown
  } = presentInvoice(row)
  return {
    ...shown,
    riderPhone: riders.maskedPhone(row),
    title: open(titleSealed),
    taxNumber: taxNumberSealed === null ? null : open(taxNumberSealed),
    email: open(emailSealed),
    hasFile: photoIds.length > 0,
  }
}

/** The form visible to everyone who may see the list. */
export function invoiceOf(parts: Pick<InvoiceParts, 'kit' | 'riders'>, row: InvoiceRow): Invoice {
  const { taxNumber: _, email: __, title, ...others } = wholeOf(parts, row)
  return { ...others, title: maskedTitle(title) }
}

/** What is still paid of these things of a franchisee. */
export async function coveredOf(
  { kit, rides }: Pick<InvoiceParts, 'kit' | 'rides'>,
  { agentId, items }: { agentId: number; items: readonly Pick<InvoiceItem, 'kind' | 'subjectId'>[] },
): Promise<Covered> {
  const idsOf = (kind: InvoiceItem['kind']) =>
    items.filter((item) => item.kind === kind).map(({ subjectId }) => subjectId)
  const recharges = selectRechargesById({ agentId, ids: idsOf('recharge') })
  const [orders, paidIn] = await Promise.all([
    rides.paidCents({ agentId, orderIds: idsOf('order') }),
    kit.db.systemRead((k) => recharges.compile(k)),
  ])
  return new Map([
    ...[...orders].map(([subjectId, cents]) => [itemKey({ kind: 'order', subjectId }), cents] as const),
    ...paidIn.map(({ id, cents }) => [itemKey({ kind: 'recharge', subjectId: id }), cents] as const),
  ])
}

/** What a rider of a franchisee can ask an invoice for: paid, not given back, and on no other. The newest first. */
export async function invoiceablesOf(
  { kit, rides }: Pick<InvoiceParts, 'kit' | 'rides'>,
  who: { agentId: number; riderId: number },
): Promise<NewItem[]> {
  const { agentId } = who
  const invoiceableDays = await kit.db.system((tx) => readSetting(tx, 'invoice_days', { agentId }))
  const since = kit.clock.now() - invoiceableDays * dayMs
  const recharges = selectRecharges({ ...who, since: new Date(since), limit: invoiceablesMax })
  const [paid, paidIn, taken] = await Promise.all([
    rides.ofRider({ ...who, since, limit: invoiceablesMax }),
    kit.db.systemRead((k) => recharges.compile(k)),
    kit.db.systemRead((k) => selectTaken(who).compile(k)),
  ])
  const gone = new Set(taken.map((row) => `${row.kind}:${row.subject_id}`))
  const all: NewItem[] = [
    ...paid.map(({ id, number, at, cents }) => ({ kind: 'order' as const, subjectId: id, number, at, cents })),
    ...paidIn.map((row) => ({
      kind: 'recharge' as const,
      subjectId: row.id,
      number: row.number,
      at: row.paid_at.getTime(),
      cents: row.cents,
    })),
  ]
  return all.filter((item) => item.cents > 0 && !gone.has(itemKey(item))).toSorted((a, b) => b.at - a.at)
}
