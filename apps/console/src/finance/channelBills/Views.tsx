import type { ReactNode } from 'react'
import { channelBillEndpoints } from '@saddle/contract/finance/channelBills.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ViewSegments } from '#kit/plain/ViewSegments.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import './channelBills.css'

const path = '/financial/ChannelBills'
const refreshEveryMs = 60_000
const waiting = { filter: { states: ['open' as const, 'proposed' as const] } }

type View = 'days' | 'differences'

/** The two lists of the page, and how much waits for somebody. */
export function Views({ view }: { view: View }): ReactNode {
  const { data } = useEndpoint(channelBillEndpoints.sumChannelDifferences, waiting, {
    quiet: true,
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const rows = data?.data.rows ?? 0
  const held = data?.data.sums?.heldCents ?? 0
  return (
    <div className="channel-views">
      <ViewSegments<View>
        path={path}
        label={t('渠道对账')}
        options={[
          { value: 'days', label: t('每日账单') },
          { value: 'differences', label: t('差异') },
        ]}
        value={view}
      />
      {rows > 0 && (
        <Mark tone="warn">{t('{{count}} 笔待处理，暂缓结算 {{yuan}} 元', { count: rows, yuan: money(held) })}</Mark>
      )}
    </div>
  )
}
