import { useEffect, useMemo, useState, type ReactNode } from 'react'
import { pastDays } from '@saddle/contract/fleet/past.ts'
import { businessOffsetMs, dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { PlayerBar } from '#kit/tracks/PlayerBar.tsx'
import { usePlayer } from '#kit/tracks/usePlayer.ts'
import type { PastPlace } from './replay.ts'
import { useReplay } from './useReplay.ts'

interface Props {
  readonly at: number
  readonly onAt: (at: number | null) => void
  readonly onPlaces: (places: readonly PastPlace[]) => void
}

/** History is fetched this far ahead of playback. */
const aheadMs = 3 * hourMs
const drawEveryMs = 100

/** The fleet as it was at a moment of the past days, played on from there. */
export function TimeTravel({ at, onAt, onPlaces }: Props): ReactNode {
  const [span, setSpan] = useState(() => spanFrom(at))
  if (at < span.from || at > span.to) setSpan(spanFrom(at))
  const player = usePlayer({ ...span, startsAt: at, speed: 300 })
  const wantedTo = Math.min(span.to, player.atMs + aheadMs)
  const { replay, loadedTo, error } = useReplay({ from: span.from, wantedTo })
  const tick = Math.floor(player.atMs / drawEveryMs)
  const isReady = replay !== null && player.atMs <= loadedTo
  const places = useMemo(
    // Never before the span: stationary vehicles are known from its first moment.
    () => (replay === null ? [] : replay.placesAt(Math.max(span.from, Math.min(tick * drawEveryMs, loadedTo)))),
    [replay, tick, loadedTo, span.from],
  )
  useEffect(() => onPlaces(places), [places, onPlaces])
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
        <input
          type="datetime-local"
          aria-label={t('选择时刻')}
          value={localText(player.atMs)}
          min={localText(serverNow() - pastDays * dayMs)}
          max={localText(serverNow())}
          onChange={(event) => {
            const chosen = msOf(event.target.value)
            if (chosen !== null) onAt(chosen)
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

/** A day from the moment on, or what there is of it. */
function spanFrom(at: number): { from: number; to: number } {
  const now = serverNow()
  const from = Math.min(now - minuteMs, Math.max(at, now - pastDays * dayMs))
  return { from, to: Math.min(now, from + dayMs) }
}

/** As the field for a date and a time has it, by business time whatever the zone of the browser. */
const localText = (ms: number): string => new Date(ms + businessOffsetMs).toISOString().slice(0, 16)

function msOf(text: string): number | null {
  const ms = Date.parse(`${text}:00Z`)
  return Number.isNaN(ms) ? null : ms - businessOffsetMs
}
