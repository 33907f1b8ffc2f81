import { useState, type FormEvent } from 'react'
import {
  vehicleEndpoints,
  vehicleStateLabels,
  vehicleStates,
  type VehicleState,
} from '@saddle/contract/fleet/vehicles.ts'
import { call, isApiError } from '#kit/api/client.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import { useEndpoint } from '#kit/query.ts'
import { everything, isFiltering, toggleFlag, toggleState, type Filter } from './filter.ts'
import type { Picked } from './useSelection.ts'
import { BadgeMark, VehicleMark } from './VehicleMark.tsx'

const imeiPattern = /^\d{15}$/

/** Finds a vehicle by its printed number or its IMEI. */
export function VehicleSearch({ onFound }: { onFound: (picked: Picked) => void }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    if (wanted === '' || busy) return
    setBusy(true)
    setProblem(null)
    try {
      const by = imeiPattern.test(wanted) ? { imei: wanted } : { number: wanted.toUpperCase() }
      const { data } = await call(vehicleEndpoints.singleDeviceInfo, by, { quiet: true })
      onFound({ number: data.number })
      setText(data.number)
    } catch (error) {
      setProblem(isApiError(error) ? t(error.promot) : t('查找失败，请重试'))
    } finally {
      setBusy(false)
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
}

const figuresEveryMs = 15_000
/** States that are always shown; the others appear once a vehicle is in them. */
const usual: ReadonlySet<VehicleState> = new Set(['available', 'on_trip', 'non_operational', 'non_contactable'])

const countText = (count: number | undefined): string => (count === undefined ? '--' : number(count))

/** What the signs mean, how many vehicles of the whole scope are in each state, and a filter by a click. */
export function Legend({ filter, theme, onFilter }: LegendProps) {
  const { data, isError } = useEndpoint(
    vehicleEndpoints.aggregateByType,
    {},
    { refetchIntervalMs: figuresEveryMs, keepPrevious: true, quiet: true },
  )
  const figures = data?.data
  const shown = vehicleStates.filter(
    (state) => usual.has(state) || filter.states.includes(state) || (figures?.states[state] ?? 0) > 0,
  )
  return (
    <fieldset className="om-legend" aria-label={t('按状态筛选')}>
      <p className="om-legend-head">
        <span>{t('全部车辆')}</span>
        <strong data-testid="fleet-total">{countText(figures?.total)}</strong>
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
            <b>{countText(figures && (figures.states[state] ?? 0))}</b>
          </button>
        ))}
        {(['low', 'alarm'] as const).map((flag) => (
          <button
            key={flag}
            type="button"
            className="om-legend-item"
            aria-pressed={filter.flag === flag}
            data-dim={filter.flag !== null && filter.flag !== flag}
            onClick={() => onFilter(toggleFlag(filter, flag))}
          >
            <BadgeMark badge={flag} theme={theme} size={16} />
            <span>{flag === 'low' ? t('低电量') : t('告警')}</span>
            <b>{countText(flag === 'low' ? figures?.lowBattery : figures?.openAlarms)}</b>
          </button>
        ))}
      </div>
    </fieldset>
  )
}
