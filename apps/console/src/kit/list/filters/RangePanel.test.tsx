import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { dayMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { startOfDay } from '#kit/day.ts'
import { dateOnly } from '#kit/format.ts'
import RangePanel from './RangePanel.tsx'

afterEach(cleanup)

type Range = { readonly from?: number; readonly to?: number } | null
const today = startOfDay(dateOnly(serverNow())) ?? 0

it('gives the spans that are asked for most by one press, and marks the one that is set', async () => {
  const onChange = vi.fn<(range: Range) => void>()
  render(<RangePanel title="时间" from={today} to={today + dayMs} withTime={false} onChange={onChange} />)
  const presets = within(screen.getByRole('list', { name: '常用时间范围' }))
  expect(presets.getAllByRole('button').map((button) => button.textContent)).toEqual([
    '今天',
    '昨天',
    '近 7 天',
    '近 30 天',
    '本月',
    '上月',
    '不限',
  ])
  expect(presets.getByRole('button', { name: '今天' }).getAttribute('aria-pressed')).toBe('true')
  await userEvent.click(presets.getByRole('button', { name: '昨天' }))
  expect(onChange).toHaveBeenLastCalledWith({ from: today - dayMs, to: today })
  await userEvent.click(presets.getByRole('button', { name: '近 7 天' }))
  expect(onChange).toHaveBeenLastCalledWith({ from: today - 6 * dayMs, to: today + dayMs })
  await userEvent.click(presets.getByRole('button', { name: '不限' }))
  expect(onChange).toHaveBeenLastCalledWith(null)
})

it('always has a span where the past is asked for', () => {
  render(<RangePanel title="时间" from={today} to={today + dayMs} withTime={false} isPast onChange={() => {}} />)
  expect(screen.queryByRole('button', { name: '不限' })).toBeNull()
})
