import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { emptyText } from '@saddle/contract/constants.ts'
import {
  stationDaysMax,
  stationFields,
  stationNarrowSchema,
  stationStatisticsEndpoints,
  stationTroubleLabels,
  type Station,
  type StationNarrow,
  type StationTrouble,
} from '@saddle/contract/operations/statistics/stations.ts'
import { addDays, businessDayStart } from '@saddle/contract/time.ts'
import { Figure } from '#kit/charts/Figure.tsx'
import { Sparkline } from '#kit/charts/Sparkline.tsx'
import { loadChunk } from '#kit/chunk.tsx'
import { number } from '#kit/format.ts'
import { PanelContext } from '#kit/list/DetailPanel.tsx'
import { Loading } from '#kit/ui/states.tsx'
import { t } from '#kit/i18n/index.ts'
import { areas, keyword, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { SpanPicker } from '#kit/list/SpanPicker.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useFilters } from '#kit/list/useFilters.ts'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { useEndpoint } from '#kit/query.ts'
import type { Span } from '#kit/span.ts'
import { share } from './question.ts'
import { StationPanel } from './StationPanel.tsx'
import { useSpan } from './StatisticsFrame.tsx'
import './statistics.css'

const StationMap = lazy(() => loadChunk(() => import('./StationMap.tsx')))

type Row = Station & {
  readonly netInflow: number
  /** Null: the place had no figures a week before. */
  readonly outflowChange: number | null
}

const presets = [1, 3, 7] as const
const numbers = ['stock', 'inflow', 'outflow', 'netInflow', 'emptyHours', 'overfullHours'] as const

const stations = heldListOf<Row>({
  name: 'stations',
  fields: stationFields,
  sorts: {
    outflow: ['desc', (row) => row.outflow],
    name: ['asc', (row) => row.name],
    areaName: ['asc', (row) => row.areaName],
    capacity: ['desc', (row) => row.capacity],
    outflowChange: ['asc', (row) => row.outflowChange],
    ...Object.fromEntries(numbers.map((key) => [key, ['desc', (row: Row) => row[key]] as const])),
  },
  rowKey: ({ fenceId }) => fenceId,
})

/** Parking places by what stands there, what comes and goes, and when they were empty or too full. */
export default function StationsPage(): ReactNode {
  const [span, setSpan] = useSpan({ max: stationDaysMax, usual: 1 })
  const filters = useFilters<StationNarrow>(stationNarrowSchema)
  const { areaIds, name = '', trouble } = filters.filter
  const { data, error, refetch } = useEndpoint(
    stationStatisticsEndpoints.stationFigures,
    { filter: { ...span, ...(areaIds !== undefined && { areaIds }) } },
    { keepPrevious: true },
  )
  const found = data?.data
  const before = useWeekBefore(span, areaIds, found?.hours ?? 0)
  const [shown, setShown] = useState<number | null>(null)
  const rows = found?.list
    .filter((row) => row.name.includes(name) && hasTrouble(row, trouble))
    .map((row): Row => {
      const then = before?.get(row.fenceId)
      return Object.assign(
        { netInflow: row.inflow - row.outflow, outflowChange: then === undefined ? null : row.outflow - then.outflow },
        row,
      )
    })
  const held = useHeldList(stations, {
    rows,
    error,
    retry: () => void refetch(),
    fileName: `stations-${span.from}-${span.to}`,
  })
  const { filter, conditions, change, clear } = filters
  const list = { ...held, declaration: { ...held.declaration, usual: {} }, filter, conditions, change, clear }
  const isTooMuch = found?.isTooMuch === true
  const picked = rows?.find(({ fenceId }) => fenceId === shown)
  return (
    <>
      <ListPage
        list={list}
        title={t('站点统计')}
        actions={<SpanPicker span={span} presets={presets} onSpan={setSpan} />}
        above={
          rows !== undefined &&
          !isTooMuch && (
            <>
              <Summary list={rows} before={before} hours={found?.hours ?? 0} />
              {rows.length > 0 && found !== undefined && found.hours > 0 && (
                <Suspense fallback={<Loading />}>
                  <StationMap list={rows} start={businessDayStart(span.from)} onShow={setShown} />
                </Suspense>
              )}
            </>
          )
        }
        filters={[
          keyword<StationNarrow>(t('停车点名称'), 'name'),
          areas<StationNarrow>('areaIds'),
          one<StationNarrow>('trouble', t('状况'), stationTroubleLabels),
        ]}
        columns={columns}
        rowName={(row) => row.name}
        empty={isTooMuch ? t('这段时间的骑行太多，请缩短时间或选择服务区') : t('没有停车点')}
        renderPanel={(row) => <StationPanel key={row.fenceId} station={row} span={span} />}
      />
      {picked !== undefined && (
        <PanelContext
          value={{ close: () => setShown(null), previous: null, next: null, takesFocus: true, isOver: true }}
        >
          <StationPanel key={picked.fenceId} station={picked} span={span} />
        </PanelContext>
      )}
    </>
  )
}

function hasTrouble(row: Station, trouble: StationTrouble | undefined): boolean {
  if (trouble === 'empty') return row.emptyHours > 0
  if (trouble === 'overfull') return row.overfullHours > 0
  return trouble === undefined || row.inflow + row.outflow === 0
}

const columns = (): readonly ColumnSpec<Row>[] => [
  { key: 'name', card: 'head' },
  'areaName',
  { key: 'capacity', card: 'none' },
  {
    key: 'stock',
    render: ({ stock, capacity }) => (
      <span data-tone={capacity !== null && stock > capacity ? 'bad' : undefined}>{stock}</span>
    ),
  },
  {
    key: 'stocks',
    title: t('每小时停放'),
    card: 'wide',
    render: ({ stocks, capacity, name }) => (
      <Sparkline label={t('{{name}}每小时停放', { name })} values={stocks} limit={capacity} />
    ),
  },
  'inflow',
  'outflow',
  {
    key: 'outflowChange',
    render: ({ outflowChange }) => (outflowChange === null ? emptyText : signed(outflowChange)),
  },
  { key: 'netInflow', render: ({ netInflow }) => signed(netInflow) },
  'emptyHours',
  {
    key: 'overfullHours',
    render: ({ overfullHours }) => <span data-tone={overfullHours > 0 ? 'bad' : undefined}>{overfullHours}</span>,
  },
]

const signed = (value: number): string => (value > 0 ? `+${number(value)}` : number(value))

/** The same hours a week before, by place; read after the figures themselves. */
function useWeekBefore(span: Span, areaIds: readonly number[] | undefined, hours: number) {
  const { data } = useEndpoint(
    stationStatisticsEndpoints.stationFigures,
    {
      filter: {
        from: addDays(span.from, -7),
        to: addDays(span.to, -7),
        hours: Math.max(1, hours),
        ...(areaIds !== undefined && { areaIds: [...areaIds] }),
      },
    },
    { enabled: hours > 0, quiet: true },
  )
  const list = data?.data.list
  return useMemo(() => (list === undefined ? null : new Map(list.map((row) => [row.fenceId, row]))), [list])
}

interface SummaryProps {
  readonly list: readonly Station[]
  readonly before: ReadonlyMap<number, Station> | null
  readonly hours: number
}

function Summary({ list, before, hours }: SummaryProps) {
  const sum = (value: (row: Station) => number): number => list.reduce((total, row) => total + value(row), 0)
  const all = hours * list.length
  const empty = sum((row) => row.emptyHours)
  const overfull = sum((row) => row.overfullHours)
  const then = (value: (row: Station) => number) => {
    if (before === null || before.size === 0) return {}
    const count = list.reduce((total, { fenceId }) => {
      const row = before.get(fenceId)
      return row === undefined ? total : total + value(row)
    }, 0)
    return { note: t('上周同期 {{count}}', { count: number(count) }) }
  }
  return (
    <div className="figures">
      <Figure
        label={t('停车点', { context: 'count' })}
        value={list.length}
        note={t('按 {{count}} 个整点计', { count: hours })}
      />
      <Figure label={t('时段末停放')} value={sum((row) => row.stock)} unit={t('辆')} />
      <Figure label={t('流入')} value={sum((row) => row.inflow)} unit={t('次')} {...then((row) => row.inflow)} />
      <Figure label={t('流出')} value={sum((row) => row.outflow)} unit={t('次')} {...then((row) => row.outflow)} />
      <Figure label={t('空置小时')} value={empty} note={t('占 {{share}}%', { share: share(empty, all) })} />
      <Figure label={t('超量小时')} value={overfull} note={t('占 {{share}}%', { share: share(overfull, all) })} />
    </div>
  )
}
