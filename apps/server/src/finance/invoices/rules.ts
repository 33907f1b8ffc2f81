import type { InvoiceItem } from '@saddle/contract/finance/invoices.ts'
import { AppError } from '@saddle/contract/errors.ts'

/** Masks a title so that a person who knows it recognises it by both ends. */
export function maskedTitle(title: string): string {
  const shown = title.length > 5 ? 2 : title.length > 2 ? 1 : 0
  const hidden = '*'.repeat(Math.max(1, title.length - Math.max(1, 2 * shown)))
  return `${title.slice(0, Math.max(1, shown))}${hidden}${shown === 0 ? '' : title.slice(-shown)}`
}

/** The amount still paid for each item; an item that is not listed counts as unpaid. */
export type Covered = ReadonlyMap<string, number>
export const itemKey = ({ kind, subjectId }: Pick<InvoiceItem, 'kind' | 'subjectId'>): string => `${kind}:${subjectId}`

/** Throws invoice_above_paid where an item is worth more than what is still paid of it. */
export function checkCovered(
  items: readonly Pick<InvoiceItem, 'kind' | 'subjectId' | 'cents'>[],
  covered: Covered,
): void {
  if (items.some((item) => item.cents > (covered.get(itemKey(item)) ?? 0))) throw new AppError('invoice_above_paid')
}
