import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  batteryBands,
  idleBands,
  vehicleGroupFields,
  vehicleStatisticsEndpoints,
  vehicleStatisticsFilterSchema,
  type VehicleGroup,
  type VehicleSum,
} from '@saddle/contract/operations/statistics/vehicles.ts'
import type { VehicleFilter } from '@saddle/contract/fleet/search.ts'
import { vehicleStateLabels, vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { Bars } from '#kit/charts/Bars.tsx'
import { batteryTone, lowNote } from '#kit/charts/batteryBar.ts'
import { Figure } from '#kit/charts/Figure.tsx'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { areas } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useFilters } from '#kit/list/useFilters.ts'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { share } from './question.ts'
import { StatisticsFrame } from './StatisticsFrame.tsx'

type Vehicles = AnswerOf<typeof vehicleStatisticsEndpoints.vehicleFigures>['data']

const refreshEveryMs = minuteMs

/** The fleet as it stands now: by state, model, battery, idleness and area. */
export default function VehiclesPage(): ReactNode {
  const filters = useFilters(vehicleStatisticsFilterSchema)
  const { filter } = filters
  const reading = useEndpoint(
    vehicleStatisticsEndpoints.vehicleFigures,
    { filter },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const vehicles = reading.data?.data
  return (
    <StatisticsFrame
      title={t('车辆信息统计')}
      head={
        vehicles !== undefined && <span className="work-hint">{t('截至 {{at}}', { at: dateTime(vehicles.at) })}</span>
      }
      list={filters}
      filters={[areas('areaIds')]}
      reading={reading}
      empty={vehicles?.total.vehicles === 0 ? <Empty size="page" title={t('所选范围内没有车辆')} /> : null}
    >
      {vehicles !== undefined && <Whole vehicles={vehicles} areaIds={filter.areaIds} />}
    </StatisticsFrame>
  )
}

interface WholeProps {
  readonly vehicles: Vehicles
  readonly areaIds: readonly number[] | undefined
}

function Whole({ vehicles, areaIds }: WholeProps) {
  const link = (filter: VehicleFilter) =>
    vehiclesLink({ states: inService, ...filter, ...(areaIds !== undefined && { areaIds: [...areaIds] }) })
  return (
    <>
      <Figures vehicles={vehicles} link={link} />
      <Bands vehicles={vehicles} link={link} />
      <Group title={t('按车型')} rows={vehicles.models} to={({ name }) => link({ models: [name] })} />
      <Group
        title={t('按服务区')}
        rows={vehicles.areas}
        to={({ areaId }) =>
          areaId === undefined ? link({}) : `?filter=${encodeURIComponent(JSON.stringify({ areaIds: [areaId] }))}`
        }
      />
    </>
  )
}

interface PartProps {
  readonly vehicles: Vehicles
  readonly link: (filter: VehicleFilter) => string
}

function Figures({ vehicles: { total, yesterday, lastWeek }, link }: PartProps) {
  const was = (text: string, value: number | undefined) =>
    value === undefined ? t('{{day}}没有数据', { day: text }) : t('{{day}} {{count}}', { day: text, count: value })
  return (
    <div className="figures">
      <Figure
        label={t('车辆数')}
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
        note={`${shareNote(total.lowBattery, total)} · ${was(t('昨天'), yesterday?.lowBattery)}`}
        to={link({ lowBattery: true })}
      />
      <Figure
        label={t('离线')}
        value={total.offline}
        note={shareNote(total.offline, total)}
        to={link({ online: false })}
      />
      <Figure
        label={t('停运')}
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
  )
}

function Bands({ vehicles: { states, battery, batteryLow, idle, total }, link }: PartProps) {
  return (
    <div className="work-findings">
      <section className="page-card">
        <h2>{t('按状态')}</h2>
        <Bars
          label={t('按状态')}
          bars={states.map(({ state, count }) => ({
            key: state,
            label: t(vehicleStateLabels[state]),
            value: count,
            text: `${number(count)} · ${share(count, total.vehicles)}%`,
            to: link({ states: [state] }),
          }))}
        />
      </section>
      <section className="page-card">
        <h2>{t('按电量')}</h2>
        <Bars
          label={t('按电量')}
          bars={battery.map((count, index) => {
            const [from, to] = [batteryBands[index] ?? 0, batteryBands[index + 1] ?? 100]
            const band = { count, low: batteryLow[index] ?? 0 }
            return {
              key: String(from),
              label: `${from} – ${to}%`,
              value: count,
              text: `${number(count)} · ${share(count, total.vehicles)}%${lowNote(band)}`,
              to: link({ batteryFrom: from, batteryTo: to === 100 ? to : to - 0.01 }),
              ...batteryTone(band),
            }
          })}
        />
      </section>
      <section className="page-card">
        <h2>{t('按闲置时长')}</h2>
        <Bars
          label={t('按闲置时长')}
          bars={idle.map((count, index) => {
            const [from, to] = [idleBands[index] ?? 0, idleBands[index + 1]]
            return {
              key: String(from),
              label: idleWord(from, to),
              value: count,
              text: `${number(count)} · ${share(count, total.vehicles)}%`,
              to: link({ idleHoursFrom: from, ...(to !== undefined && { idleHoursTo: to }) }),
            }
          })}
        />
      </section>
    </div>
  )
}

/** Whole days as days. */
function idleWord(from: number, to: number | undefined): string {
  const isDays = from >= dayHours && from % dayHours === 0
  const [first, last] = isDays ? [from / dayHours, (to ?? 0) / dayHours] : [from, to ?? 0]
  if (to === undefined)
    return isDays ? t('{{count}} 天以上', { count: first }) : t('{{count}} 小时以上', { count: first })
  return isDays
    ? t('{{from}} – {{to}} 天', { from: first, to: last })
    : t('{{from}} – {{to}} 小时', { from: first, to: last })
}

const dayHours = 24

/** Those that were not taken away: what the figures count. */
const inService = vehicleStates.filter((state) => state !== 'removed')

const vehiclesLink = (filter: VehicleFilter): string =>
  `/vehicle/vehicle-query?${new URLSearchParams({ filter: JSON.stringify(filter) })}`

const shareNote = (count: number, total: VehicleSum): string =>
  t('占 {{share}}%', { share: share(count, total.vehicles) })

const numbers = [
  'vehicles',
  'available',
  'onTrip',
  'lowBattery',
  'offline',
  'outOfService',
  'idle',
  'inTask',
  'batteryPercent',
] as const

const groups = heldListOf<VehicleGroup>({
  name: 'vehicle-groups',
  fields: vehicleGroupFields,
  sorts: Object.fromEntries(numbers.map((key) => [key, ['desc', (row: VehicleGroup) => row[key]] as const])),
  rowKey: ({ areaId, name }) => areaId ?? name,
})

interface GroupProps {
  readonly title: string
  readonly rows: readonly VehicleGroup[]
  readonly to: (row: VehicleGroup) => string
}

function Group({ title, rows, to }: GroupProps) {
  const list = useHeldList(groups, { rows, fileName: `vehicles-${title}` })
  const columns: readonly ColumnSpec<VehicleGroup>[] = [
    { key: 'name', card: 'head', render: (row) => <Link to={to(row)}>{row.name}</Link> },
    ...numbers.map((key) =>
      key === 'batteryPercent' ? { key, render: (row: VehicleGroup) => row[key]?.toFixed(1) ?? '--' } : key,
    ),
  ]
  return (
    <section>
      <h2 className="work-heading">{title}</h2>
      <ListCard list={list} label={title} columns={columns} rowName={({ name }) => name} />
    </section>
  )
}
