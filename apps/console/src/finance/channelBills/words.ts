import type { ChannelDifference, DifferenceResolution } from '@saddle/contract/finance/channelBills.ts'
import { t } from '#kit/i18n/index.ts'

/** What a difference means, in a sentence. */
export function explain({ kind, isRefund, state, billStatus }: ChannelDifference): string {
  if (kind === 'long') {
    return isRefund
      ? t('账单有这笔退款，平台没有：渠道付出了平台不知道的钱。')
      : t('账单有这笔支付，平台没有：渠道收到了平台不知道的钱。')
  }
  if (kind === 'short') {
    return isRefund
      ? t('平台有这笔退款，账单没有。')
      : t('平台有这笔支付，账单没有：钱可能没有到账，结算时暂缓这笔金额。')
  }
  if (kind === 'amount') return t('双方都有，金额不同。')
  if (kind === 'cross_day') {
    return state === 'cleared'
      ? t('双方都有，记在相邻的两天；两天的账单都已核对，自动平账。')
      : t('双方都有，记在相邻的两天；另一天的账单核对后自动平账。')
  }
  return billStatus === 'success' && !isRefund
    ? t('账单为成功，平台还在等渠道的通知，可以补单。')
    : t('双方都有，状态不同。')
}

/** What happens with the money when a way of resolving is confirmed. */
export function effectOf(resolution: DifferenceResolution): string {
  const effects: Readonly<Record<DifferenceResolution, string>> = {
    book: t('按渠道通知入账：等同于收到了丢失的通知。'),
    refund: t('请渠道把这笔钱退给付款人，退款出现在之后的账单时自动结清。'),
    adjust: t('按账单调整渠道清算账户，差额记入加盟商的调账科目。'),
    suspend: t('差额记入挂账科目，查清后再调账或核销；暂缓的结算不放行。'),
    write_off: t('不再追查，差额记入核销科目；没有差额时只结束这笔差异。'),
  }
  return effects[resolution]
}
