import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
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

let platform: FakePlatform
let router: ReturnType<typeof createMemoryRouter>
const row = { key: '2026-11-20', name: '2026-11-20', fromAt: 1, toAt: 2 }
const nothing = { from: '2026-11-01', to: '2026-11-02', total: {}, rows: [] }

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
      before: nothing,
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

test('the chart draws the span before, or the year before when it is chosen', async () => {
  const rowsOf = (year: number, rides: number) => [
    { ...row, key: `${year}-11-20`, name: `${year}-11-20`, values: { rides } },
    { ...row, key: `${year}-11-21`, name: `${year}-11-21`, values: { rides: rides + 1 } },
  ]
  platform.on(reportFigureEndpoints.readReport, (input) => {
    const { filter } = input as { readonly filter: { readonly from: string } }
    const isPast = filter.from.startsWith('2025')
    return {
      suc: true,
      data: {
        total: { rides: 3 },
        rows: isPast ? rowsOf(2025, 41) : rowsOf(2026, 3),
        isCut: false,
        comparedUntil: null,
        compared: { rides: 3 },
        before: { ...nothing, rows: rowsOf(2026, 71) },
        yearBefore: { from: '2025-11-20', to: '2025-11-21', total: {}, rows: [] },
        freshAt: 1,
      },
    }
  })
  await show()
  const drawn = () => document.querySelector('.chart .visually-hidden')?.textContent ?? ''
  await waitFor(() => expect(drawn()).toContain('前一时段'))
  expect(platform.heard.some(({ input }) => JSON.stringify(input ?? {}).includes('"2025-11-20"'))).toBe(false)
  await userEvent.click(screen.getByRole('combobox', { name: '图中的对比' }))
  await userEvent.click(await screen.findByTitle('去年同期'))
  await waitFor(() => expect(drawn()).toContain('去年同期'))
  await waitFor(() => expect(drawn()).toContain('42'))
  expect(drawn()).not.toContain('72')
})

test('areas stand beside themselves in the span before and in the year before, by their keys', async () => {
  const area = (key: string, rides: number) => ({ ...row, key, name: `服务区 ${key}`, values: { rides } })
  platform.on(reportFigureEndpoints.readReport, () => ({
    suc: true,
    data: {
      total: { rides: 12 },
      rows: [area('31', 5), area('32', 7)],
      isCut: false,
      comparedUntil: null,
      compared: { rides: 12 },
      before: { ...nothing, rows: [area('30', 900), area('31', 41)] },
      yearBefore: { ...nothing, rows: [area('32', 61)] },
      freshAt: 1,
    },
  }))
  await show()
  const groups = within(screen.getByRole('group', { name: '分组' }))
  await userEvent.click(groups.getByRole('button', { name: '服务区' }))
  const drawn = () => document.querySelector('.chart .visually-hidden')?.textContent ?? ''
  await waitFor(() => expect(drawn()).toContain('前一时段：最低 41，最高 41'))
  const asks = platform.heard.length
  await userEvent.click(screen.getByRole('combobox', { name: '图中的对比' }))
  await userEvent.click(await screen.findByTitle('去年同期'))
  await waitFor(() => expect(drawn()).toContain('去年同期：最低 61，最高 61'))
  expect(platform.heard.length).toBe(asks)
})
