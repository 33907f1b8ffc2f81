import type { ReactNode } from 'react'
import { stationStatisticsEndpoints, type Station } from '@saddle/contract/operations/statistics/stations.ts'
import { LineChart } from '#kit/charts/LineChart.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import type { Span } from '#kit/span.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'

interface Props {
  readonly station: Station
  readonly span: Span
}

/** One place, hour by hour. */
export function StationPanel({ station, span }: Props): ReactNode {
  const { fenceId, name, areaName, capacity, stock, emptyHours, overfullHours } = station
  const { data, error, refetch } = useEndpoint(stationStatisticsEndpoints.stationHours, { fenceId, ...span })
  const hours = data?.data.hours
  const labels = (hours ?? []).map(({ at }) => dateTime(at).slice(5, 16))
  return (
    <DetailPanel
      label={name}
      title={name}
      foot={
        <ButtonLink to={`/vehicle/operation-map?view=${station.lng.toFixed(5)},${station.lat.toFixed(5)},17`}>
          {t('在地图上查看')}
        </ButtonLink>
      }
    >
      <Facts
        facts={[
          [t('服务区'), areaName],
          [t('容量'), capacity ?? t('没有设定容量')],
          [t('时段末停放'), stock],
          [t('空置小时'), emptyHours],
          [t('超量小时'), overfullHours],
        ]}
      />
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
    </DetailPanel>
  )
}
