import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import { overviewEndpoints, type Overview } from '@saddle/contract/reports/overview.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { queryClient } from '#kit/query.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import OverviewPage from './OverviewPage.tsx'

let platform: FakePlatform
let router: ReturnType<typeof createMemoryRouter>
const fromAt = Date.UTC(2026, 10, 22, 16)
const none = { now: 0, before: 0 }
const change = { ...none, areas: [], otherAreas: none, hours: null, factors: null }
/** A day of a company on which nobody rode, nor on those that it is compared with. */
const empty: Overview = {
  day: '2026-11-23',
  basis: '2026-11-22',
  until: fromAt + 9 * hourMs,
  fromAt,
  toAt: fromAt + 9 * hourMs,
  basisFromAt: fromAt - 24 * hourMs,
  basisToAt: fromAt - 15 * hourMs,
  figures: [0, 0, null, null, null, null].map((value) => ({ now: value, dayBefore: value, weekBefore: value })),
  hours: Array.from({ length: 24 }, (_, hour) => ({
    hour: String(hour).padStart(2, '0'),
    rides: { now: hour < 9 ? 0 : null, before: 0 },
    netCents: { now: hour < 9 ? 0 : null, before: 0 },
  })),
  rides: change,
  netCents: change,
  available: null,
  vehicles: null,
}

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  overridePermissions(['02', '1601', '11', '1103', '17', '1702'])
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
})
afterEach(() => {
  cleanup()
  router.dispose()
  queryClient.clear()
  vi.unstubAllGlobals()
})

function show({ overview, vehicles }: { readonly overview: Overview; readonly vehicles: number }): void {
  platform.on(overviewEndpoints.readOverview, () => ({ suc: true, data: overview }))
  platform.on(vehicleEndpoints.aggregateByType, () => ({ suc: true, data: { total: vehicles, states: {} } }))
  router = createMemoryRouter([{ path: '*', element: <OverviewPage /> }])
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}
const hrefs = (element: HTMLElement): (string | null)[] =>
  within(element)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))

test('a company without a vehicle is told what comes first, and no figures of nothing', async () => {
  show({ overview: empty, vehicles: 0 })
  const steps = await screen.findByRole('region', { name: '从这里开始' })
  expect(hrefs(steps)).toContain('/agent/service-area-management')
  expect(document.querySelector('.figure')).toBeNull()
})

test('a company with vehicles and no rides has its zeros, nothing divided by them, and what a ride needs', async () => {
  show({ overview: empty, vehicles: 3 })
  await screen.findByText('没有骑行可比较')
  const figures = [...document.querySelectorAll('.figure')].map(({ textContent }) => textContent)
  expect(figures).toHaveLength(6)
  expect(figures.join(' ')).not.toMatch(/NaN|Infinity|undefined/)
  expect(figures.map((text) => (text ?? '').includes('--'))).toEqual([false, false, true, true, true, true])
  expect(screen.getByText('骑行次数 0，与昨天同时段相同')).toBeTruthy()
  expect(screen.getByRole('region', { name: '从这里开始' })).toBeTruthy()
})

test('a figure leads to the orders of its hours, in the states that it counts', async () => {
  show({ overview: { ...empty, figures: empty.figures.with(0, { now: 5, dayBefore: 0, weekBefore: 0 }) }, vehicles: 3 })
  const figure = await screen.findByRole('link', { name: /骑行次数/ })
  const [path, query] = (figure.getAttribute('href') ?? '').split('?')
  expect(path).toBe('/user-order')
  expect(JSON.parse(new URLSearchParams(query).get('filter') ?? '')).toEqual({
    from: empty.fromAt,
    to: empty.toAt,
    states: ['due', 'paid', 'part_refunded', 'refunded'],
  })
})
