import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { reportCalendarEndpoints } from '@saddle/contract/reports/calendar.ts'
import { reportFigureEndpoints } from '@saddle/contract/reports/figures.ts'
import { forgetPreferences } from '#kit/list/preferences.ts'
import { forgetQuestions } from '#kit/list/question.ts'
import { forgetTrails } from '#kit/list/trail.ts'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { FiguresPage } from './FiguresPage.tsx'

configure({ asyncUtilTimeout: 15_000 })

let platform: FakePlatform
let router: ReturnType<typeof createMemoryRouter>
const row = { key: '2026-11-20', name: '2026-11-20', fromAt: 1, toAt: 2 }
const nothing = { from: '2026-11-01', to: '2026-11-02', total: {} }

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  overridePermissions(['1502'])
  forgetPreferences()
  forgetQuestions()
  forgetTrails()
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  platform.on(reportFigureEndpoints.readReport, () => ({
    suc: true,
    data: {
      total: { rides: 3 },
      rows: [],
      isCut: false,
      comparedUntil: null,
      compared: { rides: 3 },
      before: { ...nothing, rows: [] },
      yearBefore: nothing,
      freshAt: 1,
    },
  }))
  platform.on(reportFigureEndpoints.listReportRows, () => ({
    suc: true,
    data: { list: [{ ...row, rides: 3 }], nextCursor: null, count: 1, isCountCut: false },
  }))
  platform.on(reportFigureEndpoints.listReportModels, () => ({ suc: true, data: { list: ['SD-E2', 'SD-K1'] } }))
  platform.on(areaEndpoints.listServiceAreas, () => ({ suc: true, data: { list: [] } }))
  platform.on(reportCalendarEndpoints.readReportCalendar, () => ({
    suc: true,
    data: { zone: 'Asia/Shanghai', dayStartsAt: 0, changedAt: null, changedBy: null, pending: null },
  }))
})
afterEach(() => {
  cleanup()
  router.dispose()
  queryClient.clear()
  clearToasts()
  vi.unstubAllGlobals()
})

async function show(): Promise<void> {
  router = createMemoryRouter([{ path: '*', element: <FiguresPage report="orders" /> }])
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByRole('cell', { name: '2026-11-20' })
}
const asked = (): object => {
  const key = `GET ${reportFigureEndpoints.readReport.path}`
  const last = platform.heard.findLast((one) => one.key === key)?.input as { readonly filter: object } | undefined
  return last?.filter ?? {}
}

test('a report narrowed by model is kept as a view, and restored when its page is opened anew', async () => {
  await show()
  await userEvent.click(screen.getByRole('button', { name: '月份' }))
  await userEvent.click(screen.getByRole('button', { name: '近 7 天' }))
  const filter = screen.getAllByRole('button', { name: '车型' }).find((one) => one.closest('.filter') !== null)
  await userEvent.click(filter ?? document.body)
  await userEvent.click(await screen.findByRole('checkbox', { name: 'SD-K1' }))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(asked()).toMatchObject({ report: 'orders', by: 'month', models: ['SD-K1'] }))
  const kept = asked()
  await userEvent.click(screen.getByRole('button', { name: '视图' }))
  await userEvent.type(screen.getByRole('textbox', { name: '视图名称' }), '新车型{Enter}')
  cleanup()
  router.dispose()
  queryClient.clear()
  forgetQuestions()
  await show()
  await waitFor(() => expect(asked()).toMatchObject({ by: 'day' }))
  expect(asked()).not.toHaveProperty('models')
  await userEvent.click(screen.getByRole('button', { name: '视图' }))
  await userEvent.click(await screen.findByRole('button', { name: '新车型' }))
  await waitFor(() => expect(asked()).toEqual(kept))
})
