import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { emptyPairText, emptyText } from '@saddle/contract/constants.ts'
import { pastEndpoints } from '@saddle/contract/fleet/past.ts'
import { tripEndpoints, tripFields, vehicleTripList, type Trip } from '@saddle/contract/fleet/trips.ts'
import type { Vehicle } from '@saddle/contract/fleet/vehicles.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'

const TrackMap = lazy(() => loadChunk(() => import('#kit/tracks/TrackMap.tsx')))

const trips = listOf({
  list: vehicleTripList,
  call: tripEndpoints.listVehicleTrips,
  file: tripEndpoints.exportVehicleTrips,
  fields: tripFields,
})

/** The rides of a vehicle; one of them can be played back. */
export function Trips({ vehicle, theme }: { readonly vehicle: Vehicle; readonly theme: 'light' | 'dark' }): ReactNode {
  const list = useList(trips, { fixed: { vehicleId: vehicle.id }, isInside: true })
  const [shown, setShown] = useState<Trip | null>(null)
  return (
    <>
      {shown !== null && <TripTrack trip={shown} theme={theme} onClose={() => setShown(null)} />}
      <ListCard
        list={list}
        title={t('骑行记录')}
        label={t('骑行')}
        filters={[days(t('开始日期'))]}
        columns={columnsOf(setShown)}
        rowName={(trip) => dateTime(trip.startedAt)}
        empty={t('还没有人骑过这辆车')}
        opened={shown?.id ?? null}
      />
    </>
  )
}

const columnsOf = (onShow: (trip: Trip) => void): readonly ColumnSpec<Trip>[] => [
  { key: 'startedAt', card: 'head', render: (trip) => dateTime(trip.startedAt) },
  {
    key: 'durationSeconds',
    unit: t('分钟'),
    render: (trip) => (trip.durationSeconds / 60).toFixed(0),
  },
  'distanceM',
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
  { key: 'endedAt', render: (trip) => (trip.endedAt === null ? t('骑行中') : <Moment at={trip.endedAt} />) },
  {
    key: 'track',
    title: t('轨迹'),
    card: 'head',
    render: (trip) => (
      <Button look="quiet" onClick={() => onShow(trip)}>
        {t('回放')}
      </Button>
    ),
  },
]

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
