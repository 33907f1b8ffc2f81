import { useMemo, useState, type ReactNode } from 'react'
import { pastEndpoints } from '@saddle/contract/fleet/past.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { PlayerBar } from '#kit/tracks/PlayerBar.tsx'
import { wayOf, type Way } from '#kit/tracks/track.ts'
import { usePlayer, type Player } from '#kit/tracks/usePlayer.ts'

export interface TrackState {
  readonly open: boolean
  readonly waiting: boolean
  readonly way: Way | null
  readonly player: Player
  readonly shown: { readonly way: Way; readonly atMs: number } | null
  readonly toggle: () => void
}

/** The last day of the picked vehicle's way; another vehicle closes it. */
export function useTrack(vehicleId: number | null): TrackState {
  const [asked, setAsked] = useState<{ vehicleId: number; to: number } | null>(null)
  const open = asked !== null && asked.vehicleId === vehicleId
  const to = asked?.to ?? 0
  const input = { vehicleId: asked?.vehicleId ?? 0, from: to - dayMs, to }
  const { data } = useEndpoint(pastEndpoints.itinerary, input, { enabled: open, staleMs: dayMs })
  const list = open ? data?.data.list : undefined
  const way = useMemo(() => (list === undefined ? null : wayOf(list)), [list])
  const player = usePlayer({ from: way?.from ?? 0, to: way?.to ?? 0 })
  return {
    open,
    waiting: open && way === null,
    way,
    player,
    shown: way === null || way.legs.length === 0 ? null : { way, atMs: player.atMs },
    toggle: () => setAsked(open || vehicleId === null ? null : { vehicleId, to: serverNow() }),
  }
}

export function TrackBar({ track }: { track: TrackState }): ReactNode {
  const { waiting, way, player, toggle } = track
  const close = (
    <Button look="quiet" onClick={toggle}>
      {t('收起')}
    </Button>
  )
  return (
    <section className="om-past om-track" aria-label={t('近 24 小时的轨迹')}>
      {way === null || way.legs.length === 0 ? (
        <header>
          <output>{waiting ? t('正在读取…') : t('近 24 小时没有上报位置')}</output>
          {close}
        </header>
      ) : (
        <PlayerBar player={player} from={way.from} to={way.to}>
          {close}
        </PlayerBar>
      )}
    </section>
  )
}
