import { z } from 'zod'
import {
  invoiceStateLabels,
  invoiceTitleKindLabels,
  type Invoice,
  type InvoiceItem,
} from '@saddle/contract/finance/invoices.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { businessTime, csvLine } from '#kit/csv.ts'

/** A title of which the ends can be recognised by whoever knows it. */
export function maskedTitle(title: string): string {
  const shown = title.length > 5 ? 2 : title.length > 2 ? 1 : 0
  const hidden = '*'.repeat(Math.max(1, title.length - Math.max(1, 2 * shown)))
  return `${title.slice(0, Math.max(1, shown))}${hidden}${shown === 0 ? '' : title.slice(-shown)}`
}

/** What is still paid of each thing; a thing that is not named is not paid at all. */
export type Covered = ReadonlyMap<string, number>
export const itemKey = ({ kind, subjectId }: Pick<InvoiceItem, 'kind' | 'subjectId'>): string => `${kind}:${subjectId}`

/** Throws invoice_above_paid where an item is worth more than what is still paid of it. */
export function checkCovered(
  items: readonly Pick<InvoiceItem, 'kind' | 'subjectId' | 'cents'>[],
  covered: Covered,
): void {
  if (items.some((item) => item.cents > (covered.get(itemKey(item)) ?? 0))) throw new AppError('invoice_above_paid')
}

/** Where a page ended. */
export type InvoiceCursor = { readonly at: number; readonly id: number }
const cursorSchema = z.tuple([z.int().nonnegative(), z.int().positive()])

export const writeCursor = ({ at, id }: InvoiceCursor): string =>
  Buffer.from(JSON.stringify([at, id])).toString('base64url')

/** Throws bad_request on a cursor that this platform did not write. */
export function readCursor(text: string): InvoiceCursor {
  try {
    const [at, id] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { at, id }
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}

/** What whoever writes the invoices needs: here the title is whole. */
export type WholeInvoice = Invoice & { readonly taxNumber: string | null; readonly email: string }

const columns: readonly (readonly [title: string, value: (row: WholeInvoice) => string | number | null])[] = [
  ['申请编号', (row) => row.id],
  ['状态', (row) => invoiceStateLabels[row.state]],
  ['抬头类型', (row) => invoiceTitleKindLabels[row.titleKind]],
  ['抬头', (row) => row.title],
  ['税号', (row) => row.taxNumber],
  ['接收邮箱', (row) => row.email],
  ['金额(元)', (row) => row.cents / 100],
  ['项目数', (row) => row.itemCount],
  ['手机号', (row) => row.riderPhone],
  ['加盟商', (row) => row.company],
  ['申请时间', (row) => businessTime(row.requestedAt)],
  ['发票号码', (row) => row.number],
  ['处理时间', (row) => businessTime(row.decidedAt)],
  ['处理人', (row) => row.decidedBy],
  ['原因', (row) => row.reason],
]

export const invoiceCsvTitles = columns.map(([title]) => title)
export const invoiceCsvRow = (row: WholeInvoice): string => csvLine(columns.map(([, value]) => value(row)))
