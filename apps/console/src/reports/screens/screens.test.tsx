import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { screenFigureEndpoints, type RevenueScreen } from '@saddle/contract/reports/screens.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { alarmRowsBeside, rankedAreas } from './alarmRows.ts'
import { projectionOf, stillFits, viewpointFor } from './projection.ts'
import { Rolling } from './Rolling.tsx'
import { useScreen } from './useScreen.ts'
import { changeOf, countText } from './words.ts'

let platform: FakePlatform
beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
})
afterEach(cleanup)

const content = (income: number): RevenueScreen => ({
  at: 1,
  day: '2026-11-23',
  company: '甲城',
  areaCount: 1,
  figures: { today: { income }, todayUntil: {}, lastWeekUntil: {}, until: 1 },
  hours: [],
  month: { from: '2026-11-01', now: {}, nowUntil: {}, beforeUntil: {} },
  days: [],
  channels: [],
  areas: [],
  companies: [],
})

function Probe({ onEnded }: { readonly onEnded?: () => void }) {
  const { data, failure } = useScreen<RevenueScreen>(screenFigureEndpoints.readRevenueScreen, {
    areaIds: [31],
    onEnded,
  })
  return (
    <p>
      {data === null ? 'nothing' : `income ${data.figures.today.income}`} {failure?.code ?? 'fine'}
    </p>
  )
}
const goOnline = (): boolean => dispatchEvent(new Event('online'))

test('a screen keeps its last figures while it is refused or the line is lost, and goes on by itself', async () => {
  let answer: () => { suc: true; data: RevenueScreen } = () => ({ suc: true, data: content(5) })
  platform.on(endpoints.readRevenueScreen, () => answer())
  render(<Probe />)
  await screen.findByText('income 5 fine')
  answer = () => {
    throw new AppError('unavailable')
  }
  goOnline()
  await screen.findByText('income 5 unavailable')
  answer = () => ({ suc: true, data: content(6) })
  goOnline()
  expect(await screen.findByText('income 6 fine')).toBeDefined()
})

test('a wall hears that its session has ended', async () => {
  let ended = 0
  platform.on(endpoints.readRevenueScreen, () => {
    throw new AppError('unauthorized')
  })
  render(<Probe onEnded={() => (ended += 1)} />)
  await waitFor(() => expect(ended).toBe(1))
})

test('a number that has not changed is written once', () => {
  const { container, rerender } = render(<Rolling value={1_234} format={countText} />)
  expect(container.textContent).toBe('1,234')
  rerender(<Rolling value={1_234} format={countText} />)
  expect(container.textContent).toBe('1,234')
  rerender(<Rolling value={null} format={countText} />)
  expect(container.textContent).toBe('--')
})

describe('the city behind the panels', () => {
  const bounds = { west: 120.5, south: 31.2, east: 120.7, north: 31.4 }
  const size = { width: 1_920, height: 1_080 }
  const box = { left: 500, top: 130, width: 920, height: 760 }
  const viewpoint = viewpointFor(bounds, { size, box })
  const project = projectionOf(viewpoint, size)

  it('has all of its bounds within the box, and touches two of its sides', () => {
    const [left, top] = project({ lng: bounds.west, lat: bounds.north })
    const [right, bottom] = project({ lng: bounds.east, lat: bounds.south })
    expect(Math.min(left - box.left, top - box.top)).toBeGreaterThanOrEqual(-1e-6)
    expect(right).toBeLessThanOrEqual(box.left + box.width + 1e-6)
    expect(bottom).toBeLessThanOrEqual(box.top + box.height + 1e-6)
    const isTouching = Math.abs(right - left - box.width) < 1e-6 || Math.abs(bottom - top - box.height) < 1e-6
    expect(isTouching).toBe(true)
    expect((left + right) / 2).toBeCloseTo(box.left + box.width / 2, 6)
  })

  it('stays where it is for small changes, and for a single vehicle', () => {
    expect(stillFits(bounds, { ...bounds, east: 120.71 })).toBe(true)
    expect(stillFits(bounds, { ...bounds, east: 121 })).toBe(false)
    expect(stillFits(bounds, { ...bounds, east: 120.55 })).toBe(false)
    const point = { west: 120, south: 31, east: 120, north: 31 }
    expect(stillFits(point, point)).toBe(true)
    expect(Number.isFinite(viewpointFor(point, { size, box }).zoom)).toBe(true)
  })
})

test('a change needs something to compare with', () => {
  expect([changeOf(6, 4), changeOf(3, 4), changeOf(1, 0), changeOf(null, 4)]).toEqual([0.5, -0.25, null, null])
})

test('alarms take the room that the ranking of areas leaves', () => {
  expect([1, 6, rankedAreas, rankedAreas + 1].map(alarmRowsBeside)).toEqual([17, 9, 7, 6])
})
