import { lazy, Suspense, useState, type ReactNode } from 'react'
import { rebalancingEndpoints } from '@saddle/contract/operations/rebalancing.ts'
import { LineChart } from '#kit/charts/LineChart.tsx'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { readTable } from '#kit/list/shownTable.ts'
import { hourWords, weekdayWords } from './words.ts'

const DemandMap = lazy(() => loadChunk(async () => ({ default: (await import('./TownMap.tsx')).DemandMap })))

/** Who will want a vehicle where, by the hour of the week, and where some found none. */
export function DemandPanel({ areaId }: { readonly areaId: number }): ReactNode {
  const [asked, setHour] = useState<number | undefined>(undefined)
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    rebalancingEndpoints.demandCells,
    { areaId, ...(asked !== undefined && { hour: asked }) },
    { keepPrevious: true, staleMs: 300_000 },
  )
  const shown = data?.data
  if (shown === undefined)
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const { hour, cells, week, weeks } = shown
  const day = Math.floor(hour / 24)
  const labels = week.map((_, at) => hourWords(at))
  const now = week[hour]
  const table = () => ({
    titles: [t('六边形'), t('预计用车(次/小时)'), t('预计到达(辆/小时)'), t('找不到车(次/小时)')],
    rows: cells.map(({ cell, wanted, arrived, unmet }) => [
      cell,
      Number(wanted.toFixed(2)),
      Number(arrived.toFixed(2)),
      Number(unmet.toFixed(2)),
    ]),
  })
  return (
    <div className="rebalancing" aria-busy={isPlaceholderData}>
      <section className="page-card rebalancing-map">
        {cells.length === 0 ? (
          <Empty title={t('这个小时没有可预计的用车')} />
        ) : (
          <Suspense fallback={<Loading />}>
            <DemandMap cells={cells} />
          </Suspense>
        )}
      </section>
      <section className="page-card rebalancing-side" aria-label={t('用车需求')}>
        <div className="work-bar">
          <One
            label={t('星期')}
            value={day}
            options={weekdayWords().map((label, value) => ({ value, label }))}
            onChange={(next) => next !== undefined && setHour(next * 24 + (hour % 24))}
          />
          <label className="rebalancing-hour">
            <span>{hourWords(hour)}</span>
            <input
              type="range"
              min={0}
              max={23}
              value={hour % 24}
              aria-label={t('小时')}
              onChange={(event) => setHour(day * 24 + Number(event.target.value))}
            />
          </label>
          <ExportButton onExport={(at) => readTable('demand', table())(at)} />
        </div>
        <dl className="rebalancing-figures">
          <Figure title={t('预计用车')} value={now?.wanted ?? 0} unit={t('次/小时')} />
          <Figure title={t('预计到达')} value={now?.arrived ?? 0} unit={t('辆/小时')} />
          <Figure title={t('找不到车')} value={now?.unmet ?? 0} unit={t('次/小时')} isBad={(now?.unmet ?? 0) > 0} />
        </dl>
        <LineChart
          title={t('一周用车')}
          unit={` ${t('次/小时')}`}
          digits={1}
          labels={labels}
          values={week.map(({ wanted }) => wanted)}
        />
        <LineChart
          title={t('一周找不到车')}
          unit={` ${t('次/小时')}`}
          digits={1}
          labels={labels}
          values={week.map(({ unmet }) => unmet)}
        />
        <p className="work-note">
          {weeks < 1
            ? t('只有 {{days}} 天的骑行，预计仅供参考。', { days: Math.round(weeks * 7) })
            : t('由过去 {{weeks}} 周的骑行与未满足的找车估计；红色六边形里有人找不到车。', { weeks: weeks.toFixed(1) })}
        </p>
      </section>
    </div>
  )
}

interface FigureProps {
  readonly title: string
  readonly value: number
  readonly unit: string
  readonly isBad?: boolean
}

function Figure({ title, value, unit, isBad = false }: FigureProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd className={isBad ? 'work-late' : undefined}>
        {value.toFixed(1)} <small>{unit}</small>
      </dd>
    </div>
  )
}
