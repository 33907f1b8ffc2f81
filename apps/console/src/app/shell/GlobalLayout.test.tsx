import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { searchEndpoints } from '@saddle/contract/fleet/search.ts'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { financialAccountEndpoints } from '@saddle/contract/finance/account.ts'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { setSelection } from '#kit/session/scope.ts'
import { currentSession } from '#kit/session/store.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { financialAccount, logIn, withPlatform } from '#test/session.ts'
import { routes } from '../router.tsx'

const counts = { total: 3, states: { available: 2, on_trip: 1 }, lowBattery: 1, offline: 0, openAlarms: 0 }
const areas = [11, 12].map((id) => ({ id, name: `${id} 区`, agentId: 3, centre: { lat: 31, lng: 120 } }))

// Chunks are loaded and guards asked on the way; the bound only ends what hangs.

let platform: FakePlatform
let router: ReturnType<typeof createMemoryRouter>

beforeEach(async () => {
  platform = await withPlatform()
  platform.on(vehicleEndpoints.aggregateByType, () => ({ suc: true, data: counts }))
  platform.on(areaEndpoints.listServiceAreas, () => ({ suc: true, data: { list: areas, count: areas.length } }))
  platform.on(agentEndpoints.listAgentAccounts, () => ({
    suc: true,
    data: { rows: [{ agentId: 3, company: '江城出行' }] },
  }))
})
afterEach(() => {
  cleanup()
  setSelection({})
  router.dispose()
  queryClient.clear()
  clearToasts()
})

async function open(codes: readonly string[], path = '/log', account: object = financialAccount): Promise<void> {
  logIn(platform, codes)
  platform.on(financialAccountEndpoints.accountInfo, () => ({ success: true, data: account }))
  router = createMemoryRouter(routes, { initialEntries: [path] })
  render(<RouterProvider router={router} />)
  await screen.findByRole('button', { name: '设置 王芳' })
}

async function choose(entry: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name: '设置 王芳' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: entry }))
}

const entries = (): (string | null)[] => {
  fireEvent.click(screen.getByRole('button', { name: '设置 王芳' }))
  return screen.getAllByRole('menuitem').map((entry) => entry.textContent)
}

const lastCount = () => platform.heard.findLast((heard) => heard.key.endsWith('/aggByType'))?.token

test('home says who one is, what needs attention and what one may do', async () => {
  platform.on(searchEndpoints.searchVehicles, (input) => {
    const isLow = JSON.stringify(input).includes('lowBattery')
    return { suc: true, data: { list: [], nextCursor: null, count: isLow ? 1 : 0, isCountCut: false } }
  })
  await open(['03', '0301', '0302'])
  expect(await screen.findByRole('heading', { level: 1 })).toMatchObject({
    textContent: expect.stringContaining('王芳'),
  })
  expect(await screen.findByRole('link', { name: /低电量车辆\s*1/ })).toBeTruthy()
  expect(screen.getByRole('heading', { name: '车辆监控' })).toBeTruthy()
  expect(screen.queryByText('离线车辆')).toBeNull()
  expect(screen.queryByText('待审核的加盟申请')).toBeNull()
})

test('the franchisee selector is not there without code 01', async () => {
  await open(['0301'])
  const scope = screen.getByRole('group', { name: '数据范围' })
  expect(within(scope).queryByRole('button', { name: /加盟商/ })).toBeNull()
  expect(within(scope).getByRole('button', { name: '服务区 全选' })).toBeTruthy()
})

test('the franchisee selector is there with code 01', async () => {
  await open(['01', '0301'])
  expect(await screen.findByRole('button', { name: '加盟商 全选' })).toBeTruthy()
})

test('a chosen service area narrows every later call, the full set widens it again', async () => {
  await open(['03', '0301'])
  await waitFor(() => expect(lastCount()).toBeTruthy())
  expect(lastCount()?.opAreaIds).toBeUndefined()

  const pick = async (label: string): Promise<void> => {
    fireEvent.click(await screen.findByRole('button', { name: label }))
    fireEvent.click(await screen.findByRole('checkbox', { name: /12 区/ }))
    fireEvent.click(screen.getByRole('button', { name: '确定' }))
  }
  await pick('服务区 全选')
  await screen.findByRole('button', { name: '服务区 1个' })
  await waitFor(() => expect(lastCount()?.opAreaIds).toEqual([11]))
  // The selector itself still lists everything.
  expect(
    platform.heard.filter((heard) => heard.key.endsWith('/serviceArea')).map(({ token }) => token?.opAreaIds),
  ).toEqual(platform.heard.filter((heard) => heard.key.endsWith('/serviceArea')).map(() => undefined))
  await pick('服务区 1个')
  await screen.findByRole('button', { name: '服务区 全选' })
  await waitFor(() => expect(lastCount()?.opAreaIds).toBeUndefined())
})

test('an area that is no longer granted leaves the stored selection', async () => {
  logIn(platform, ['03', '0301'])
  setSelection({ agentIds: [3], opAreaIds: [11, 99] })
  await open(['03', '0301'])
  await screen.findByRole('button', { name: '服务区 1个' })
  await waitFor(() => {
    expect(lastCount()?.opAreaIds).toEqual([11])
    expect(lastCount()?.agentIds).toBeUndefined()
  })
})

test.each([
  ['没有可选服务区列表', () => ({ suc: true, data: { list: [], count: 0 } })],
  [
    '未获取到服务区信息',
    () => {
      throw new AppError('server_error')
    },
  ],
])('the selector says %s', async (text, answer) => {
  platform.on(areaEndpoints.listServiceAreas, answer)
  await open(['0301'])
  fireEvent.click(await screen.findByRole('button', { name: '服务区 全选' }))
  expect(await screen.findByText(text)).toBeTruthy()
})

test('payment password links show for an active account, to those who may see the product services', async () => {
  await open(['0301', 'financial'])
  expect(entries()).toEqual(expect.arrayContaining(['修改支付密码', '重置支付密码']))
})

test('payment password links do not show to somebody without a financial code', async () => {
  await open(['0301'])
  expect(entries()).not.toContain('重置支付密码')
})

test('payment password links do not show for an account that is not active', async () => {
  await open(['0301', 'financial'], '/log', { ...financialAccount, status: 1 })
  expect(entries()).not.toContain('修改支付密码')
})

test('logout asks first, then leads to the login page with the way back', async () => {
  await open(['03', '0301'], '/vehicle-info?id=7')
  await choose('注销登录')
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain('提示')
  expect(dialog.textContent).toContain('真的要注销登录吗 ?')
  fireEvent.click(within(dialog).getByRole('button', { name: '注销登录' }))
  await waitFor(() => expect(currentSession()).toBeNull())
  await waitFor(() => {
    const { pathname, search } = router.state.location
    expect(pathname + search).toBe(`/login?redirect=${encodeURIComponent('/vehicle-info?id=7')}`)
  })
  expect(platform.heard.some((heard) => heard.key.endsWith('/auth/logout'))).toBe(true)
  expect(Object.keys(localStorage).filter((key) => /session|finance/.test(key))).toEqual([])
})

test('the first stop of the Tab key leads past menu and header', async () => {
  await open(['03', '0301', '0302'])
  fireEvent.click(screen.getByRole('button', { name: '跳到正文' }))
  expect(document.activeElement?.tagName).toBe('MAIN')
})

test('keys: the palette opens, finds a page and goes there; g and a letter lead to a group', async () => {
  await open(['03', '0301', '0302'])
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
  const field = await screen.findByRole('combobox', { name: '查找' })
  fireEvent.change(field, { target: { value: '车辆查询' } })
  fireEvent.keyDown(field, { key: 'Enter' })
  await waitFor(() => expect(router.state.location.pathname).toBe('/vehicle/vehicle-query'))
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
  fireEvent.keyDown(document.body, { key: 'g' })
  fireEvent.keyDown(document.body, { key: 'h' })
  await waitFor(() => expect(router.state.location.pathname).toBe('/log'))
  // The address is there before the page: what is opened over the page before closes with it.
  await waitFor(() =>
    expect(screen.getByRole('navigation', { name: '当前位置' }).textContent).not.toContain('车辆查询'),
  )
  fireEvent.keyDown(document.body, { key: '?' })
  expect(await screen.findByRole('dialog', { name: '快捷键' })).toBeTruthy()
  // An open dialog keeps the keys: one letter more does not leave the page under it.
  fireEvent.keyDown(document.body, { key: 'g' })
  fireEvent.keyDown(document.body, { key: 'v' })
  expect(router.state.location.pathname).toBe('/log')
  fireEvent.keyDown(screen.getByRole('dialog', { name: '快捷键' }), { key: 'Escape' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

const marks = () => document.querySelectorAll<HTMLElement>('[data-watermark]')

test('the watermark lies over the shell and breadcrumbs start with home', async () => {
  await open(['03', '0302'], '/vehicle/vehicle-query')
  // Effects that draw on the page run after the shell is shown.
  await waitFor(() =>
    expect([...marks()].map((mark) => mark.dataset['watermark'])).toEqual(['请勿外传 共享出行运营平台 138000']),
  )
  const crumbs = within(screen.getByRole('navigation', { name: '当前位置' })).getAllByRole('listitem')
  expect(crumbs.map((crumb) => crumb.textContent)).toEqual(['首页', '车辆监控', '车辆查询'])
})

test.each(['/login-home', '/register', '/register-result', '/404', '/field'])(
  'the watermark lies over %s too, which has another layout',
  async (path) => {
    if (path === '/field') logIn(platform, ['09', '0909'])
    router = createMemoryRouter(routes, { initialEntries: [path] })
    render(<RouterProvider router={router} />)
    await waitFor(() => expect(marks()).toHaveLength(1))
    expect(router.state.location.pathname).toBe(path)
    expect(marks()[0]?.dataset['watermark']).toBe(
      path === '/field' ? '请勿外传 共享出行运营平台 138000' : '请勿外传 共享出行运营平台',
    )
  },
)

test('the login page alone has no watermark', async () => {
  router = createMemoryRouter(routes, { initialEntries: ['/login'] })
  render(<RouterProvider router={router} />)
  await screen.findByLabelText('手机号')
  expect(marks()).toHaveLength(0)
})
