import { useMemo, useState, type ReactNode } from 'react'
import { pastDays, pastEndpoints } from '@saddle/contract/fleet/past.ts'
import { addDays, businessDayEnd, businessDayOf, businessDayStart, dayMs, minuteMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { PlayerBar } from '#kit/tracks/PlayerBar.tsx'
import { wayOf, type Leg, type Way } from '#kit/tracks/track.ts'
import { usePlayer, type Player } from '#kit/tracks/usePlayer.ts'
import { SelectOne } from '#kit/ui/SelectOne.tsx'

export interface TrackState {
  readonly open: boolean
  readonly waiting: boolean
  readonly way: Way | null
  readonly player: Player
  readonly shown: { readonly way: Way; readonly atMs: number } | null
  readonly toggle: () => void
  /** The business day that is shown. */
  readonly day: string
  readonly setDay: (day: string) => void
}

/** One day of the picked vehicle's way, at first today; another vehicle closes it. */
export function useTrack(vehicleId: number | null): TrackState {
  const [asked, setAsked] = useState<{ vehicleId: number; day: string; now: number } | null>(null)
  const open = asked !== null && asked.vehicleId === vehicleId
  const { day, now } = asked ?? { day: '2000-01-01', now: 0 }
  const from = businessDayStart(day)
  const to = Math.min(businessDayEnd(day), Math.max(from + minuteMs, now))
  const input = { vehicleId: asked?.vehicleId ?? 0, from, to }
  const { data } = useEndpoint(pastEndpoints.itinerary, input, { enabled: open, staleMs: dayMs })
  const list = open ? data?.data.list : undefined
  const way = useMemo(() => (list === undefined ? null : within(wayOf(list), from)), [list, from])
  const player = usePlayer({ from: way?.from ?? 0, to: way?.to ?? 0 })
  return {
    open,
    waiting: open && way === null,
    way,
    player,
    shown: way === null || way.legs.length === 0 ? null : { way, atMs: player.atMs },
    toggle: () => {
      const nowMs = serverNow()
      setAsked(open || vehicleId === null ? null : { vehicleId, day: businessDayOf(nowMs), now: nowMs })
    },
    day,
    setDay: (next) => asked !== null && setAsked({ ...asked, day: next, now: serverNow() }),
  }
}

/** A stop that began on an earlier day begins here with the day. */
function within(way: Way, from: number): Way {
  const legs = way.legs.map((leg) => (leg.kind === 'stay' && leg.startedAt < from ? { ...leg, startedAt: from } : leg))
  return { ...way, legs, from: legs[0]?.startedAt ?? from }
}

/** A day's rides and stops: each of them leads the player there. */
export function TrackBar({ track }: { track: TrackState }): ReactNode {
  const { waiting, way, player, toggle, day, setDay } = track
  const today = businessDayOf(serverNow())
  const days = Array.from({ length: pastDays }, (_, back) => addDays(today, -back))
  const rides = way?.legs.filter(({ kind }) => kind === 'trip').length ?? 0
  return (
    <section className="om-past om-track" aria-label={t('按天的轨迹')}>
      <header>
        <Button
          look="quiet"
          disabled={day <= (days.at(-1) ?? today)}
          aria-label={t('前一天')}
          onClick={() => setDay(addDays(day, -1))}
        >
          ‹
        </Button>
        <SelectOne
          label={t('日期')}
          value={day}
          options={days.map((one) => ({ value: one, label: one === today ? t('今天') : one }))}
          onChange={setDay}
        />
        <Button look="quiet" disabled={day >= today} aria-label={t('后一天')} onClick={() => setDay(addDays(day, 1))}>
          ›
        </Button>
        <output>
          {waiting
            ? t('正在读取…')
            : way === null || way.legs.length === 0
              ? t('这一天没有上报位置')
              : t('{{count}} 次骑行', { count: rides })}
        </output>
        <Button look="quiet" onClick={toggle}>
          {t('收起')}
        </Button>
      </header>
      {way !== null && way.legs.length > 0 && (
        <>
          <Legs way={way} player={player} />
          <PlayerBar player={player} from={way.from} to={way.to} />
        </>
      )}
    </section>
  )
}

/** Stops shorter than this are part of the ride: a red light, a look at the map. */
const shortestStopMs = 3 * minuteMs

function Legs({ way, player }: { way: Way; player: Player }) {
  const shown = way.legs.filter(
    ({ kind, startedAt, endedAt }) => kind === 'trip' || endedAt - startedAt >= shortestStopMs,
  )
  return (
    <ol className="om-legs" aria-label={t('骑行与停留')}>
      {shown.map((leg) => (
        <li key={`${leg.kind} ${leg.startedAt}`}>
          <button
            type="button"
            className="om-chip"
            data-kind={leg.kind}
            aria-current={player.atMs >= leg.startedAt && player.atMs < leg.endedAt ? 'step' : undefined}
            onClick={() => player.seek(leg.startedAt)}
          >
            {wordsOf(leg)}
          </button>
        </li>
      ))}
    </ol>
  )
}

function wordsOf({ kind, startedAt, endedAt, distanceM }: Leg): string {
  const minutes = Math.max(1, Math.round((endedAt - startedAt) / minuteMs))
  const from = dateTime(startedAt).slice(11, 16)
  if (kind === 'trip')
    return t('{{from}} 骑行 {{minutes}} 分 · {{km}} km', { from, minutes, km: (distanceM / 1_000).toFixed(1) })
  return minutes < 60
    ? t('{{from}} 停留 {{minutes}} 分', { from, minutes })
    : t('{{from}} 停留 {{hours}} 小时', { from, hours: (minutes / 60).toFixed(1) })
}
