import { invoiceEndpoints } from '@saddle/contract/finance/invoices.ts'
import { tellRefused } from '#kit/action/refused.ts'
import { useAction, type Action } from '#kit/action/useAction.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'

const { restoreInvoices, listInvoices, sumInvoices, invoiceItems } = invoiceEndpoints

/** Queries that a decision makes stale. */
export const staleAfterDecision = [listInvoices, sumInvoices, invoiceItems]

/** The message after a refusal is taken back. */
export function restoredText({ data: { done, refused } }: AnswerOf<typeof restoreInvoices>): string {
  tellRefused(refused)
  return t('已恢复 {{count}} 张开票申请', { count: done.length })
}

/** Takes refusals back: what was refused waits again. */
export const useRestore = (): Action<typeof restoreInvoices> =>
  useAction(restoreInvoices, { stale: staleAfterDecision, done: restoredText })
