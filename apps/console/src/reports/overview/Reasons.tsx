import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { VehicleFilter } from '@saddle/contract/fleet/search.ts'
import { vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import { isRoutePermitted } from '@saddle/contract/menu.ts'
import type { AreaChange, Overview, Pair } from '@saddle/contract/reports/overview.ts'
import type { MetricName } from '@saddle/contract/reports/metrics.ts'
import { moneyWithSign, number, signedTenths } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { changeOf } from '#kit/span.ts'
import '#kit/charts/charts.css'
import { rowsLink } from '../figures/rowsLink.ts'

const ordersCode = '1601'
const vehiclesPath = '/vehicle/vehicle-query'

type Write = (value: number) => string
const count: Write = (value) => number(Math.round(value))
const yuan: Write = (value) => moneyWithSign(Math.round(value))
const signed = (value: number, write: Write): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${write(Math.abs(value))}`
const delta = ({ now, before }: Pair): number => now - before

interface Props {
  readonly overview: Overview
  /** What the day is compared with. */
  readonly basis: string
}

/** Why rides, revenue and available vehicles are not what they were: areas, hours, vehicles. */
export function Reasons({ overview, basis }: Props): ReactNode {
  const { rides, netCents, available } = overview
  return (
    <section className="home-reasons" aria-labelledby="home-reasons">
      <h2 id="home-reasons">{t('变化原因')}</h2>
      <div>
        <Reason title={t('骑行次数')} pair={rides} write={count} basis={basis}>
          <Hours hours={rides.hours} write={count} />
          <Factors
            factors={rides.factors}
            first={{ title: t('可用车时'), write: count }}
            second={{ title: t('可用车时骑行'), write: (value) => value.toFixed(2) }}
            write={count}
          />
          <Areas {...rides} write={count} metric="rides" overview={overview} />
          <Vehicles overview={overview} basis={basis} />
        </Reason>
        <Reason title={t('订单净额')} pair={netCents} write={yuan} basis={basis}>
          <Hours hours={netCents.hours} write={yuan} />
          <Factors
            factors={netCents.factors}
            first={{ title: t('骑行次数'), write: count }}
            second={{ title: t('单均净额'), write: yuan }}
            write={yuan}
          />
          <Areas {...netCents} write={yuan} metric="netCents" overview={overview} />
        </Reason>
        {available !== null && (
          <Reason title={t('可用车辆')} pair={available} write={count} basis={basis}>
            {(
              [
                [t('在册车辆'), available.inService, 1],
                [t('骑行中'), available.onTrip, -1],
                [t('停运'), available.outOfService, -1],
                [t('离线'), available.offline, -1],
                [t('其他状态'), available.other, -1],
              ] as const
            ).map(([title, pair, sign]) =>
              delta(pair) === 0 ? null : (
                <Factor
                  key={title}
                  title={title}
                  pair={pair}
                  write={count}
                  effect={signed(sign * delta(pair), count)}
                />
              ),
            )}
            <Areas {...available} write={count} metric={null} overview={overview} />
          </Reason>
        )}
      </div>
    </section>
  )
}

interface ReasonProps {
  readonly title: string
  readonly pair: Pair
  readonly write: Write
  readonly basis: string
  readonly children: ReactNode
}

function Reason({ title, pair, write, basis, children }: ReasonProps) {
  const change = delta(pair)
  const percent = changeOf(pair.now, pair.before)
  const words = {
    title,
    now: write(pair.now),
    basis,
    change: write(Math.abs(change)),
    percent: percent === null ? '' : `${signedTenths(percent)}%`,
  }
  return (
    <article className="page-card home-reason">
      <h3 data-tone={change === 0 ? undefined : change > 0 ? 'good' : 'warn'}>
        {change === 0
          ? t('{{title}} {{now}}，与{{basis}}相同', words)
          : percent === null
            ? t('{{title}} {{now}}，{{basis}}没有', words)
            : change > 0
              ? t('{{title}} {{now}}，比{{basis}}多 {{change}}（{{percent}}）', words)
              : t('{{title}} {{now}}，比{{basis}}少 {{change}}（{{percent}}）', words)}
      </h3>
      {change !== 0 && children}
    </article>
  )
}

function Hours({ hours, write }: { readonly hours: Overview['rides']['hours']; readonly write: Write }) {
  if (hours === null) return null
  return (
    <p>
      {t('主要在 {{from}}:00–{{to}}:59：', { from: hours.from, to: hours.to })}{' '}
      <span className="home-amount">{`${write(hours.before)} → ${write(hours.now)}`}</span>{' '}
      <span className="home-amount">{t('（{{change}}）', { change: signed(delta(hours), write) })}</span>
    </p>
  )
}

interface FactorsProps {
  readonly factors: Overview['rides']['factors']
  readonly first: { readonly title: string; readonly write: Write }
  readonly second: { readonly title: string; readonly write: Write }
  /** Of what the two make together. */
  readonly write: Write
}

/** A figure that is the product of two others, and how much of its change is due to each. */
function Factors({ factors, first, second, write }: FactorsProps) {
  if (factors === null) return null
  return (
    <>
      <Factor {...first} pair={factors.first} effect={signed(factors.byFirst, write)} />
      <Factor {...second} pair={factors.second} effect={signed(factors.bySecond, write)} />
    </>
  )
}

interface FactorProps {
  readonly title: string
  readonly pair: Pair
  readonly write: Write
  readonly effect: string
}

/** One of the things that a change is made of, and by how much it moved the whole. */
function Factor({ title, pair, write, effect }: FactorProps) {
  return (
    <p>
      {t('{{title}} {{before}} → {{now}}，', { title, before: write(pair.before), now: write(pair.now) })}{' '}
      <span className="home-amount">{t('影响 {{effect}}', { effect })}</span>
    </p>
  )
}

interface AreasProps {
  readonly areas: readonly AreaChange[]
  readonly otherAreas: Pair
  readonly write: Write
  /** Whose orders an area opens; null: no list shows them as they were. */
  readonly metric: MetricName | null
  readonly overview: Overview
}

function Areas({ areas, otherAreas, write, metric, overview: { fromAt, toAt } }: AreasProps) {
  const mayOpen = usePermissions().held.has(ordersCode)
  const changed = areas.filter((area) => delta(area) !== 0)
  const most = Math.max(1, ...changed.map((area) => Math.abs(delta(area))))
  const linkOf = (areaId: number): string | null =>
    metric === null || !mayOpen
      ? null
      : rowsLink(metric, { by: 'area', key: String(areaId), narrow: {}, bounds: { fromAt, toAt } })
  const rest = delta(otherAreas)
  return (
    <ul className="home-areas" data-long={metric === 'netCents'}>
      {changed.map((area) => {
        const to = linkOf(area.areaId)
        const body = (
          <>
            <span>{area.name}</span>
            <meter
              className="bars-track"
              min={0}
              max={most}
              value={Math.abs(delta(area))}
              data-tone={delta(area) > 0 ? 'good' : 'warn'}
              aria-hidden="true"
            />
            <small>{`${write(area.before)} → ${write(area.now)}`}</small>
            <b data-tone={delta(area) > 0 ? 'good' : 'warn'}>{signed(delta(area), write)}</b>
          </>
        )
        return <li key={area.areaId}>{to === null ? <div>{body}</div> : <Link to={to}>{body}</Link>}</li>
      })}
      {rest !== 0 && (
        <li>
          <div>
            <span>{t('其他服务区')}</span>
            <b>{signed(rest, write)}</b>
          </div>
        </li>
      )}
    </ul>
  )
}

/** Vehicles that were ridden on one of the days and not on the other, in the area that changed most. */
function Vehicles({ overview: { vehicles }, basis }: Props) {
  const { held } = usePermissions()
  if (vehicles === null || vehicles.count === 0) return null
  const words = { area: vehicles.name, count: vehicles.count, basis, rides: number(vehicles.rides) }
  const text = vehicles.isLess
    ? t('{{area}}有 {{count}} 辆车在{{basis}}骑行 {{rides}} 次，这一天没有骑行', words)
    : t('{{area}}有 {{count}} 辆车在{{basis}}没有骑行，这一天骑行 {{rides}} 次', words)
  const states = vehicles.states
    .map(({ state, count: of }) => `${t(vehicleStateLabels[state])} ${number(of)}`)
    .join(' · ')
  const filter: VehicleFilter = { vehicleIds: [...vehicles.vehicleIds] }
  return (
    <p>
      {text}
      <br />
      <small>
        {t('现在：{{states}}', { states })}{' '}
        {isRoutePermitted(vehiclesPath, held) && (
          <Link to={`${vehiclesPath}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`}>
            {t('查看 {{count}} 辆', { count: vehicles.vehicleIds.length })}
          </Link>
        )}
      </small>
    </p>
  )
}
