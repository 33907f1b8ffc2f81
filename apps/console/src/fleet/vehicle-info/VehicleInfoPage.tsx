import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { emptyPairText, emptyText } from '@saddle/contract/constants.ts'
import { pastEndpoints } from '@saddle/contract/fleet/past.ts'
import { tripEndpoints, type Trip } from '@saddle/contract/fleet/trips.ts'
import { vehicleEndpoints, vehicleStateLabels, type Vehicle } from '@saddle/contract/fleet/vehicles.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { Ago } from '#kit/ui/Ago.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { AccessCard } from '../deviceAccess/AccessCard.tsx'
import { VehicleBody } from '../operation-map/VehiclePanel.tsx'
import { VehicleMark } from '../operation-map/VehicleMark.tsx'
import '../operation-map/operation-map.css'
import { DeviceCurves } from './DeviceCurves.tsx'
import { Life } from './Life.tsx'
import './vehicle-info.css'

const TrackMap = lazy(() => loadChunk(() => import('#kit/tracks/TrackMap.tsx')))

const refreshEveryMs = 15_000
const numberPattern = /^[\w-]{1,40}$/

/** One vehicle's whole life. The address names it: `/vehicle-info?vehicle=SD100001`. */
export default function VehicleInfoPage(): ReactNode {
  const [params] = useSearchParams()
  const number = params.get('vehicle')?.trim() ?? ''
  if (!numberPattern.test(number)) {
    return (
      <Empty
        size="page"
        isHeading
        title={t('还没有选择车辆')}
        action={<ButtonLink to="/vehicle/vehicle-query">{t('去车辆查询')}</ButtonLink>}
      />
    )
  }
  return <Whole key={number} number={number} />
}

function Whole({ number }: { number: string }) {
  const { data, error, refetch } = useEndpoint(
    vehicleEndpoints.singleDeviceInfo,
    { number },
    { refetchIntervalMs: refreshEveryMs },
  )
  const theme = useTheme().appearance
  const vehicle = data?.data
  if (vehicle === undefined) {
    return error === null ? (
      <Loading size="page" />
    ) : (
      <ErrorState size="page" error={error} onRetry={() => void refetch()} />
    )
  }
  return (
    <div className="page">
      <header className="page-head vi-head">
        <VehicleMark state={shownState(vehicle)} theme={theme} size={32} />
        <h1>
          {vehicle.number}
          <small>
            {t(vehicleStateLabels[shownState(vehicle)])} · {vehicle.company} · {vehicle.areaName} · {t('最近上报')}{' '}
            <Ago at={vehicle.heardAt} />
          </small>
        </h1>
        <ButtonLink to={`/vehicle/operation-map?vehicle=${vehicle.number}`}>{t('在地图上查看')}</ButtonLink>
      </header>
      <div className="vi">
        <section className="page-card vi-now om-vehicle-sheet-body" aria-label={t('现状与指令')}>
          <VehicleBody vehicle={vehicle} live={undefined} />
        </section>
        <div className="vi-main">
          <DeviceCurves vehicleId={vehicle.id} />
          <Permit action="0308">
            <AccessCard vehicleId={vehicle.id} />
          </Permit>
          <Trips vehicle={vehicle} theme={theme} />
          <Life vehicleId={vehicle.id} />
        </div>
      </div>
    </div>
  )
}

const shownState = ({ state, online }: Vehicle) =>
  online || state === 'missing' || state === 'removed' ? state : 'non_contactable'

const tripsAPage = 15

function Trips({ vehicle, theme }: { vehicle: Vehicle; theme: 'light' | 'dark' }) {
  const [before, setBefore] = useState<readonly number[]>([])
  const [shown, setShown] = useState<Trip | null>(null)
  const last = before.at(-1)
  const input = { vehicleId: vehicle.id, limit: tripsAPage, ...(last !== undefined && { before: last }) }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(tripEndpoints.ridingInfo, input, {
    keepPrevious: true,
  })
  const list = data?.data.list
  const oldest = list?.at(-1)?.startedAt
  return (
    <section className="page-card">
      <h2>{t('骑行')}</h2>
      {shown !== null && <TripTrack trip={shown} theme={theme} onClose={() => setShown(null)} />}
      <DataTable<Trip>
        label={t('骑行')}
        columns={tripColumns(setShown)}
        rows={list}
        rowKey={(trip) => trip.id}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        cardHead={(trip) => dateTime(trip.startedAt)}
        empty={<Empty title={t('还没有人骑过这辆车')} />}
      />
      <nav className="list-pager" aria-label={t('翻页')}>
        <span className="list-count" />
        <Button disabled={before.length === 0} onClick={() => setBefore(before.slice(0, -1))}>
          {t('上一页')}
        </Button>
        <Button
          disabled={list === undefined || list.length < tripsAPage || isPlaceholderData}
          onClick={() => oldest !== undefined && setBefore([...before, oldest])}
        >
          {t('下一页')}
        </Button>
      </nav>
    </section>
  )
}

function tripColumns(onShow: (trip: Trip) => void): readonly Column<Trip>[] {
  return [
    { key: 'start', title: t('开始'), inHead: true, render: (trip) => dateTime(trip.startedAt) },
    {
      key: 'duration',
      title: t('时长'),
      numeric: true,
      unit: t('分钟'),
      render: (trip) => (trip.durationSeconds / 60).toFixed(0),
    },
    {
      key: 'distance',
      title: t('里程'),
      unit: 'km',
      numeric: true,
      render: (trip) => (trip.distanceM === null ? '--' : (trip.distanceM / 1000).toFixed(2)),
    },
    {
      key: 'battery',
      title: t('电量'),
      unit: '%',
      numeric: true,
      render: ({ batteryStart, batteryEnd }) =>
        batteryStart === null && batteryEnd === null
          ? emptyPairText
          : `${batteryStart?.toFixed(0) ?? emptyText} → ${batteryEnd?.toFixed(0) ?? emptyText}`,
    },
    { key: 'end', title: t('结束'), render: (trip) => (trip.endedAt === null ? t('骑行中') : dateTime(trip.endedAt)) },
    {
      key: 'track',
      title: t('轨迹'),
      render: (trip) => (
        <Button look="quiet" onClick={() => onShow(trip)}>
          {t('回放')}
        </Button>
      ),
    },
  ]
}

function TripTrack({ trip, theme, onClose }: { trip: Trip; theme: 'light' | 'dark'; onClose: () => void }) {
  const { data, error, refetch } = useEndpoint(pastEndpoints.itinerary, { vehicleId: trip.vehicleId, tripId: trip.id })
  const list = data?.data.list
  return (
    <div className="vi-track">
      <header>
        <strong>{t('{{from}} 的骑行', { from: dateTime(trip.startedAt) })}</strong>
        <Link to={`/vehicle/operation-map?vehicle=${trip.number}`}>{t('在运营地图中查看')}</Link>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </header>
      {list === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : list.length === 0 ? (
        <Empty title={t('这次骑行没有上报位置')} />
      ) : (
        <Suspense fallback={<Loading />}>
          <TrackMap key={trip.id} list={list} theme={theme} />
        </Suspense>
      )}
    </div>
  )
}
