import { financialAccountEndpoints, type PaymentPasswordCallType } from '@saddle/contract/finance/account.ts'
import { call, isApiError } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { isWebAddress } from './payment.ts'

/**
 * Opens the bank's page for the payment password in a new tab; on failure shows why. The tab is opened at once,
 * because a browser blocks one that opens after an answer; it knows nothing of this page.
 */
export async function openPaymentPassword(callType: PaymentPasswordCallType): Promise<void> {
  const tab = window.open('about:blank', '_blank')
  if (tab !== null) tab.opener = null
  try {
    const answer = await call(financialAccountEndpoints.paymentPasswordLink, { callType }, { quiet: true })
    if (!answer.success) return fail(tab, answer.msg)
    const { redirectUrl } = answer.data
    if (!isWebAddress(redirectUrl)) return fail(tab, '支付密码服务尚未配置，请联系平台管理员')
    if (tab === null) window.open(redirectUrl, '_blank', 'noopener,noreferrer')
    else tab.location.href = redirectUrl
  } catch (error) {
    fail(tab, isApiError(error) ? error.promot : '网络出现问题，请稍后再试')
  }
}

function fail(tab: Window | null, text: string): void {
  tab?.close()
  notify.error({ title: t('错误'), text: t(text) })
}
