import type { ReactNode } from 'react'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import { playSpeeds, type Player, type PlaySpeed } from './usePlayer.ts'
import './tracks.css'

interface Props {
  readonly player: Player
  readonly from: number
  readonly to: number
  readonly children?: ReactNode
}

/** Play, pause, speed, and a time slider. */
export function PlayerBar({ player, from, to, children }: Props): ReactNode {
  const { atMs, isPlaying, speed, seek, toggle, setSpeed } = player
  return (
    <fieldset className="player" aria-label={t('轨迹回放')}>
      <button type="button" className="player-toggle" aria-label={isPlaying ? t('暂停') : t('播放')} onClick={toggle}>
        {isPlaying ? '❚❚' : '▶'}
      </button>
      <input
        type="range"
        min={from}
        max={Math.max(from + 1, to)}
        step={1000}
        value={atMs}
        aria-label={t('时间')}
        aria-valuetext={dateTime(atMs)}
        onChange={(event) => seek(Number(event.target.value))}
      />
      <time>{dateTime(atMs)}</time>
      <SelectOne<PlaySpeed>
        label={t('速度')}
        value={speed}
        options={playSpeeds.map((each) => ({ value: each, label: `${each}×` }))}
        onChange={setSpeed}
      />
      {children}
    </fieldset>
  )
}
