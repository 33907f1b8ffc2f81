import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { pastDays } from '@saddle/contract/fleet/past.ts'
import { searchEndpoints } from '@saddle/contract/fleet/search.ts'
import { isLowBattery, type VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { instantOf } from '#kit/form/otherFields.tsx'
import { dateOnly, dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { PlayerBar } from '#kit/tracks/PlayerBar.tsx'
import { usePlayer } from '#kit/tracks/usePlayer.ts'
import { useEndpoint } from '#kit/query.ts'
import { DayInput } from '#kit/ui/DayInput.tsx'
import type { Filter } from './filter.ts'
import type { MapMode } from './mode.ts'
import { passesPast, statesOf } from './pastFilter.ts'
import type { PastPlace } from './replay.ts'
import { useReplay } from './useReplay.ts'

interface Props {
  readonly at: number
  readonly onAt: (at: number | null) => void
  readonly filter: Filter
  readonly mode: MapMode
  readonly onPlaces: (past: Past) => void
}

/** The vehicles of the moment that meet the conditions, and how many of all were in each state; not known before it is read. */
export interface Past {
  readonly places: readonly PastPlace[]
  /** The picked vehicle is told of even when it meets none. */
  readonly all: readonly PastPlace[]
  readonly states: Partial<Record<VehicleState, number>> | undefined
  readonly lowBattery: number | undefined
}
export const noPast: Past = { places: [], all: [], states: undefined, lowBattery: undefined }

/** History is fetched this far ahead of playback. */
const aheadMs = 3 * hourMs
const drawEveryMs = 100
/** `YYYY-MM-DD HH:mm` of a time with seconds. */
const minuteDigits = 16

/** The fleet as it was at a moment of the past days, played on from there. */
export function TimeTravel({ at, onAt, filter, mode, onPlaces }: Props): ReactNode {
  const [span, setSpan] = useState(() => spanFrom(at))
  if (at < span.from || at > span.to) setSpan(spanFrom(at))
  const player = usePlayer({ ...span, startsAt: at, speed: 300 })
  const wantedTo = Math.min(span.to, player.atMs + aheadMs)
  const { replay, loadedTo, error } = useReplay({ from: span.from, wantedTo })
  const tick = Math.floor(player.atMs / drawEveryMs)
  const isReady = replay !== null && player.atMs <= loadedTo
  const ids = useRegistered(mode)
  const all = useMemo(
    // Never before the span: stationary vehicles are known from its first moment.
    () => (replay === null ? [] : replay.placesAt(Math.max(span.from, Math.min(tick * drawEveryMs, loadedTo)))),
    [replay, tick, loadedTo, span.from],
  )
  const { batteryTo, idleHours } = mode
  const past = useMemo((): Past => {
    const ask = { filter, mode: { batteryTo, idleHours }, ids, atMs: tick * drawEveryMs }
    if (replay === null) return noPast
    const lowBattery = all.filter((place) => isLowBattery(place)).length
    return { places: all.filter((place) => passesPast(place, ask)), all, states: statesOf(all), lowBattery }
  }, [replay, all, filter, batteryTo, idleHours, ids, tick])
  useEffect(() => onPlaces(past), [past, onPlaces])
  const { places } = past
  const riding = places.reduce((sum, { state }) => sum + (state === 'on_trip' ? 1 : 0), 0)
  return (
    <section className="om-past" aria-label={t('时间回溯')}>
      <header>
        <strong>{t('正在查看过去：{{at}}', { at: dateTime(player.atMs) })}</strong>
        <output>
          {error !== null
            ? t(error.promot)
            : isReady
              ? t('{{count}} 辆车，{{riding}} 辆骑行中', { count: places.length, riding })
              : t('正在读取…')}
        </output>
        <DayInput
          label={t('选择时刻')}
          value={dateTime(player.atMs).slice(0, minuteDigits)}
          min={dateOnly(serverNow() - pastDays * dayMs)}
          max={dateOnly(serverNow())}
          withTime
          isOptional={false}
          onChange={(text) => {
            const chosen = instantOf(text)
            if (chosen !== undefined) onAt(chosen)
          }}
        />
        <Button look="primary" onClick={() => onAt(null)}>
          {t('回到现在')}
        </Button>
      </header>
      <PlayerBar player={player} from={span.from} to={span.to} />
    </section>
  )
}

/** Vehicles of the wanted areas and models, as they are registered now; null: nothing was asked. */
function useRegistered({ areaIds, models }: MapMode): ReadonlySet<number> | null {
  const isAsked = areaIds.length > 0 || models.length > 0
  const filter = {
    ...(areaIds.length > 0 && { areaIds: [...areaIds] }),
    ...(models.length > 0 && { models: [...models] }),
  }
  const { data } = useEndpoint(
    searchEndpoints.findVehicleIds,
    { filter },
    { enabled: isAsked, staleMs: minuteMs, quiet: true },
  )
  const list = data?.data.ids
  return useMemo(() => (isAsked ? new Set(list) : null), [isAsked, list])
}

/** A day from the moment on, or what there is of it. */
function spanFrom(at: number): { from: number; to: number } {
  const now = serverNow()
  const from = Math.min(now - minuteMs, Math.max(at, now - pastDays * dayMs))
  return { from, to: Math.min(now, from + dayMs) }
}
