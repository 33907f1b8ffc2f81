import { t } from '#kit/i18n/index.ts'

interface DocumentPage {
  readonly path: string
  readonly permission: string
}

const listed = (path: string, filter: object): string => `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`

/** Where the document of an entry can be read; null where it has no page of its own. */
export function documentPage(reference: string): DocumentPage | null {
  const [kind = '', number = ''] = reference.split(':')
  const id = Number(number)
  if (!Number.isSafeInteger(id) || id < 1) return null
  switch (kind) {
    case 'service-bill':
      return { path: listed('/financial/billDetails', { id }), permission: 'financial_03' }
    case 'objection':
      return { path: `/financial/objectionBillInfo?id=${id}`, permission: 'financial_04' }
    case 'withdrawal':
      return { path: listed('/financial/CostCenter/withdraw', { id }), permission: 'financial_01' }
    case 'bill':
      return { path: listed('/financial/SplitBill', { id }), permission: 'financial_02' }
    default:
      return null
  }
}

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
