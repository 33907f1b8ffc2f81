import { retryBatchMax, walletEndpoints } from '@saddle/contract/finance/wallet.ts'
import { t } from '#kit/i18n/index.ts'
import { newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { useMoneyAct } from './useMoney.ts'

/** Asks the channels once more for refunds that failed, and says what became of them. */
export function useRetry(onDone?: () => void): {
  readonly retry: (refundIds: readonly number[]) => void
  readonly busy: boolean
} {
  const send = useMoneyAct(walletEndpoints.retryRefunds, ({ data: { refunds } }) => {
    const failed = refunds.filter(({ state }) => state === 'failed').length
    const asked = refunds.length - failed
    if (asked > 0) notify.success({ text: t('已请支付渠道重新退款 {{count}} 笔', { count: asked }) })
    if (failed > 0) {
      const text = t('支付渠道仍然没有退成 {{count}} 笔，请稍后再试', { count: failed })
      notify.error({ title: t('退款失败'), text })
    }
    onDone?.()
  })
  return {
    busy: send.isPending,
    retry: (refundIds) => {
      if (send.isPending || refundIds.length === 0) return
      send.mutate({ input: { refundIds: refundIds.slice(0, retryBatchMax) }, idempotencyKey: newIdempotencyKey() })
    },
  }
}
