import { metricOf } from '@saddle/contract/reports/metrics.ts'
import { statisticsMetrics } from '@saddle/contract/reports/statisticsMetrics.ts'
import type { ReactNode } from 'react'
import type { FleetDay } from '@saddle/contract/fleet/analysis.ts'
import { emptyText } from '@saddle/contract/constants.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { sumOf, type Sum } from './days.ts'

interface AreaSum extends Sum {
  readonly areaId: number
  readonly areaName: string
  readonly company: string
}

const areas = heldListOf<AreaSum>({
  name: 'analysed areas',
  rowKey: ({ areaId }) => areaId,
  fields: {
    areaName: '服务区',
    company: '加盟商',
    trips: { title: metricOf('trips').title, as: 'count' },
    turnover: { title: metricOf('tripsPerVehicleDay').title, as: 'count' },
    utilisation: { title: metricOf('utilisationPercent').title, as: 'count', unit: '%' },
    idleShare: { title: metricOf('idlePercent').title, as: 'count', unit: '%' },
    distanceM: { title: metricOf('tripMetres').title, as: 'metres' },
    batteryPercent: { title: statisticsMetrics.batteryPercent.title, as: 'count', unit: '%' },
    lowBattery: { title: metricOf('lowBatteryVehicleDays').title, as: 'count' },
  },
  sorts: {
    trips: ['desc', (row) => row.trips],
    areaName: ['asc', (row) => row.areaName],
    company: ['asc', (row) => row.company],
    turnover: ['desc', (row) => row.turnover],
    utilisation: ['desc', (row) => row.utilisation],
    idleShare: ['desc', (row) => row.idleShare],
    distanceM: ['desc', (row) => row.distanceM],
    batteryPercent: ['asc', (row) => row.batteryPercent],
    lowBattery: ['desc', (row) => row.lowBattery],
  },
})

const columns = (): readonly ColumnSpec<AreaSum>[] => [
  { key: 'areaName', card: 'head' },
  { key: 'company', card: 'none' },
  'trips',
  { key: 'turnover', render: (row) => row.turnover.toFixed(2) },
  { key: 'utilisation', render: (row) => (100 * row.utilisation).toFixed(1) },
  { key: 'idleShare', render: (row) => (100 * row.idleShare).toFixed(1) },
  { key: 'distanceM', render: (row) => number(Math.round(row.distanceM / 1000)) },
  { key: 'batteryPercent', render: (row) => row.batteryPercent?.toFixed(1) ?? emptyText },
  'lowBattery',
]

function areaOf(days: readonly FleetDay[]): AreaSum {
  const { areaId = 0, areaName = '', company = '' } = days[0] ?? {}
  return { areaId, areaName, company, ...sumOf(days) }
}

/** The figures of a span by service area. */
export function AreaList({ list: days }: { readonly list: readonly FleetDay[] }): ReactNode {
  const rows = [...Map.groupBy(days, (day) => day.areaId).values()].map(areaOf)
  const list = useHeldList(areas, { rows })
  return <ListCard list={list} title={t('按服务区')} label={t('按服务区')} columns={columns} />
}
