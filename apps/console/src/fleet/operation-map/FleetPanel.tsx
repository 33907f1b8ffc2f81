import { useRef, useState, type FormEvent } from 'react'
import {
  mapAlarms,
  urgencyOf,
  vehicleEndpoints,
  vehicleStateLabels,
  vehicleStates,
  type MapAlarm,
  type VehicleState,
} from '@saddle/contract/fleet/vehicles.ts'
import { call, isApiError } from '#kit/api/client.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import { useEndpoint } from '#kit/query.ts'
import { everything, isFiltering, toggleAlarm, toggleFlag, toggleState, type Filter } from './filter.ts'
import { alarmLabel } from './labels.ts'
import type { Picked } from './useSelection.ts'
import type { Past } from './TimeTravel.tsx'
import { BadgeMark, VehicleMark } from './VehicleMark.tsx'

const imeiPattern = /^\d{15}$/

/** Finds a vehicle by its printed number or its IMEI. */
export function VehicleSearch({ onFound }: { onFound: (picked: Picked) => void }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  /** The search that counts is the last one. */
  const asked = useRef(0)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    if (wanted === '') return
    asked.current += 1
    const turn = asked.current
    setBusy(true)
    setProblem(null)
    try {
      const by = imeiPattern.test(wanted) ? { imei: wanted } : { number: wanted.toUpperCase() }
      const { data } = await call(vehicleEndpoints.singleDeviceInfo, by, { quiet: true })
      if (turn !== asked.current) return
      onFound({ number: data.number })
      // Somebody may type the next one already.
      setText((typed) => (typed.trim() === wanted ? data.number : typed))
    } catch (error) {
      if (turn === asked.current) setProblem(isApiError(error) ? t(error.promot) : t('查找失败，请重试'))
    } finally {
      if (turn === asked.current) setBusy(false)
    }
  }
  return (
    <search>
      <form className="om-search" onSubmit={(event) => void submit(event)}>
        <svg
          viewBox="0 0 20 20"
          width="18"
          height="18"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.7"
          aria-hidden="true"
        >
          <circle cx="9" cy="9" r="5.2" />
          <path d="m13 13 3.6 3.6" strokeLinecap="round" />
        </svg>
        <input
          type="search"
          value={text}
          maxLength={40}
          aria-label={t('车辆编号或 IMEI')}
          placeholder={t('车辆编号或 IMEI')}
          aria-busy={busy}
          onChange={(event) => {
            setText(event.target.value)
            setProblem(null)
          }}
        />
        <kbd aria-hidden="true">/</kbd>
        {problem !== null && (
          <p className="om-search-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </search>
  )
}

interface LegendProps {
  readonly filter: Filter
  readonly theme: MapTheme
  readonly onFilter: (filter: Filter) => void
  /** The vehicles at the moment of the past that is shown; null: now. */
  readonly then: Pick<Past, 'states' | 'lowBattery'> | null
}

const figuresEveryMs = 15_000
/** States that are always shown; the others appear once a vehicle is in them. */
const usual: ReadonlySet<VehicleState> = new Set(['available', 'on_trip', 'non_operational', 'non_contactable'])

const countText = (count: number | undefined): string => (count === undefined ? '--' : number(count))

/** What the signs mean, how many vehicles of the whole scope are in each state, and a filter by a click. */
export function Legend({ filter, theme, onFilter, then }: LegendProps) {
  const { data, isError } = useEndpoint(
    vehicleEndpoints.aggregateByType,
    {},
    { refetchIntervalMs: figuresEveryMs, keepPrevious: true, quiet: true },
  )
  const now = data?.data
  const states = then === null ? now?.states : then.states
  const total = then === null ? now?.total : states && Object.values(states).reduce((sum, count) => sum + count, 0)
  const shown = vehicleStates.filter(
    (state) => usual.has(state) || filter.states.includes(state) || (states?.[state] ?? 0) > 0,
  )
  return (
    <fieldset className="om-legend" aria-label={t('按状态筛选')}>
      <p className="om-legend-head">
        <span>{then === null ? t('全部车辆') : t('当时车辆')}</span>
        <strong data-testid="fleet-total">{countText(total)}</strong>
        {isFiltering(filter) && (
          <button type="button" className="om-link" onClick={() => onFilter(everything)}>
            {t('清除筛选')}
          </button>
        )}
        {isError && <span className="om-quiet">{t('数字暂未更新')}</span>}
      </p>
      <div className="om-legend-grid">
        {shown.map((state) => (
          <button
            key={state}
            type="button"
            className="om-legend-item"
            data-state={state}
            aria-pressed={filter.states.includes(state)}
            data-dim={filter.states.length > 0 && !filter.states.includes(state)}
            onClick={() => onFilter(toggleState(filter, state))}
          >
            <VehicleMark state={state} theme={theme} size={18} headingDeg={state === 'on_trip' ? 45 : null} />
            <span>{t(vehicleStateLabels[state])}</span>
            <b>{countText(states && (states[state] ?? 0))}</b>
          </button>
        ))}
        <button
          type="button"
          className="om-legend-item"
          aria-pressed={filter.flag === 'low'}
          data-dim={filter.flag !== null && filter.flag !== 'low'}
          onClick={() => onFilter(toggleFlag(filter, 'low'))}
        >
          <BadgeMark badge="low" theme={theme} size={16} />
          <span>{t('低电量')}</span>
          <b>{countText((then ?? now)?.lowBattery)}</b>
        </button>
      </div>
      {then === null && <AlarmChips filter={filter} theme={theme} onFilter={onFilter} counts={now?.alarmVehicles} />}
    </fieldset>
  )
}

interface AlarmProps extends Omit<LegendProps, 'then'> {
  readonly counts: Readonly<Record<MapAlarm, number>> | undefined
}

/** Vehicles by their most urgent open alarm, the serious ones first; a kind appears once there is one of it. */
function AlarmChips({ filter, theme, onFilter, counts }: AlarmProps) {
  const shown = mapAlarms.filter((alarm) => (counts?.[alarm] ?? 0) > 0 || filter.alarms.includes(alarm))
  const sum = counts === undefined ? undefined : Object.values(counts).reduce((total, count) => total + count, 0)
  return (
    <div className="om-alarm-chips">
      <button
        type="button"
        className="om-legend-item"
        aria-pressed={filter.flag === 'alarm'}
        data-dim={filter.flag !== null && filter.flag !== 'alarm'}
        onClick={() => onFilter(toggleFlag(filter, 'alarm'))}
      >
        <span>{t('有告警')}</span>
        <b>{countText(sum)}</b>
      </button>
      {shown.map((alarm) => (
        <button
          key={alarm}
          type="button"
          className="om-legend-item"
          data-urgency={urgencyOf(alarm)}
          aria-pressed={filter.alarms.includes(alarm)}
          data-dim={filter.alarms.length > 0 && !filter.alarms.includes(alarm)}
          title={t('最紧急的告警是{{alarm}}的车辆', { alarm: alarmLabel(alarm) })}
          onClick={() => onFilter(toggleAlarm(filter, alarm))}
        >
          <BadgeMark badge={alarm === 'low_battery' ? 'low' : alarm} theme={theme} size={16} />
          <span>{alarmLabel(alarm)}</span>
          <b>{countText(counts?.[alarm])}</b>
        </button>
      ))}
    </div>
  )
}
