import { useContext, type ReactNode } from 'react'
import { alarmKindLabels } from '@saddle/contract/fleet/vehicles.ts'
import { taskKindLabels } from '@saddle/contract/operations/taskWords.ts'
import { metricOf } from '@saddle/contract/reports/metrics.ts'
import { screenFlowMinutes, type OperationsScreen as Content } from '@saddle/contract/reports/screens.ts'
import { Chart } from '#kit/charts/Chart.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { MarkShape } from './MarkShape.tsx'
import { alarmRowsBeside, rankedAreas } from './alarmRows.ts'
import { CityView } from './CityView.tsx'
import { Count, Dots, Figure, Panel, Ranking } from './parts.tsx'
import { StageScale } from './stageSize.ts'
import { useTurn } from './useTurn.ts'
import { countText, kilometresText, oneDigitText, percentText } from './words.ts'

const alarmTurnMs = 9_000

/** What the operations screen shows of one answer. */
export function OperationsContent({ data }: { readonly data: Content }): ReactNode {
  return (
    <>
      <CityView map={data.map} label={t('车辆分布与近 {{count}} 分钟骑行流向', { count: screenFlowMinutes })} />
      <div className="wall-column" data-side="left">
        <Rides data={data} />
        <Panel title={t('每小时骑行')} note={t('今日与上周同日，空心为本小时')} className="wall-chart">
          <HoursChart hours={data.hours} title={t('每小时骑行')} unit={t('次')} height={236} />
        </Panel>
        <Work rows={data.work} />
      </div>
      <FleetStrip fleet={data.fleet} />
      <div className="wall-column" data-side="right">
        <Panel title={t('服务区骑行排行')} note={t('今日，较上周同时段')}>
          <Ranking
            size={rankedAreas}
            format={countText}
            rows={data.areas.map(({ name, rides, ridesUntil, lastWeekUntil, vehicles, onTrip }) => ({
              name,
              value: rides,
              until: ridesUntil,
              lastWeekUntil,
              note: t('{{vehicles}} 辆 · 骑行中 {{onTrip}}', { vehicles, onTrip }),
            }))}
          />
        </Panel>
        <Alarms alarms={data.alarms} rows={alarmRowsBeside(data.areas.length)} />
      </div>
    </>
  )
}

const plain = (value: number): number => value

function Rides({ data: { figures } }: { readonly data: Content }): ReactNode {
  const { today, todayUntil, lastWeekUntil } = figures
  const compared = (name: keyof typeof today) => ({ now: todayUntil[name], before: lastWeekUntil[name] })
  return (
    <Panel title={t('今日骑行')} note={t('较上周同日同时段')}>
      <Figure isLarge title={t('骑行次数')} value={today.rides} format={countText} {...compared('rides')} />
      <div className="wall-figures">
        <Figure
          title={t('单均时长')}
          value={today.minutesPerRide}
          format={oneDigitText}
          unit={t('分钟')}
          {...compared('minutesPerRide')}
        />
        <Figure
          title={t('单均里程')}
          value={today.metresPerRide}
          format={kilometresText}
          unit={t('公里')}
          {...compared('metresPerRide')}
        />
        <Figure
          title={t('开锁失败率')}
          value={today.failedPercent}
          format={percentText}
          isBad={metricOf('failedPercent').isBad ?? false}
          {...compared('failedPercent')}
        />
        <Figure
          title={t('取消订单')}
          value={today.cancelled}
          format={countText}
          isBad={metricOf('cancelled').isBad ?? false}
          {...compared('cancelled')}
        />
      </div>
    </Panel>
  )
}

interface HoursProps {
  readonly hours: Content['hours']
  readonly title: string
  readonly unit: string
  readonly height: number
  /** From what is kept to what is shown. */
  readonly convert?: (value: number) => number
}

/** Today as bars, the same day of last week as a line. */
export function HoursChart({ hours, title, unit, height, convert = plain }: HoursProps): ReactNode {
  return (
    <Chart
      isWall
      enlarged={useContext(StageScale)}
      title={title}
      height={height}
      labels={hours.map(({ hour }) => hour)}
      openFrom={hours.findLastIndex(({ today }) => today !== null)}
      series={[
        {
          name: t('今日'),
          kind: 'bar',
          tone: 'accent',
          unit,
          values: hours.map(({ today }) => (today === null ? null : convert(today))),
        },
        {
          name: t('上周同日'),
          kind: 'line',
          tone: 'warn',
          isBefore: true,
          unit,
          values: hours.map(({ lastWeek }) => convert(lastWeek)),
        },
      ]}
    />
  )
}

function Work({ rows }: { readonly rows: Content['work'] }): ReactNode {
  const most = Math.max(1, ...rows.map(({ done, open }) => done + open))
  return (
    <Panel title={t('今日作业')} note={t('已完成、进行中、超时')} className="wall-grow">
      {rows.length === 0 && <p className="wall-none">{t('暂无数据')}</p>}
      <ul className="wall-work">
        {rows.map(({ kind, done, open, overdue }) => (
          <li key={kind}>
            <b>{t(taskKindLabels[kind])}</b>
            <span aria-hidden="true">
              <i style={{ transform: `scaleX(${done / most})` }} />
              <u style={{ transform: `translateX(${(done / most) * 100}%) scaleX(${open / most})` }} />
            </span>
            <strong>{countText(done)}</strong>
            <em>{countText(open)}</em>
            <em data-bad={overdue > 0}>{countText(overdue)}</em>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function FleetStrip({ fleet }: { readonly fleet: Content['fleet'] }): ReactNode {
  return (
    <div className="wall-strip">
      <Count mark={null} title={t('运营车辆')} value={fleet.total} />
      <Count mark={<MarkShape mark="available" />} title={t('可用')} value={fleet.available} />
      <Count mark={<MarkShape mark="onTrip" />} title={t('骑行中')} value={fleet.onTrip} />
      <Count mark={<MarkShape mark="reserved" />} title={t('已预约')} value={fleet.reserved} />
      <Count mark={<MarkShape mark="fault" />} title={t('停运')} value={fleet.outOfService} />
      <Count mark={<MarkShape mark="offline" />} title={t('离线')} value={fleet.offline} />
      <Count mark={<MarkShape mark="lost" />} title={t('失联')} value={fleet.missing} />
      <Count mark={<MarkShape mark="lowBattery" />} title={t('低电量')} value={fleet.lowBattery} />
    </div>
  )
}

const alarmLabel = (kind: string): string => t(alarmKindLabels[kind] ?? kind, { context: 'alarm' })

function Alarms({ alarms, rows }: { readonly alarms: Content['alarms']; readonly rows: number }): ReactNode {
  const pages = Math.ceil(alarms.latest.length / rows)
  const page = useTurn(pages, alarmTurnMs)
  // The last page is as full as the others.
  const first = Math.max(0, Math.min(page * rows, alarms.latest.length - rows))
  return (
    <Panel title={t('未关闭告警')} note={t('{{count}} 起', { count: alarms.open })} className="wall-grow">
      <ul className="wall-kinds">
        {alarms.kinds.slice(0, 4).map(({ kind, open }) => (
          <li key={kind}>
            <span>{alarmLabel(kind)}</span>
            <b>{countText(open)}</b>
          </li>
        ))}
      </ul>
      {alarms.latest.length === 0 && <p className="wall-none">{t('没有未关闭的告警')}</p>}
      <ul className="wall-alarms">
        {alarms.latest.slice(first, first + rows).map(({ kind, area, at }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two alarms may be alike in all that is shown
          <li key={`${page} ${index}`}>
            <b>{alarmLabel(kind)}</b>
            <span>{area}</span>
            <time>{dateTime(at).slice(5, 16)}</time>
          </li>
        ))}
      </ul>
      <Dots pages={pages} page={page} />
    </Panel>
  )
}
