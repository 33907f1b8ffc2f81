import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { emptyText } from '@saddle/contract/constants.ts'
import type { VehicleRow } from '@saddle/contract/fleet/search.ts'
import { alarmKindLabels, vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import { taskKindLabels } from '@saddle/contract/operations/taskWords.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useTheme } from '#kit/theme/settings.ts'
import { Ago } from '#kit/ui/Ago.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { VehicleMark } from '../operation-map/VehicleMark.tsx'
import { vehicleLink } from './link.ts'
import './search.css'

export const columns = (): readonly ColumnSpec<VehicleRow>[] => [
  { key: 'number', card: 'head', render: (row) => <VehicleNumber row={row} /> },
  { key: 'state', card: 'head', render: stateOf },
  {
    key: 'batteryPercent',
    sort: 'battery',
    render: ({ batteryPercent: battery, lowBattery }) => (
      <span className="vehicle-battery" data-low={lowBattery}>
        {battery === null ? emptyText : Math.round(battery)}
      </span>
    ),
  },
  { key: 'idle', title: t('闲置'), sort: 'idle', render: ({ idleSince }) => idleOf(idleSince) },
  { key: 'heardAt', sort: 'heard', render: ({ heardAt }) => <Ago at={heardAt} /> },
  { key: 'areaName', card: 'none' },
  { key: 'company', card: 'none' },
  { key: 'attention', title: t('告警与任务'), render: (row) => <Attention row={row} /> },
  { key: 'model', card: 'none' },
  { key: 'protocol', card: 'none' },
  { key: 'signal', card: 'none' },
  { key: 'firmware', isOptional: true, card: 'none' },
  { key: 'locked', isOptional: true, card: 'none' },
  { key: 'imei', card: 'none' },
]

function VehicleNumber({ row }: { readonly row: VehicleRow }) {
  const theme = useTheme().appearance
  const state = row.online || row.state === 'missing' || row.state === 'removed' ? row.state : 'non_contactable'
  return (
    <span className="vehicle-number">
      <VehicleMark state={state} theme={theme} size={18} />
      <Link to={vehicleLink(row)}>{row.number}</Link>
      <Link className="vehicle-map-link" to={`/vehicle/operation-map?vehicle=${row.number}`} title={t('在地图上查看')}>
        {t('地图')}
      </Link>
    </span>
  )
}

function stateOf({ state, online }: VehicleRow): ReactNode {
  return (
    <span>
      {t(vehicleStateLabels[state])}
      {!online && state !== 'non_contactable' && <small className="vehicle-note"> {t('离线')}</small>}
    </span>
  )
}

/** How long it has stood: hours up to two days, days beyond. */
function idleOf(since: number | null): ReactNode {
  if (since === null) return t('骑行中')
  const hours = Math.max(0, serverNow() - since) / hourMs
  const text =
    hours < 48 ? t('{{hours}} 小时', { hours: hours.toFixed(1) }) : t('{{days}} 天', { days: (hours / 24).toFixed(1) })
  return <time title={dateTime(since)}>{text}</time>
}

function Attention({ row: { openAlarms, openTasks } }: { readonly row: VehicleRow }) {
  if (openAlarms.length === 0 && openTasks.length === 0) return emptyText
  return (
    <span className="vehicle-chips">
      {openAlarms.map((kind) => (
        <Mark key={kind} tone="bad">
          {t(alarmKindLabels[kind] ?? kind, { context: 'alarm' })}
        </Mark>
      ))}
      {openTasks.map((kind) => (
        <Mark key={kind} tone="info">
          {t(taskKindLabels[kind])}
        </Mark>
      ))}
    </span>
  )
}
