import { channelRefundEndpoints, retryBatchMax } from '@saddle/contract/finance/refunds.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { staleMoney } from '../stale.ts'

/** Asks the channels once more for refunds that failed, and says what became of them. */
export function useRetry(onDone?: () => void): {
  readonly retry: (refundIds: readonly number[]) => void
  readonly isBusy: boolean
} {
  const { send, isBusy } = useAction(channelRefundEndpoints.retryRefunds, {
    stale: staleMoney,
    done: ({ data: { refunds } }) => {
      const failed = refunds.filter(({ state }) => state === 'failed').length
      const asked = refunds.length - failed
      if (failed > 0) {
        const text = t('支付渠道仍然没有退成 {{count}} 笔，请稍后再试', { count: failed })
        notify.error({ title: t('退款失败'), text })
      }
      return asked > 0 ? t('已请支付渠道重新退款 {{count}} 笔', { count: asked }) : null
    },
    onDone: () => onDone?.(),
  })
  return {
    isBusy,
    retry: (refundIds) => {
      if (refundIds.length > 0) send({ refundIds: refundIds.slice(0, retryBatchMax) })
    },
  }
}
