import { visibleText } from '@saddle/contract/answers.ts'
import { phonePattern } from '@saddle/contract/constants.ts'
import { invoiceNumberPattern, type InvoiceFilter } from '@saddle/contract/finance/invoices.ts'

/** What was typed: a whole phone number, an invoice's number, or that of what was asked for. */
export function readInvoiceWord(text: string): Pick<InvoiceFilter, 'phone' | 'id' | 'number'> {
  const word = visibleText(text)
  if (phonePattern.test(word)) return { phone: word }
  if (invoiceNumberPattern.test(word)) return { number: word }
  return /^[1-9]\d{0,14}$/.test(word) ? { id: Number(word) } : {}
}

export const invoiceWordOf = ({ phone, id, number }: Partial<InvoiceFilter>): string =>
  phone ?? number ?? id?.toString() ?? ''
