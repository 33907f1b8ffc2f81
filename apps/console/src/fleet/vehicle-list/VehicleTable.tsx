import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { searchEndpoints, type VehicleFilter, type VehicleRow } from '@saddle/contract/fleet/search.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { alarmKindLabels, lowBatteryPercent, vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import { taskKindLabels } from '@saddle/contract/operations/taskWords.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { serverNow } from '#kit/clock.ts'
import { dateTime, relativeTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { useTotal } from '#kit/list/useTotal.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { Empty } from '#kit/ui/states.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import type { VehicleSortBy } from '../filter/link.ts'
import { VehicleMark } from '../operation-map/VehicleMark.tsx'
import './vehicle-list.css'

const BatchCommand = lazy(() => loadChunk(() => import('../commands/BatchCommand.tsx')))

interface Props {
  readonly filter: VehicleFilter
  readonly sort: VehicleSortBy
  readonly onSort: (sort: VehicleSortBy) => void
  readonly onClear: () => void
}

const pageSize = 50
const refreshEveryMs = 30_000

/** The vehicles that meet the conditions: page by page, with what may be done to the chosen ones, and as a file. */
export function VehicleTable({ filter, sort, onSort, onClear }: Props): ReactNode {
  const theme = useTheme().appearance
  const { scopeKey } = useScope()
  const question = JSON.stringify([filter, sort, scopeKey])
  const pages = usePages(question)
  const [selected, setSelected] = useState<readonly number[]>([])
  const [commanding, setCommanding] = useState<readonly number[] | null>(null)
  const input = { filter, sort, pageSize, ...(pages.cursor !== undefined && { cursor: pages.cursor }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(searchEndpoints.searchVehicles, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const page = data?.data
  const known = useTotal(question, page, isPlaceholderData)
  return (
    <section className="page-card">
      <Toolbar filter={filter} selected={selected} onSelect={setSelected} onCommand={setCommanding} />
      <DataTable<VehicleRow>
        label={t('车辆')}
        columns={columnsOf(theme)}
        rows={page?.list}
        rowKey={(row) => row.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        sort={sort}
        onSort={(next) => onSort(next as VehicleSortBy)}
        selected={selected}
        onSelect={(keys) => setSelected(keys.map(Number))}
        cardHead={(row) => numberCell(row, theme)}
        empty={<Empty title={t('没有符合条件的车辆')} action={<Button onClick={onClear}>{t('清除条件')}</Button>} />}
      />
      <Pager
        page={pages.page}
        hasNext={page?.nextCursor !== null && page !== undefined}
        count={known?.count ?? null}
        isCountCut={known?.isCut === true}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor ?? null)}
      />
      {commanding !== null && (
        <Suspense fallback={null}>
          <BatchCommand vehicleIds={commanding} onClose={() => setCommanding(null)} />
        </Suspense>
      )}
    </section>
  )
}

interface ToolbarProps {
  readonly filter: VehicleFilter
  readonly selected: readonly number[]
  readonly onSelect: (ids: readonly number[]) => void
  readonly onCommand: (ids: readonly number[]) => void
}

/** Acting on the chosen vehicles, or on all that meet the conditions; and the file. */
function Toolbar({ filter, selected, onSelect, onCommand }: ToolbarProps) {
  const [busy, setBusy] = useState(false)
  const selectAll = async () => {
    setBusy(true)
    try {
      const { data } = await call(searchEndpoints.findVehicleIds, { filter })
      onSelect(data.ids)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="vehicle-tools">
      {selected.length > 0 ? (
        <>
          <strong>{t('已选 {{count}} 辆', { count: selected.length })}</strong>
          <Button look="quiet" onClick={() => onSelect([])}>
            {t('取消选择')}
          </Button>
          <Permit action="030101">
            <Button look="primary" onClick={() => onCommand(selected)}>
              {t('批量指令')}
            </Button>
          </Permit>
        </>
      ) : (
        <Permit action="0301||0307">
          <Button look="quiet" busy={busy} onClick={() => void selectAll()}>
            {t('选中全部结果')}
          </Button>
        </Permit>
      )}
      <span className="vehicle-tools-gap" />
      <Permit action="0302||0307">
        <ExportButton
          onExport={async (at, signal) =>
            (await call(searchEndpoints.exportVehicles, { filter, ...at }, { signal })).data
          }
        />
      </Permit>
    </div>
  )
}

type Theme = 'light' | 'dark'

function numberCell(row: VehicleRow, theme: Theme): ReactNode {
  const state = row.online || row.state === 'missing' || row.state === 'removed' ? row.state : 'non_contactable'
  return (
    <span className="vehicle-number">
      <VehicleMark state={state} theme={theme} size={18} />
      <Link to={`/vehicle-info?vehicle=${row.number}`}>{row.number}</Link>
      <Link className="vehicle-map-link" to={`/vehicle/operation-map?vehicle=${row.number}`} title={t('在地图上查看')}>
        {t('地图')}
      </Link>
    </span>
  )
}

function columnsOf(theme: Theme): readonly Column<VehicleRow>[] {
  return [
    {
      key: 'number',
      title: t('车辆编号'),
      sortable: true,
      inHead: true,
      render: (row) => numberCell(row, theme),
    },
    { key: 'state', title: t('状态'), sortable: true, render: (row) => <StateCell row={row} /> },
    {
      key: 'battery',
      title: t('电量'),
      unit: '%',
      numeric: true,
      sortable: true,
      render: ({ batteryPercent: battery }) => (
        <span data-tone={battery !== null && battery < lowBatteryPercent ? 'warn' : undefined}>
          {battery === null ? '--' : Math.round(battery)}
        </span>
      ),
    },
    {
      key: 'idle',
      title: t('闲置'),
      sortable: true,
      render: ({ idleSince }) => (idleSince === null ? t('骑行中') : age(idleSince)),
    },
    { key: 'heard', title: t('最近上报'), sortable: true, render: ({ heardAt }) => <Ago at={heardAt} /> },
    { key: 'area', title: t('服务区'), render: (row) => row.areaName },
    { key: 'company', title: t('加盟商'), render: (row) => row.company },
    { key: 'attention', title: t('告警与任务'), render: (row) => <Attention row={row} /> },
    { key: 'model', title: t('型号'), render: (row) => row.model },
    { key: 'protocol', title: t('协议'), render: (row) => deviceProtocolLabels[row.protocol] },
    { key: 'signal', title: t('信号'), numeric: true, render: (row) => row.signal ?? '--' },
    { key: 'imei', title: 'IMEI', render: (row) => row.imei },
  ]
}

function StateCell({ row }: { row: VehicleRow }) {
  return (
    <span>
      {t(vehicleStateLabels[row.state])}
      {!row.online && row.state !== 'non_contactable' && <small className="vehicle-note"> {t('离线')}</small>}
    </span>
  )
}

function Ago({ at }: { at: number | null }) {
  return <time title={dateTime(at)}>{relativeTime(at, serverNow())}</time>
}

/** How long it has stood: hours up to two days, days beyond. */
function age(since: number): ReactNode {
  const hours = Math.max(0, serverNow() - since) / hourMs
  const text =
    hours < 48 ? t('{{hours}} 小时', { hours: hours.toFixed(1) }) : t('{{days}} 天', { days: (hours / 24).toFixed(1) })
  return <time title={dateTime(since)}>{text}</time>
}

function Attention({ row }: { row: VehicleRow }) {
  if (row.openAlarms.length === 0 && row.openTasks.length === 0) return '--'
  return (
    <span className="vehicle-chips">
      {row.openAlarms.map((kind) => (
        <span key={kind} data-tone="bad">
          {t(alarmKindLabels[kind] ?? kind, { context: 'alarm' })}
        </span>
      ))}
      {row.openTasks.map((kind) => (
        <span key={kind} data-tone="info">
          {t(taskKindLabels[kind])}
        </span>
      ))}
    </span>
  )
}
