import type { ReactNode } from 'react'
import { deviceEndpoints } from '@saddle/contract/fleet/devices.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { t } from '#kit/i18n/index.ts'
import { LineChart } from '#kit/charts/LineChart.tsx'
import { useEndpoint } from '#kit/query.ts'
import { dateTime } from '#kit/format.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'

const hours = 48

/** The device over the last two days: how often it reported, and its battery and signal. */
export function DeviceCurves({ vehicleId }: { vehicleId: number }): ReactNode {
  const { data, error, refetch } = useEndpoint(deviceEndpoints.deviceInfo, { vehicleId, hours })
  const device = data?.data
  if (device === undefined) {
    return (
      <section className="page-card">
        {error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </section>
    )
  }
  const labels = device.hours.map((hour) => dateTime(hour.at).slice(5, 16))
  return (
    <section className="page-card">
      <h2>{t('设备 · 近 48 小时')}</h2>
      <p className="vi-device">
        {deviceProtocolLabels[device.protocol]} · IMEI {device.imei} · {t('固件')} {device.firmware ?? '--'} ·{' '}
        {t('里程')} {device.odometerM === null ? '--' : `${(device.odometerM / 1000).toFixed(1)} km`}
      </p>
      <div className="vi-curves">
        <LineChart
          title={t('电量')}
          unit="%"
          labels={labels}
          min={0}
          max={100}
          values={device.hours.map((hour) => hour.batteryPercent)}
        />
        <LineChart
          title={t('信号')}
          unit=""
          labels={labels}
          min={0}
          max={31}
          values={device.hours.map((hour) => hour.signal)}
        />
        <LineChart
          title={t('上报次数')}
          unit=""
          labels={labels}
          min={0}
          values={device.hours.map((hour) => hour.reports)}
        />
      </div>
    </section>
  )
}
