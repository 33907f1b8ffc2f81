import { useState, type ReactNode } from 'react'
import { voltageEndpoints } from '@saddle/contract/production/voltage.ts'
import {
  differenceBands,
  replayStateLabels,
  type ReplayExample,
  type VoltageReplay,
  type VoltageVersion,
} from '@saddle/contract/production/voltageWords.ts'
import { Bars } from '#kit/charts/Bars.tsx'
import { Chart } from '#kit/charts/Chart.tsx'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { refreshEveryMs, replayTone } from './words.ts'

/** What vehicles would have shown in the last week by a version, beside what they showed. */
export function Replay({ version }: { readonly version: VoltageVersion }): ReactNode {
  const { data, error, refetch } = useEndpoint(
    voltageEndpoints.voltageReplay,
    { versionId: version.id },
    {
      keepPrevious: true,
      refetchIntervalMs: (answer) =>
        answer?.data?.state === 'running' || answer?.data?.state === 'waiting' ? refreshEveryMs : 0,
    },
  )
  const [vehicleId, setVehicleId] = useState<number | null>(null)
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const replay = data.data
  if (replay === null) return null
  return (
    <section aria-label={t('回放')}>
      <h4>
        {t('回放')} <Mark tone={replayTone[replay.state]}>{t(replayStateLabels[replay.state])}</Mark>
      </h4>
      {(replay.state === 'running' || replay.state === 'waiting') && (
        <output>{t('已完成 {{percent}}%', { percent: replay.progressPercent })}</output>
      )}
      {!replay.isCurrent && <p role="note">{t('回放之后草稿又改过，请重新回放')}</p>}
      <Facts facts={factsOf(replay)} />
      {replay.vehicles > 0 && (
        <>
          <h5 className="replay-bands">{t('平均差异的车辆数（回放减当时）')}</h5>
          <Bars label={t('平均差异的车辆数（回放减当时）')} bars={barsOf(replay.bands)} />
          <Examples examples={replay.examples} chosen={vehicleId} onChoose={setVehicleId} />
        </>
      )}
      {vehicleId !== null && <Track versionId={version.id} vehicleId={vehicleId} />}
    </section>
  )
}

function factsOf(replay: VoltageReplay): [string, string][] {
  const both = (shown: number, replayed: number) =>
    t('当时 {{shown}} · 按此版本 {{replayed}}', { shown: number(shown), replayed: number(replayed) })
  return [
    [t('回放时段'), `${dateTime(replay.from)} – ${dateTime(replay.until)}`],
    [
      t('车辆数'),
      t('{{changed}} / {{all}} 有差异', { changed: number(replay.vehiclesChanged), all: number(replay.vehicles) }),
    ],
    [t('读数'), t('{{changed}} / {{all}} 有差异', { changed: number(replay.changed), all: number(replay.readings) })],
    [t('低电量告警'), both(replay.alarmsShown, replay.alarmsReplayed)],
    [t('期末低电量车辆'), both(replay.lowShown, replay.lowReplayed)],
  ]
}

function barsOf(bands: readonly number[]) {
  return bands.map((vehicles, band) => {
    const [from, to] = [differenceBands[band - 1], differenceBands[band]]
    const label =
      from === undefined
        ? t('低于 {{to}}', { to: to ?? 0 })
        : to === undefined
          ? t('{{from}} 以上', { from })
          : t('{{from}} 至 {{to}}', { from, to })
    return { key: String(band), label, value: vehicles, text: number(vehicles) }
  })
}

interface ExamplesProps {
  readonly examples: readonly ReplayExample[]
  readonly chosen: number | null
  readonly onChoose: (vehicleId: number) => void
}

function Examples({ examples, chosen, onChoose }: ExamplesProps) {
  const percent = (value: number | null): string => (value === null ? '--' : `${Math.round(value)}%`)
  return (
    // The table scrolls inside of its frame; the keyboard has to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="replay-table" tabIndex={0}>
      <table>
        <caption>{t('差异最大的车辆')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('车辆编号')}</th>
            <th scope="col">{t('平均差异')}</th>
            <th scope="col">{t('最大差异')}</th>
            <th scope="col">{t('当时')}</th>
            <th scope="col">{t('按此版本')}</th>
            <th scope="col">{t('告警')}</th>
          </tr>
        </thead>
        <tbody>
          {examples.map((one) => (
            <tr key={one.vehicleId} aria-current={one.vehicleId === chosen ? 'true' : undefined}>
              <td>
                <Button look="link" onClick={() => onChoose(one.vehicleId)}>
                  {one.number}
                </Button>
              </td>
              <td>{one.meanDifference.toFixed(1)}</td>
              <td>{one.maxDifference.toFixed(0)}</td>
              <td>{percent(one.lastShown)}</td>
              <td>{percent(one.lastReplayed)}</td>
              <td>{`${one.alarmsShown} → ${one.alarmsReplayed}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Track({ versionId, vehicleId }: { readonly versionId: number; readonly vehicleId: number }) {
  const { data, error, refetch } = useEndpoint(voltageEndpoints.voltageReplayTrack, { versionId, vehicleId })
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const { number: name, points, lowBatteryBelow } = data.data
  return (
    <Chart
      title={t('{{name}} 的一周', { name })}
      height={260}
      min={0}
      max={100}
      hasZoom
      labels={points.map(({ at }) => dateTime(at))}
      series={[
        { name: t('当时显示'), unit: '%', kind: 'line', values: points.map(({ shown }) => shown) },
        { name: t('按此版本'), unit: '%', kind: 'line', values: points.map(({ replayed }) => replayed) },
        { name: t('低电量'), unit: '%', kind: 'line', tone: 'quiet', values: points.map(() => lowBatteryBelow) },
      ]}
    />
  )
}
