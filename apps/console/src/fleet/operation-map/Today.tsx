import type { ReactNode } from 'react'
import { analysisEndpoints } from '@saddle/contract/fleet/analysis.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'

const refreshEveryMs = 30_000

/** The day so far in six figures. */
export function Today(): ReactNode {
  const { data } = useEndpoint(
    analysisEndpoints.todayCounters,
    {},
    { refetchIntervalMs: refreshEveryMs, keepPrevious: true, quiet: true },
  )
  const today = data?.data
  const figures: readonly (readonly [string, number | undefined])[] = [
    [t('今日行程'), today?.trips],
    [t('骑行中'), today?.riding],
    [t('里程 km'), today === undefined ? undefined : Math.round(today.distanceM / 1000)],
    [t('新告警'), today?.alarmsOpened],
    [t('待办任务'), today?.tasksOpen],
    [t('完成任务', { context: 'count' }), today?.tasksDone],
  ]
  return (
    <dl className="om-today" aria-label={t('今日数据')}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value === undefined ? '--' : number(value)}</dd>
        </div>
      ))}
    </dl>
  )
}
