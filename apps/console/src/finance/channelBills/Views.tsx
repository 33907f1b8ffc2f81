import type { ReactNode } from 'react'
import { channelBillEndpoints } from '@saddle/contract/finance/channelBills.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import './channelBills.css'

const path = '/financial/ChannelBills'
const refreshEveryMs = 60_000
const waiting = { filter: { states: ['open' as const, 'proposed' as const] } }

/** The two lists of the page, and how much waits for somebody. */
export function Views({ view }: { view: 'days' | 'differences' }): ReactNode {
  const { data } = useEndpoint(channelBillEndpoints.sumChannelDifferences, waiting, {
    quiet: true,
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const rows = data?.data.rows ?? 0
  const held = data?.data.sums?.heldCents ?? 0
  return (
    <nav className="form-choices channel-views" aria-label={t('渠道对账')}>
      <ButtonLink to={path} aria-current={view === 'days' ? 'page' : undefined} look={lookOf(view === 'days')}>
        {t('每日账单')}
      </ButtonLink>
      <ButtonLink
        to={`${path}?view=differences`}
        aria-current={view === 'differences' ? 'page' : undefined}
        look={lookOf(view === 'differences')}
      >
        {t('差异')}
      </ButtonLink>
      {rows > 0 && (
        <Mark tone="warn">{t('{{count}} 笔待处理，暂缓结算 {{yuan}} 元', { count: rows, yuan: money(held) })}</Mark>
      )}
    </nav>
  )
}

const lookOf = (isCurrent: boolean) => (isCurrent ? ('primary' as const) : ('outline' as const))
