import { useState } from 'react'
import {
  overviewEndpoints,
  type Overview,
  type OverviewBasis,
  type OverviewDay,
} from '@saddle/contract/reports/overview.ts'
import { addDays, businessDayOf, businessDayStart, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'

const refreshEveryMs = minuteMs

/** Until so many hours of a day have passed they say little: before that, yesterday is shown first. */
const earlyMs = 5 * hourMs

function usualDay(): OverviewDay {
  const nowMs = serverNow()
  return nowMs - businessDayStart(businessDayOf(nowMs)) < earlyMs ? 'yesterday' : 'today'
}

export const dayWords = { today: () => t('今天'), yesterday: () => t('昨天') } as const

/** The day that the person looks at and what it is compared with, and the answer. */
export function useOverview() {
  const [day, setDay] = useState<OverviewDay>(usualDay)
  const [basis, setBasis] = useState<OverviewBasis>('day')
  const query = useEndpoint(
    overviewEndpoints.readOverview,
    { day, basis },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs, quiet: true },
  )
  return { day, setDay, basis, setBasis, query, overview: query.data?.data }
}

type Compared = { readonly day: OverviewDay; readonly basis: OverviewBasis }

/** What an answer is of: while the next one is on its way, the one before it is shown. */
export const comparedIn = ({ until, day, basis }: Overview): Compared => ({
  day: until === null ? 'yesterday' : 'today',
  basis: addDays(day, -1) === basis ? 'day' : 'week',
})

/** What the day is compared with, in words. */
export function basisWords({ day, basis }: Compared): string {
  if (day === 'today') return basis === 'day' ? t('昨天同时段') : t('上周同日同时段')
  return basis === 'day' ? t('前天') : t('上周的同一天')
}
