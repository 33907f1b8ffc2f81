import { t } from '#kit/i18n/index.ts'

/** What an entry is about, in words; the ledger's own reference where this page knows no word for it. */
export function documentText(reference: string): string {
  const [kind = '', number = ''] = reference.split(':')
  if (kind === 'service-bill') return t('服务账单 {{number}}', { number })
  if (kind === 'charge-note') return t('充值单 {{number}}', { number })
  if (kind === 'objection') return t('账单异议 {{number}}', { number })
  if (kind === 'withdrawal') return t('提现单 {{number}}', { number })
  if (kind === 'split-day') return t('{{day}} 日结收入', { day: number })
  if (kind === 'bill') return t('分账账单 {{number}}', { number })
  if (kind === 'channel-difference') return t('渠道差异 {{number}}', { number })
  return reference
}
