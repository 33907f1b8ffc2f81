import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { emptyText } from '@saddle/contract/constants.ts'
import { deviceEndpoints, type GatewayHealth, type Monitoring } from '@saddle/contract/fleet/devices.ts'
import type { VehicleFilter } from '@saddle/contract/fleet/search.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { Bars, type Bar } from '#kit/charts/Bars.tsx'
import { batteryTone, lowNote } from '#kit/charts/batteryBar.ts'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { useEndpoint } from '#kit/query.ts'
import { Ago } from '#kit/ui/Ago.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { StaleNote } from '#kit/ui/StaleNote.tsx'
import { Empty, ErrorState } from '#kit/ui/states.tsx'
import { Figure, FigureBones } from '#kit/charts/Figure.tsx'
import { listLink } from '../search/link.ts'
import './monitoring.css'

const refreshEveryMs = 15_000

/** The devices of the fleet: which ones report, how well, and through which listeners. */
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
        <span className="page-note">
          {t('每 15 秒更新 · {{ago}}', { ago: dateTime(dataUpdatedAt || null).slice(11) })}
        </span>
      </header>
      <StaleNote reading={{ data, error, refetch }} />
      {all === undefined ? (
        error === null ? (
          <FigureBones />
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
          note={t('{{share}} · 不含已撤出和失联', { share: share(all.offline) })}
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
          to={listLink({ lowBattery: true })}
        />
      </div>
      <div className="monitor-grid">
        <Card title={t('最近上报')} bars={all.heard.map(heardBar)} />
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
        <Card title={t('电量')} bars={all.battery.map(batteryBar)} />
        <Card
          title={t('信号')}
          bars={all.signal.map(({ from, count }) => ({
            key: String(from),
            label: `${from}–${from + 7}`,
            value: count,
            to: listLink({ signalFrom: from, signalTo: from + 7 }),
            ...(from < 8 && { tone: 'bad' as const }),
          }))}
        />
        <Card title={t('型号')} bars={all.models.map((row) => namedBar(row, { models: [row.name] }))} />
        <Card title={t('固件')} bars={all.firmwares.map((row) => namedBar(row, { firmwares: [row.name] }))} />
      </div>
      <Areas rows={all.areas} />
    </>
  )
}

const batteryBar = ({ from, ...band }: Monitoring['battery'][number]): Bar => ({
  key: String(from),
  label: from === 90 ? '90–100%' : `${from}–${from + 9}%`,
  value: band.count,
  text: `${number(band.count)}${lowNote(band)}`,
  to: listLink({ batteryFrom: from, batteryTo: from === 90 ? 100 : from + 9.99 }),
  ...batteryTone(band),
})

/** Vehicles of which something was heard so many hours ago. */
const silentLink = (from: number, to?: number): string =>
  listLink({ ...(from > 0 && { silentHoursFrom: from }), ...(to !== undefined && { silentHoursTo: to }) })

function heardBar({ withinMinutes, count }: Monitoring['heard'][number]): Bar {
  const rest = { key: String(withinMinutes), value: count }
  switch (withinMinutes) {
    case null:
      return { ...rest, label: t('更久或从未'), tone: 'bad', to: silentLink(24) }
    case 1:
      return { ...rest, label: t('1 分钟内'), tone: 'good', to: silentLink(0, 1 / 60) }
    case 10:
      return { ...rest, label: t('10 分钟内'), tone: 'good', to: silentLink(1 / 60, 1 / 6) }
    case 60:
      return { ...rest, label: t('1 小时内'), tone: 'warn', to: silentLink(1 / 6, 1) }
    default:
      return { ...rest, label: t('1 天内'), tone: 'warn', to: silentLink(1, 24) }
  }
}

/** Vehicles that have reported no name have no link: no condition matches an absent name. */
function namedBar({ name, count }: { name: string; count: number }, filter: VehicleFilter): Bar {
  const rest = { key: name, label: name, value: count }
  return name === '--' ? { ...rest, label: t('未上报') } : { ...rest, to: listLink(filter) }
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
const onlineShare = ({ online, total }: Area): number => (100 * online) / Math.max(1, total)

const areas = heldListOf<Area>({
  name: 'monitored areas',
  rowKey: ({ areaId }) => areaId,
  fields: {
    areaName: '服务区',
    total: { title: '设备', as: 'count' },
    online: { title: '在线', as: 'count' },
    lowBattery: { title: '低电量', as: 'count' },
    batteryPercent: { title: '平均电量', as: 'count', unit: '%' },
  },
  sorts: {
    share: ['asc', onlineShare],
    areaName: ['asc', (row) => row.areaName],
    total: ['desc', (row) => row.total],
    online: ['desc', (row) => row.online],
    lowBattery: ['desc', (row) => row.lowBattery],
    batteryPercent: ['asc', (row) => row.batteryPercent],
  },
})

const areaColumns = (): readonly ColumnSpec<Area>[] => [
  {
    key: 'areaName',
    card: 'head',
    render: ({ areaId, areaName }) => <Link to={listLink({ areaIds: [areaId] })}>{areaName}</Link>,
  },
  'total',
  'online',
  { key: 'share', title: t('在线率'), unit: '%', numeric: true, render: (row) => onlineShare(row).toFixed(1) },
  'lowBattery',
  { key: 'batteryPercent', render: ({ batteryPercent }) => batteryPercent?.toFixed(1) ?? emptyText },
]

function Areas({ rows }: { readonly rows: readonly Area[] }) {
  const list = useHeldList(areas, { rows })
  return (
    <ListCard
      list={list}
      title={t('按服务区')}
      label={t('按服务区')}
      columns={areaColumns}
      empty={t('范围内还没有车辆')}
    />
  )
}

const gateways = heldListOf<GatewayHealth>({
  name: 'gateways',
  rowKey: ({ node, protocol }) => `${node} ${protocol}`,
  fields: {
    protocol: { title: '协议', labels: deviceProtocolLabels },
    node: '节点',
    alive: { title: '状态', labels: { true: '正常', false: '失去联系' } },
    sessions: { title: '会话', as: 'count' },
    reportsPerSecond: { title: '上报/秒', as: 'count' },
    reports: { title: '累计上报', as: 'count' },
    waiting: { title: '待写入', as: 'count' },
    rejected: { title: '拒绝', as: 'count' },
    seenAt: { title: '最近报到', as: 'instant' },
  },
  sorts: {
    protocol: ['asc', (row) => row.protocol],
    node: ['asc', (row) => row.node],
    sessions: ['desc', (row) => row.sessions],
    reportsPerSecond: ['desc', (row) => row.reportsPerSecond],
    waiting: ['desc', (row) => row.waiting],
    rejected: ['desc', (row) => row.rejected],
    seenAt: ['asc', (row) => row.seenAt],
  },
})

const gatewayColumns = (): readonly ColumnSpec<GatewayHealth>[] => [
  { key: 'protocol', card: 'head' },
  { key: 'node', card: 'head' },
  {
    key: 'alive',
    card: 'head',
    render: ({ alive }) => <Mark tone={alive ? 'good' : 'bad'}>{alive ? t('正常') : t('失去联系')}</Mark>,
  },
  'sessions',
  { key: 'reportsPerSecond', render: (row) => row.reportsPerSecond.toFixed(1) },
  { key: 'reports', card: 'none' },
  'waiting',
  { key: 'rejected', title: t('拒绝', { context: 'count' }) },
  { key: 'seenAt', card: 'none', render: (row) => <Ago at={row.seenAt} /> },
]

function Gateways() {
  const { data, error, refetch } = useEndpoint(
    deviceEndpoints.monitorGateways,
    {},
    { refetchIntervalMs: refreshEveryMs, keepPrevious: true, quiet: true },
  )
  const list = useHeldList(gateways, { rows: data?.data.list, error, retry: () => void refetch() })
  return (
    <ListCard
      list={list}
      title={t('接入网关')}
      label={t('接入网关')}
      columns={gatewayColumns}
      empty={t('还没有网关报到')}
    />
  )
}
