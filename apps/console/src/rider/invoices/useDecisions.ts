import { invoiceEndpoints } from '@saddle/contract/finance/invoices.ts'
import { t } from '#kit/i18n/index.ts'
import { newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { useEndpointMutation } from '#kit/query.ts'

/** Readings that a decision makes stale. */
export const staleAfterDecision = [invoiceEndpoints.listInvoices, invoiceEndpoints.invoiceItems]

type Refused = readonly { readonly id: number; readonly promot: string }[]

/** Says what could not be done, and why, of the first. */
export function tellRefused(refused: Refused): void {
  const [first] = refused
  if (first === undefined) return
  notify.warning({ text: t('{{count}} 张未能处理：{{why}}', { count: refused.length, why: first.promot }) })
}

/** Takes refusals back: what was refused waits again. */
export function useRestore() {
  const send = useEndpointMutation(invoiceEndpoints.restoreInvoices, {
    invalidates: staleAfterDecision,
    onSuccess: ({ data: { done, refused } }) => {
      tellRefused(refused)
      if (done.length > 0) notify.success({ text: t('已恢复 {{count}} 张开票申请', { count: done.length }) })
    },
  })
  return {
    busy: send.isPending,
    restore: (ids: readonly number[]): void =>
      send.mutate({ input: { ids: [...ids] }, idempotencyKey: newIdempotencyKey() }),
  }
}
