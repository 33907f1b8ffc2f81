import type { ReactNode } from 'react'
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
import { Figure } from '#kit/charts/Figure.tsx'
import { t } from '#kit/i18n/index.ts'
import { areas, keyword, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { SpanPicker } from '#kit/list/SpanPicker.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useFilters } from '#kit/list/useFilters.ts'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { useEndpoint } from '#kit/query.ts'
import { share } from './question.ts'
import { StationPanel } from './StationPanel.tsx'
import { useSpan } from './StatisticsFrame.tsx'
import './statistics.css'

type Row = Station & { readonly netInflow: number }

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
  const rows = found?.list
    .filter((row) => row.name.includes(name) && hasTrouble(row, trouble))
    .map((row) => Object.assign({ netInflow: row.inflow - row.outflow }, row))
  const held = useHeldList(stations, {
    rows,
    error,
    retry: () => void refetch(),
    fileName: `stations-${span.from}-${span.to}`,
  })
  const { filter, conditions, change, clear } = filters
  const list = { ...held, declaration: { ...held.declaration, usual: {} }, filter, conditions, change, clear }
  const isTooMuch = found?.isTooMuch === true
  return (
    <ListPage
      list={list}
      title={t('站点统计')}
      actions={<SpanPicker span={span} presets={presets} onSpan={setSpan} />}
      above={rows !== undefined && !isTooMuch && <Summary list={rows} hours={found?.hours ?? 0} />}
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
  'inflow',
  'outflow',
  { key: 'netInflow', render: ({ netInflow }) => (netInflow > 0 ? `+${netInflow}` : String(netInflow)) },
  'emptyHours',
  {
    key: 'overfullHours',
    render: ({ overfullHours }) => <span data-tone={overfullHours > 0 ? 'bad' : undefined}>{overfullHours}</span>,
  },
]

function Summary({ list, hours }: { readonly list: readonly Station[]; readonly hours: number }) {
  const sum = (value: (row: Station) => number): number => list.reduce((total, row) => total + value(row), 0)
  const all = hours * list.length
  const empty = sum((row) => row.emptyHours)
  const overfull = sum((row) => row.overfullHours)
  return (
    <div className="figures">
      <Figure label={t('停车点')} value={list.length} note={t('按 {{count}} 个整点计', { count: hours })} />
      <Figure label={t('时段末停放')} value={sum((row) => row.stock)} unit={t('辆')} />
      <Figure label={t('流入')} value={sum((row) => row.inflow)} unit={t('次')} />
      <Figure label={t('流出')} value={sum((row) => row.outflow)} unit={t('次')} />
      <Figure label={t('空置小时')} value={empty} note={t('占 {{share}}%', { share: share(empty, all) })} />
      <Figure label={t('超量小时')} value={overfull} note={t('占 {{share}}%', { share: share(overfull, all) })} />
    </div>
  )
}
