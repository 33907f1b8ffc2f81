import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { stationDaysMax, statisticsEndpoints, type Station } from '@saddle/contract/operations/statistics.ts'
import { Figure } from '#kit/charts/Figure.tsx'
import { LineChart } from '#kit/charts/LineChart.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Areas, One } from '#kit/list/Choices.tsx'
import { DataTable, type Column, type Sort } from '#kit/list/DataTable.tsx'
import { FilterBar, Keyword } from '#kit/list/FilterBar.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { SpanPicker } from '#kit/list/SpanPicker.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { spanOf, type Span } from '#kit/span.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { saveShown } from '../parts/saveShown.ts'
import { share } from './question.ts'
import './statistics.css'

const presets = [1, 3, 7] as const
const pageSize = 50

/** What is looked for among the places; kept by the address. */
const wants = ['empty', 'overfull', 'idle'] as const
type Want = (typeof wants)[number]

/** Parking places by what stands there, what comes and goes, and when they were empty or too full. */
export default function StationsPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const span = spanOf(params, { max: stationDaysMax, usual: 1 })
  const areaIds = (params.get('areas') ?? '')
    .split(',')
    .map(Number)
    .filter((id) => id > 0)
  const keyword = params.get('name') ?? ''
  const want = wants.find((one) => one === params.get('want'))
  const set = (part: Readonly<Record<string, string | undefined>>) =>
    setParams((old) => {
      const next = new URLSearchParams(old)
      for (const [name, value] of Object.entries(part)) {
        if (value === undefined || value === '') next.delete(name)
        else next.set(name, value)
      }
      return next
    })
  const asked = { ...span, ...(areaIds.length > 0 && { areaIds }) }
  const { data, error, refetch } = useEndpoint(statisticsEndpoints.stationFigures, asked, { keepPrevious: true })
  const found = data?.data
  const list = found?.list.filter((row) => row.name.includes(keyword) && isWanted(row, want))
  const chosen = found?.list.find(({ fenceId }) => String(fenceId) === params.get('station'))
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('站点统计')}</h1>
        <SpanPicker span={span} presets={presets} onSpan={({ from, to }) => set({ from, to })} />
      </header>
      <FilterBar
        count={(areaIds.length > 0 ? 1 : 0) + (keyword === '' ? 0 : 1) + (want === undefined ? 0 : 1)}
        onClear={() => set({ areas: undefined, name: undefined, want: undefined })}
      >
        <Keyword label={t('停车点名称')} value={keyword} onChange={(name) => set({ name })} />
        <Areas value={areaIds.length === 0 ? undefined : areaIds} onChange={(ids) => set({ areas: ids?.join(',') })} />
        <One<Want>
          label={t('状况')}
          value={want}
          options={[
            { value: 'empty', label: t('有空置小时') },
            { value: 'overfull', label: t('有超量小时') },
            { value: 'idle', label: t('没有流入流出') },
          ]}
          onChange={(next) => set({ want: next })}
        />
      </FilterBar>
      {found === undefined || list === undefined ? (
        error === null ? (
          <Loading size="page" />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : found.isTooMuch ? (
        <Empty size="page" title={t('这段时间的骑行太多，请缩短时间或选择服务区')} />
      ) : (
        <>
          <Summary list={list} hours={found.hours} />
          {chosen !== undefined && <Hours station={chosen} span={span} onClose={() => set({ station: undefined })} />}
          <Table
            key={JSON.stringify([span, areaIds, keyword, want])}
            list={list}
            span={span}
            onOpen={({ fenceId }) => set({ station: String(fenceId) })}
          />
        </>
      )}
    </div>
  )
}

function isWanted(row: Station, want: Want | undefined): boolean {
  if (want === 'empty') return row.emptyHours > 0
  if (want === 'overfull') return row.overfullHours > 0
  return want === undefined || row.inflow + row.outflow === 0
}

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

interface HoursProps {
  readonly station: Station
  readonly span: Span
  readonly onClose: () => void
}

/** One place, hour by hour. */
function Hours({ station, span, onClose }: HoursProps) {
  const { fenceId, name, capacity } = station
  const { data, error, refetch } = useEndpoint(statisticsEndpoints.stationHours, { fenceId, ...span })
  const hours = data?.data.hours
  const labels = (hours ?? []).map(({ at }) => dateTime(at).slice(5, 16))
  const words = capacity === null ? t('没有设定容量') : t('容量 {{count}}', { count: capacity })
  return (
    <section className="page-card" aria-label={name}>
      <header className="work-head">
        <h2>{name}</h2>
        <span className="work-chip">{words}</span>
        <ButtonLink to={`/vehicle/operation-map?view=${station.lng.toFixed(5)},${station.lat.toFixed(5)},17`}>
          {t('在地图上查看')}
        </ButtonLink>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </header>
      {hours === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <div className="work-curves">
          <LineChart
            title={t('停放')}
            unit={` ${t('辆')}`}
            min={0}
            labels={labels}
            values={hours.map(({ stock }) => stock)}
          />
          <LineChart
            title={t('流入')}
            unit={` ${t('次')}`}
            min={0}
            labels={labels}
            values={hours.map(({ inflow }) => inflow)}
          />
          <LineChart
            title={t('流出')}
            unit={` ${t('次')}`}
            min={0}
            labels={labels}
            values={hours.map(({ outflow }) => outflow)}
          />
        </div>
      )}
    </section>
  )
}

interface NumberColumn extends Column<Station> {
  readonly value: (row: Station) => number
}

const number = (key: string, title: string, value: (row: Station) => number): NumberColumn => ({
  key,
  title,
  value,
  numeric: true,
  sortable: true,
  render: (row) => String(value(row)),
})

interface TableProps {
  readonly list: readonly Station[]
  readonly span: Span
  readonly onOpen: (row: Station) => void
}

function Table({ list, span, onOpen }: TableProps) {
  const [sort, setSort] = useState<Sort>({ by: 'outflow', direction: 'desc' })
  const [page, setPage] = useState(0)
  const numbers = [
    number('stock', t('时段末停放'), (row) => row.stock),
    number('inflow', t('流入'), (row) => row.inflow),
    number('outflow', t('流出'), (row) => row.outflow),
    number('net', t('净流入'), (row) => row.inflow - row.outflow),
    number('empty', t('空置小时'), (row) => row.emptyHours),
    number('overfull', t('超量小时'), (row) => row.overfullHours),
  ]
  const by = numbers.find(({ key }) => key === sort.by)
  const way = sort.direction === 'asc' ? 1 : -1
  const sorted = list.toSorted((a, b) => way * ((by?.value(a) ?? 0) - (by?.value(b) ?? 0)) || a.fenceId - b.fenceId)
  const head = (row: Station) => (
    <button type="button" className="work-open" onClick={() => onOpen(row)}>
      {row.name}
    </button>
  )
  const save = () =>
    saveShown({
      fileName: `stations-${span.from}-${span.to}.csv`,
      titles: [t('停车点'), t('服务区'), t('容量'), ...numbers.map(({ title }) => title)],
      rows: sorted.map((row) => [row.name, row.areaName, row.capacity, ...numbers.map(({ value }) => value(row))]),
    })
  return (
    <section className="page-card">
      <header className="work-head">
        <h2>{t('停车点')}</h2>
        <Button onClick={save}>{t('导出')}</Button>
      </header>
      <DataTable<Station>
        label={t('停车点')}
        columns={[
          { key: 'name', title: t('停车点'), inHead: true, render: head },
          { key: 'area', title: t('服务区'), render: (row) => row.areaName },
          { key: 'capacity', title: t('容量'), numeric: true, render: (row) => row.capacity ?? '--' },
          ...numbers,
        ]}
        rows={sorted.slice(page * pageSize, (page + 1) * pageSize)}
        rowKey={(row) => row.fenceId}
        sort={sort}
        onSort={setSort}
        onOpen={onOpen}
        cardHead={head}
        empty={<Empty title={t('没有符合条件的停车点')} />}
      />
      <Pager
        page={page}
        hasNext={(page + 1) * pageSize < sorted.length}
        count={sorted.length}
        busy={false}
        onPrevious={() => setPage(page - 1)}
        onNext={() => setPage(page + 1)}
      />
    </section>
  )
}
