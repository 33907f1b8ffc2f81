import { useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { batteryBands, idleBands, statisticsEndpoints, type CarSum } from '@saddle/contract/operations/statistics.ts'
import type { VehicleFilter } from '@saddle/contract/fleet/search.ts'
import { vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { Bars } from '#kit/charts/Bars.tsx'
import { Figure } from '#kit/charts/Figure.tsx'
import { versus } from '#kit/charts/versus.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Areas } from '#kit/list/Choices.tsx'
import { DataTable, type Column, type Sort } from '#kit/list/DataTable.tsx'
import { FilterBar } from '#kit/list/FilterBar.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { saveShown } from '../parts/saveShown.ts'
import { share } from './question.ts'
import './statistics.css'

type Cars = AnswerOf<typeof statisticsEndpoints.carFigures>['data']
type Named = CarSum & { readonly name: string; readonly areaId?: number }

const refreshEveryMs = minuteMs

/** The fleet as it stands now: by state, model, battery, idleness and area. */
export default function CarsPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const areaIds = idsOf(params.get('areas'))
  const { data, error, refetch } = useEndpoint(
    statisticsEndpoints.carFigures,
    { ...(areaIds !== undefined && { areaIds: [...areaIds] }) },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const cars = data?.data
  const choose = (ids: readonly number[] | undefined) => setParams(ids === undefined ? {} : { areas: ids.join(',') })
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('车辆信息统计')}</h1>
        {cars !== undefined && <span className="list-count">{t('截至 {{at}}', { at: dateTime(cars.at) })}</span>}
      </header>
      <FilterBar count={areaIds === undefined ? 0 : 1} onClear={() => choose(undefined)}>
        <Areas value={areaIds} onChange={choose} />
      </FilterBar>
      {cars === undefined ? (
        error === null ? (
          <Loading size="page" />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : cars.total.vehicles === 0 ? (
        <Empty size="page" title={t('所选范围内没有车辆')} />
      ) : (
        <Whole cars={cars} areaIds={areaIds} />
      )}
    </div>
  )
}

function idsOf(text: string | null): readonly number[] | undefined {
  const ids = (text ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)
  return ids.length === 0 ? undefined : ids
}

function Whole({ cars, areaIds }: { readonly cars: Cars; readonly areaIds: readonly number[] | undefined }) {
  const { total, yesterday, lastWeek } = cars
  const link = (filter: VehicleFilter) =>
    vehiclesLink({ ...filter, ...(areaIds !== undefined && { areaIds: [...areaIds] }) })
  const was = (text: string, value: number | undefined) =>
    value === undefined ? t('{{day}}没有数据', { day: text }) : t('{{day}} {{count}}', { day: text, count: value })
  return (
    <>
      <div className="figures">
        <Figure
          label={t('车辆')}
          value={total.vehicles}
          note={`${was(t('昨天'), yesterday?.vehicles)} · ${was(t('上周同日'), lastWeek?.vehicles)}`}
          to={link({})}
        />
        <Figure
          label={t('可用')}
          value={total.available}
          note={shareNote(total.available, total)}
          to={link({ states: ['available'] })}
        />
        <Figure
          label={t('骑行中')}
          value={total.onTrip}
          note={shareNote(total.onTrip, total)}
          to={link({ states: ['on_trip'] })}
        />
        <Figure
          label={t('低电量')}
          value={total.lowBattery}
          {...versus(total.lowBattery, yesterday?.lowBattery, true)}
          to={link({ batteryTo: batteryBands[2] })}
        />
        <Figure
          label={t('离线或失联')}
          value={total.offline}
          note={shareNote(total.offline, total)}
          to={link({ states: ['non_contactable', 'missing'] })}
        />
        <Figure
          label={t('停用', { context: 'vehicles' })}
          value={total.outOfService}
          note={shareNote(total.outOfService, total)}
          to={link({ states: ['non_operational'] })}
        />
        <Figure
          label={t('闲置一天以上')}
          value={total.idle}
          note={shareNote(total.idle, total)}
          to={link({ idleHoursFrom: 24 })}
        />
        <Figure
          label={t('有未完成任务')}
          value={total.inTask}
          note={shareNote(total.inTask, total)}
          to={link({ tasks: [] })}
        />
      </div>
      <div className="work-findings">
        <section className="page-card">
          <h2>{t('按状态')}</h2>
          <Bars
            label={t('按状态')}
            bars={cars.states.map(({ state, count }) => ({
              key: state,
              label: t(vehicleStateLabels[state]),
              value: count,
              text: `${count} · ${share(count, total.vehicles)}%`,
              to: link({ states: [state] }),
            }))}
          />
        </section>
        <section className="page-card">
          <h2>{t('按电量')}</h2>
          <Bars
            label={t('按电量')}
            bars={cars.battery.map((count, index) => {
              const [from, to] = [batteryBands[index] ?? 0, batteryBands[index + 1] ?? 100]
              return {
                key: String(from),
                label: `${from} – ${to}%`,
                value: count,
                text: `${count} · ${share(count, total.vehicles)}%`,
                to: link({ batteryFrom: from, batteryTo: to }),
                ...(to <= 20 && { tone: 'warn' as const }),
              }
            })}
          />
        </section>
        <section className="page-card">
          <h2>{t('按闲置时长')}</h2>
          <Bars
            label={t('按闲置时长')}
            bars={cars.idle.map((count, index) => {
              const [from, to] = [idleBands[index] ?? 0, idleBands[index + 1]]
              return {
                key: String(from),
                label:
                  to === undefined
                    ? t('{{count}} 小时以上', { count: from })
                    : t('{{from}} – {{to}} 小时', { from, to }),
                value: count,
                text: `${count} · ${share(count, total.vehicles)}%`,
                to: link({ idleHoursFrom: from }),
              }
            })}
          />
        </section>
      </div>
      <Table title={t('按车型')} rows={cars.models} to={({ name }) => link({ models: [name] })} />
      <Table
        title={t('按服务区')}
        rows={cars.areas}
        to={({ areaId }) => (areaId === undefined ? link({}) : `?areas=${areaId}`)}
      />
    </>
  )
}

const vehiclesLink = (filter: VehicleFilter): string =>
  `/vehicle/vehicle-query?${new URLSearchParams({ filter: JSON.stringify(filter) })}`

const shareNote = (count: number, total: CarSum): string => t('占 {{share}}%', { share: share(count, total.vehicles) })

interface NumberColumn extends Column<Named> {
  readonly value: (row: Named) => number
}

const number = (
  key: string,
  title: string,
  value: (row: Named) => number,
  digits = 0,
  unit?: string,
): NumberColumn => ({
  key,
  title,
  value,
  numeric: true,
  sortable: true,
  ...(unit !== undefined && { unit }),
  render: (row) => value(row).toFixed(digits),
})

interface TableProps {
  readonly title: string
  readonly rows: readonly Named[]
  readonly to: (row: Named) => string
}

function Table({ title, rows, to }: TableProps) {
  const [sort, setSort] = useState<Sort>({ by: 'vehicles', direction: 'desc' })
  const numbers = [
    number('vehicles', t('车辆'), (row) => row.vehicles),
    number('available', t('可用'), (row) => row.available),
    number('onTrip', t('骑行中'), (row) => row.onTrip),
    number('low', t('低电量'), (row) => row.lowBattery),
    number('offline', t('离线或失联'), (row) => row.offline),
    number('out', t('停用', { context: 'vehicles' }), (row) => row.outOfService),
    number('idle', t('闲置一天以上'), (row) => row.idle),
    number('inTask', t('有未完成任务'), (row) => row.inTask),
    number('battery', t('平均电量'), (row) => row.batteryPercent ?? 0, 1, '%'),
  ]
  const by = numbers.find(({ key }) => key === sort.by)
  const way = sort.direction === 'asc' ? 1 : -1
  const sorted = rows.toSorted((a, b) => way * ((by?.value(a) ?? 0) - (by?.value(b) ?? 0)))
  const head = (row: Named) => <Link to={to(row)}>{row.name}</Link>
  const save = () =>
    saveShown({
      fileName: `cars-${title}.csv`,
      titles: [t('名称'), ...numbers.map((column) => column.title)],
      rows: sorted.map((row) => [row.name, ...numbers.map(({ value }) => Math.round(value(row) * 10) / 10)]),
    })
  return (
    <section className="page-card">
      <header className="work-head">
        <h2>{title}</h2>
        <Button onClick={save}>{t('导出')}</Button>
      </header>
      <DataTable<Named>
        label={title}
        columns={[{ key: 'name', title: t('名称'), inHead: true, render: head }, ...numbers]}
        rows={sorted}
        rowKey={(row) => row.areaId ?? row.name}
        sort={sort}
        onSort={setSort}
        cardHead={head}
      />
    </section>
  )
}
