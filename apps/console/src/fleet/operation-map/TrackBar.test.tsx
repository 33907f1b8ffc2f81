import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { addDays, businessDayOf, minuteMs } from '@saddle/contract/time.ts'
import { pastDays } from '@saddle/contract/fleet/past.ts'
import { serverNow } from '#kit/clock.ts'
import type { Leg } from '#kit/tracks/track.ts'
import type { Player } from '#kit/tracks/usePlayer.ts'
import { TrackBar, type TrackState } from './TrackBar.tsx'

afterEach(cleanup)

const ten = Date.UTC(2026, 10, 21, 2)
const leg = (kind: Leg['kind'], fromMinute: number, minutes: number): Leg => ({
  kind,
  startedAt: ten + fromMinute * minuteMs,
  endedAt: ten + (fromMinute + minutes) * minuteMs,
  distanceM: kind === 'trip' ? 2_340 : 0,
  points: [],
})
const legs = [leg('stay', 0, 90), leg('trip', 90, 12), leg('stay', 102, 2), leg('trip', 104, 3)]

function track(parts: Partial<TrackState> = {}): TrackState {
  const player = {
    atMs: ten + 95 * minuteMs,
    isPlaying: false,
    speed: 1,
    seek: vi.fn<Player['seek']>(),
    toggle: vi.fn<Player['toggle']>(),
    setSpeed: vi.fn<Player['setSpeed']>(),
  } as Player
  const way = { legs, from: ten, to: ten + 107 * minuteMs }
  return {
    open: true,
    waiting: false,
    way,
    player,
    shown: null,
    toggle: vi.fn<TrackState['toggle']>(),
    day: businessDayOf(serverNow()),
    setDay: vi.fn<TrackState['setDay']>(),
    ...parts,
  }
}

it('lists rides and stops of the day without the short halts, and leads the player to each', () => {
  const given = track()
  render(<TrackBar track={given} />)
  expect(screen.getByText('2 次骑行')).toBeTruthy()
  const chips = [...screen.getByRole('list', { name: '骑行与停留' }).querySelectorAll('button')]
  expect(chips.map(({ textContent }) => textContent)).toEqual([
    '10:00 停留 1.5 小时',
    '11:30 骑行 12 分 · 2.3 km',
    '11:44 骑行 3 分 · 2.3 km',
  ])
  expect(chips.map((chip) => chip.getAttribute('aria-current'))).toEqual([null, 'step', null])
  fireEvent.click(chips[2]!)
  expect(given.player.seek).toHaveBeenCalledExactlyOnceWith(ten + 104 * minuteMs)
})

it('goes a day back and not beyond today', () => {
  const today = businessDayOf(serverNow())
  const given = track()
  const { rerender } = render(<TrackBar track={given} />)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '后一天' }).disabled).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: '前一天' }))
  expect(given.setDay).toHaveBeenCalledExactlyOnceWith(addDays(today, -1))
  rerender(<TrackBar track={track({ day: addDays(today, 1 - pastDays) })} />)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: '前一天' }).disabled, 'nothing older is kept').toBe(true)
})

it('says that the day has no positions', () => {
  render(<TrackBar track={track({ way: { legs: [], from: 0, to: 0 } })} />)
  expect(screen.getByText('这一天没有上报位置')).toBeTruthy()
  expect(screen.queryByRole('slider')).toBeNull()
})
