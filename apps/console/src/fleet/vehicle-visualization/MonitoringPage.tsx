import type { ReactNode } from 'react'
import { deviceEndpoints, type GatewayHealth, type Monitoring } from '@saddle/contract/fleet/devices.ts'
import type { VehicleFilter } from '@saddle/contract/fleet/search.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { lowBatteryPercent } from '@saddle/contract/fleet/vehicles.ts'
import { Bars, type Bar } from '#kit/charts/Bars.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Ago } from '#kit/ui/Ago.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Figure } from '#kit/charts/Figure.tsx'
import { listLink } from '../search/link.ts'
import './monitoring.css'

const refreshEveryMs = 15_000

/** The devices of the fleet: who is heard, how well, and through which listeners. */
export default function MonitoringPage(): ReactNode {
  const { data, error, refetch, dataUpdatedAt } = useEndpoint(
    deviceEndpoints.monitorDevices,
    {},
    { refetchIntervalMs: refreshEveryMs, keepPrevious: true },
  )
  const all = data?.data
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('设备监控')}</h1>
        <span className="list-count">
          {t('每 15 秒更新 · {{ago}}', { ago: dateTime(dataUpdatedAt || null).slice(11) })}
        </span>
      </header>
      {all === undefined ? (
        error === null ? (
          <Loading size="page" />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : all.total === 0 ? (
        <Empty size="page" title={t('范围内还没有车辆')} />
      ) : (
        <Whole all={all} />
      )}
      <Gateways />
    </div>
  )
}

function Whole({ all }: { all: Monitoring }) {
  const share = (count: number): string => `${((100 * count) / Math.max(1, all.total)).toFixed(1)}%`
  return (
    <>
      <div className="figures">
        <Figure label={t('设备')} value={all.total} to={listLink({})} />
        <Figure
          label={t('在线')}
          value={all.online}
          note={share(all.online)}
          tone="good"
          to={listLink({ online: true })}
        />
        <Figure
          label={t('离线')}
          value={all.offline}
          note={share(all.offline)}
          tone="warn"
          to={listLink({ online: false })}
        />
        <Figure
          label={t('从未上报')}
          value={all.neverHeard}
          note={share(all.neverHeard)}
          to={listLink({ silentHoursFrom: 8784 })}
        />
        <Figure
          label={t('低电量')}
          value={all.areas.reduce((sum, area) => sum + area.lowBattery, 0)}
          tone="warn"
          to={listLink({ batteryTo: lowBatteryPercent - 0.01 })}
        />
      </div>
      <div className="monitor-grid">
        <Card title={t('最近上报')} bars={all.heard.map(heardBar)} />
        <Card title={t('电量')} bars={all.battery.map(batteryBar)} />
        <Card
          title={t('信号')}
          bars={all.signal.map(({ from, count }) => ({
            key: String(from),
            label: `${from}–${from + 7}`,
            value: count,
            to: listLink({ signalTo: from + 7 }),
            ...(from < 8 && { tone: 'bad' as const }),
          }))}
        />
        <Card
          title={t('协议')}
          bars={all.protocols.map(({ protocol, total, online }) => ({
            key: protocol,
            label: deviceProtocolLabels[protocol],
            value: total,
            text: t('{{online}} / {{total}} 在线', { online, total }),
            to: listLink({ protocols: [protocol] }),
          }))}
        />
        <Card title={t('型号')} bars={all.models.map((row) => namedBar(row, { models: [row.name] }))} />
        <Card title={t('固件')} bars={all.firmwares.map((row) => namedBar(row, { firmwares: [row.name] }))} />
      </div>
      <section className="page-card">
        <h2>{t('按服务区')}</h2>
        <DataTable
          label={t('按服务区')}
          columns={areaColumns}
          rows={all.areas}
          rowKey={(area) => area.areaId}
          cardHead={(area) => area.areaName}
        />
      </section>
    </>
  )
}

const batteryBar = ({ from, count }: Monitoring['battery'][number]): Bar => ({
  key: String(from),
  label: from === 90 ? '90–100%' : `${from}–${from + 9}%`,
  value: count,
  to: listLink({ batteryFrom: from, batteryTo: from === 90 ? 100 : from + 9.99 }),
  ...(from < lowBatteryPercent && { tone: from < 10 ? ('bad' as const) : ('warn' as const) }),
})

function heardBar({ withinMinutes, count }: Monitoring['heard'][number]): Bar {
  const rest = { key: String(withinMinutes), value: count }
  switch (withinMinutes) {
    case null:
      return { ...rest, label: t('更久或从未'), tone: 'bad', to: listLink({ silentHoursFrom: 24 }) }
    case 1:
      return { ...rest, label: t('1 分钟内'), tone: 'good' }
    case 10:
      return { ...rest, label: t('10 分钟内'), tone: 'good', to: listLink({ online: true }) }
    case 60:
      return { ...rest, label: t('1 小时内'), tone: 'warn' }
    default:
      return { ...rest, label: t('1 天内'), tone: 'warn', to: listLink({ silentHoursFrom: 1 }) }
  }
}

/** Vehicles that have told no name lead nowhere: no condition asks for an absent one. */
function namedBar({ name, count }: { name: string; count: number }, filter: VehicleFilter): Bar {
  const rest = { key: name, label: name, value: count }
  return name === '--' ? rest : { ...rest, to: listLink(filter) }
}

function Card({ title, bars }: { title: string; bars: readonly Bar[] }) {
  return (
    <section className="page-card monitor-card">
      <h2>{title}</h2>
      {bars.length === 0 ? <Empty title={t('还没有设备说过')} /> : <Bars label={title} bars={bars} />}
    </section>
  )
}

type Area = Monitoring['areas'][number]
const areaColumns: readonly Column<Area>[] = [
  { key: 'name', title: t('服务区'), inHead: true, render: (area) => area.areaName },
  { key: 'total', title: t('设备'), numeric: true, render: (area) => area.total },
  { key: 'online', title: t('在线'), numeric: true, render: (area) => area.online },
  {
    key: 'share',
    title: t('在线率'),
    unit: '%',
    numeric: true,
    render: (area) => ((100 * area.online) / Math.max(1, area.total)).toFixed(1),
  },
  { key: 'low', title: t('低电量'), numeric: true, render: (area) => area.lowBattery },
  {
    key: 'battery',
    title: t('平均电量'),
    unit: '%',
    numeric: true,
    render: (area) => area.batteryPercent?.toFixed(1) ?? '--',
  },
]

function Gateways() {
  const { data, error, refetch } = useEndpoint(
    deviceEndpoints.monitorGateways,
    {},
    { refetchIntervalMs: refreshEveryMs, keepPrevious: true, quiet: true },
  )
  return (
    <section className="page-card">
      <h2>{t('接入网关')}</h2>
      <DataTable<GatewayHealth>
        label={t('接入网关')}
        columns={gatewayColumns}
        rows={data?.data.list}
        rowKey={(row) => `${row.node} ${row.protocol}`}
        error={error}
        onRetry={() => void refetch()}
        cardHead={(row) => `${deviceProtocolLabels[row.protocol]} · ${row.node}`}
        empty={<Empty title={t('还没有网关报到')} />}
      />
    </section>
  )
}

const gatewayColumns: readonly Column<GatewayHealth>[] = [
  { key: 'protocol', title: t('协议'), inHead: true, render: (row) => deviceProtocolLabels[row.protocol] },
  { key: 'node', title: t('节点'), inHead: true, render: (row) => row.node },
  {
    key: 'alive',
    title: t('状态'),
    render: (row) => <span data-tone={row.alive ? 'good' : 'bad'}>{row.alive ? t('正常') : t('失去联系')}</span>,
  },
  { key: 'sessions', title: t('会话'), numeric: true, render: (row) => row.sessions },
  { key: 'rate', title: t('上报/秒'), numeric: true, render: (row) => row.reportsPerSecond.toFixed(1) },
  { key: 'reports', title: t('累计上报'), numeric: true, render: (row) => row.reports.toLocaleString() },
  { key: 'waiting', title: t('待写入'), numeric: true, render: (row) => row.waiting },
  { key: 'rejected', title: t('拒绝', { context: 'count' }), numeric: true, render: (row) => row.rejected },
  { key: 'seen', title: t('最近报到'), render: (row) => <Ago at={row.seenAt} /> },
]
