import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { PlayerBar } from './PlayerBar.tsx'
import { playSpeeds, type Player } from './usePlayer.ts'

afterEach(cleanup)

it('plays, pauses, seeks and changes its speed', async () => {
  const from = Date.UTC(2026, 10, 21, 2)
  const calls = {
    seek: vi.fn<Player['seek']>(),
    toggle: vi.fn<Player['toggle']>(),
    setSpeed: vi.fn<Player['setSpeed']>(),
  }
  const player = { atMs: from, isPlaying: false, speed: 1, ...calls } as Player
  const { rerender } = render(<PlayerBar player={player} from={from} to={from + 60_000} />)
  await userEvent.click(screen.getByRole('button', { name: '播放' }))
  expect(calls.toggle).toHaveBeenCalledOnce()
  const slider = screen.getByRole('slider', { name: '时间' })
  expect(slider.getAttribute('aria-valuetext')).toBe('2026-11-21 10:00:00')
  fireEvent.change(slider, { target: { value: String(from + 30_000) } })
  expect(calls.seek).toHaveBeenCalledWith(from + 30_000)
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '速度' }))
  const last = playSpeeds.at(-1)
  fireEvent.click(await screen.findByTitle(`${last}×`))
  expect(calls.setSpeed).toHaveBeenCalledWith(last)
  rerender(<PlayerBar player={{ ...player, isPlaying: true }} from={from} to={from} />)
  expect(screen.getByRole('button', { name: '暂停' })).toBeTruthy()
})
