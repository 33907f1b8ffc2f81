import { certificateEndpoints } from '@saddle/contract/rider/certificates.ts'
import { t } from '#kit/i18n/index.ts'
import { newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { useEndpointMutation } from '#kit/query.ts'
import { staleRiderLists } from '../parts/stale.ts'

const stale = [certificateEndpoints.listCertificates, ...staleRiderLists]

export type Decision =
  | { readonly decision: 'approved'; readonly expiresAt: number }
  | { readonly decision: 'refused'; readonly reason: string }

/** Decides certificates; the message that follows lets them wait again. */
export function useDecide(onDone: () => void): {
  readonly decide: (ids: readonly number[], decision: Decision) => void
  readonly busy: boolean
} {
  const reopen = useEndpointMutation(certificateEndpoints.reopenCertificate, { invalidates: stale })
  const send = useEndpointMutation(certificateEndpoints.decideCertificates, {
    invalidates: stale,
    onSuccess: ({ data: { decided, refused } }, { input }) => {
      const back = () => {
        for (const id of decided) reopen.mutate({ input: { id }, idempotencyKey: newIdempotencyKey() })
      }
      const action = { label: t('撤回'), run: back }
      const count = decided.length
      if (count > 0) {
        const text =
          input.decision === 'approved' ? t('已通过 {{count}} 份', { count }) : t('已拒绝 {{count}} 份', { count })
        notify.success({ text, action })
      }
      for (const { id, promot } of refused)
        notify.error({ title: t('第 {{number}} 号申请', { number: id }), text: promot })
      onDone()
    },
  })
  return {
    busy: send.isPending,
    decide: (ids, decision) => {
      if (send.isPending || ids.length === 0) return
      send.mutate({ input: { ids: [...ids], ...decision }, idempotencyKey: newIdempotencyKey() })
    },
  }
}
