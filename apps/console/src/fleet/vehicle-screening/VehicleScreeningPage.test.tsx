import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { searchEndpoints, type Screening, type VehicleRow } from '@saddle/contract/fleet/search.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { forgetPreferences } from '#kit/list/preferences.ts'
import { forgetQuestions } from '#kit/list/question.ts'
import { forgetTrails } from '#kit/list/trail.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import VehicleScreeningPage from './VehicleScreeningPage.tsx'

// The page loads chunks on demand; the timeout only ends a hung test.

const vehicle: VehicleRow = {
  id: 1,
  number: 'SD100001',
  imei: '867584031000016',
  model: 'SD-E2',
  protocol: 'omni',
  firmware: null,
  agentId: 3,
  company: '青禾出行',
  areaId: 31,
  areaName: '老城服务区',
  state: 'available',
  online: true,
  locked: true,
  batteryPercent: 14,
  lowBattery: true,
  signal: 20,
  position: null,
  heardAt: Date.UTC(2026, 10, 20),
  idleSince: Date.UTC(2026, 10, 19),
  openAlarms: ['power_cut'],
  openTasks: ['battery_swap'],
}
const saved: Screening = {
  id: 5,
  name: '有未关闭告警',
  filter: { alarms: [] },
  shared: true,
  own: true,
  authorName: '王芳',
  updatedAt: Date.UTC(2026, 10, 20),
}

let platform: FakePlatform
let screenings: Screening[] = []
let router: ReturnType<typeof createMemoryRouter>

const inputsOf = (key: string): unknown[] => platform.heard.filter((one) => one.key === key).map(({ input }) => input)
const lastAsked = () => inputsOf(`GET ${searchEndpoints.searchVehicles.path}`).at(-1) as { filter: object }

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  overridePermissions(['0301', '030101', '0302', '0307'])
  forgetPreferences()
  forgetQuestions()
  forgetTrails()
  screenings = [saved]
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  platform.on(searchEndpoints.searchVehicles, () => ({
    suc: true,
    data: { list: [vehicle], nextCursor: '2', count: 3, isCountCut: false },
  }))
  platform.on(searchEndpoints.vehicleChoices, () => ({ suc: true, data: { models: [], firmwares: [], alarms: [] } }))
  platform.on(searchEndpoints.findVehicleIds, () => ({ suc: true, data: { ids: [1, 2, 3], isCut: false } }))
  platform.on(searchEndpoints.listScreenings, () => ({ suc: true, data: { list: screenings } }))
  platform.on(areaEndpoints.listServiceAreas, () => ({ suc: true, data: { list: [] } }))
  platform.on(searchEndpoints.saveScreening, (input) => {
    const one = { ...saved, ...(input as Pick<Screening, 'name' | 'filter' | 'shared'>), id: 6 }
    screenings = [...screenings, one]
    return { suc: true, data: one }
  })
  platform.on(searchEndpoints.removeScreening, () => {
    screenings = []
    return { suc: true, data: {} }
  })
})
afterEach(() => {
  cleanup()
  router.dispose()
  queryClient.clear()
  clearToasts()
  vi.unstubAllGlobals()
})

async function show(): Promise<HTMLElement> {
  router = createMemoryRouter([{ path: '*', element: <VehicleScreeningPage /> }])
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByRole('link', { name: 'SD100001' })
  const kept = screen.getByRole('complementary', { name: '保存的条件' })
  await within(kept).findByRole('button', { name: /^有未关闭告警/ })
  return kept
}

test('a saved filter is one press away, and "any alarm" can be seen and taken off', async () => {
  const kept = await show()
  await userEvent.click(within(kept).getByRole('button', { name: /^有未关闭告警/ }))
  await screen.findByRole('button', { name: '未关闭告警： 任意' })
  await waitFor(() => expect(lastAsked().filter).toEqual({ alarms: [] }))
  expect(
    within(kept)
      .getByRole('button', { name: /^有未关闭告警/ })
      .getAttribute('aria-pressed'),
  ).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: '去掉“未关闭告警”' }))
  await screen.findByRole('button', { name: '未关闭告警' })
  expect(router.state.location.search).toBe('')
})

test('numbers are told what they may be, and saved under a name', async () => {
  const kept = await show()
  await userEvent.click(screen.getByRole('button', { name: '电量' }))
  const panel = screen.getByRole('form', { name: '电量' })
  await userEvent.type(within(panel).getByLabelText('电量不高于（%）'), '140')
  expect(within(panel).getByRole('alert').textContent).toBe('请填写 0 到 100 的数字')
  await userEvent.type(within(panel).getByLabelText('电量不高于（%）'), '{Backspace}')
  await userEvent.click(within(panel).getByRole('button', { name: '确定' }))
  await waitFor(() => expect(lastAsked().filter).toEqual({ batteryTo: 14 }))
  await userEvent.click(within(kept).getByRole('button', { name: '保存条件' }))
  const dialog = await screen.findByRole('dialog', { name: '保存条件' })
  await userEvent.type(within(dialog).getByLabelText('条件名称'), '电量告急')
  await userEvent.click(within(dialog).getByRole('button', { name: '保存' }))
  await within(kept).findByRole('button', { name: /^电量告急/ })
  expect(inputsOf(`POST ${searchEndpoints.saveScreening.path}`)).toEqual([
    { name: '电量告急', shared: false, filter: { batteryTo: 14 } },
  ])
})

test('a saved filter that was removed comes back as it was', async () => {
  const kept = await show()
  await userEvent.click(within(kept).getByRole('button', { name: '删除条件“有未关闭告警”' }))
  await within(kept).findByText(/^还没有保存的条件/)
  currentToasts()
    .find(({ action }) => action?.label === '撤销')
    ?.action?.run()
  await within(kept).findByRole('button', { name: /^有未关闭告警/ })
  expect(inputsOf(`POST ${searchEndpoints.saveScreening.path}`)).toEqual([
    { name: saved.name, shared: true, filter: saved.filter },
  ])
})

test('everything that meets the filter is selected, also what no page has shown', async () => {
  await show()
  await userEvent.click(screen.getByRole('button', { name: '选中全部结果' }))
  await screen.findByText('已选 3 条')
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: '选中 SD100001' }).checked).toBe(true)
  await userEvent.click(screen.getByRole('checkbox', { name: '选中 SD100001' }))
  await screen.findByText('已选 2 条')
  await userEvent.click(screen.getByRole('button', { name: '2 条不在本页，查看' }))
  expect(within(screen.getByRole('dialog')).getByRole('listitem').textContent).toBe('另有 2 条还没有翻到')
})

test('who may not command selects nothing', async () => {
  overridePermissions(['0307'])
  await show()
  expect(screen.queryByRole('button', { name: '选中全部结果' })).toBeNull()
  expect(screen.queryByRole('checkbox', { name: '选中 SD100001' })).toBeNull()
})
