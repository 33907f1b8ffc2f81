import {
  invoiceableDays,
  invoiceItemKinds,
  invoiceStates,
  invoiceTitleKinds,
  type Invoice,
  type InvoiceItem,
} from '@saddle/contract/finance/invoices.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { known } from '#kit/known.ts'
import type { InvoiceParts } from './parts.ts'
import { itemKey, maskedTitle, type Covered, type WholeInvoice } from './rules.ts'
import {
  selectRecharges,
  selectRechargesById,
  selectTaken,
  type InvoiceRow,
  type ItemRow,
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
  return {
    id: row.id,
    agentId: row.agent_id,
    company: row.company,
    riderId: row.rider_id,
    riderPhone: riders.maskedPhone(row),
    state: known(invoiceStates, row.state),
    titleKind: known(invoiceTitleKinds, row.title_kind),
    title: open(row.title_sealed),
    taxNumber: row.tax_number_sealed === null ? null : open(row.tax_number_sealed),
    email: open(row.email_sealed),
    cents: row.cents,
    itemCount: row.item_count,
    requestedAt: row.requested_at.getTime(),
    decidedAt: row.decided_at?.getTime() ?? null,
    decidedBy: row.decided_by,
    reason: row.reason,
    number: row.number,
    link: row.link,
    hasFile: row.photo_ids.length > 0,
    redNumber: row.red_number,
  }
}

/** As everybody may see it who may see the list. */
export function invoiceOf(parts: Pick<InvoiceParts, 'kit' | 'riders'>, row: InvoiceRow): Invoice {
  const { taxNumber: _, email: __, title, ...others } = wholeOf(parts, row)
  return { ...others, title: maskedTitle(title) }
}

export const itemOf = (row: ItemRow): Omit<InvoiceItem, 'coveredCents'> => ({
  kind: known(invoiceItemKinds, row.kind),
  subjectId: row.subject_id,
  number: row.number,
  at: row.at.getTime(),
  cents: row.cents,
})

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
