import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import App from 'antd/es/app'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { OperatorDevice } from '@saddle/contract/identity/devices.ts'
import type { AgentNode } from '@saddle/contract/organisation/companies.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, somebody, withPlatform } from '#test/session.ts'
import DevicesPage from './DevicesPage.tsx'

const nowMs = 1_800_000_000_000
const device = (parts: Partial<OperatorDevice>): OperatorDevice => ({
  id: 1,
  operatorId: 9,
  operatorName: '吴敏',
  phone: '138****8002',
  agentId: somebody.agentId,
  company: '江城出行',
  name: 'Chrome · Android',
  userAgent: 'x',
  state: 'requested',
  firstSeenAt: nowMs,
  lastSeenAt: nowMs,
  requestedAt: nowMs,
  decidedAt: null,
  decidedBy: null,
  isThis: false,
  ...parts,
})
let platform: FakePlatform
let stored: OperatorDevice[]
let policy: AgentNode['devicePolicy']

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  overridePermissions(['10', '1002'])
  stored = [device({}), device({ id: 2, operatorName: '郑远' })]
  policy = 'open'
  platform.on(endpoints.deviceAuthorizeInfo, (input) => {
    const { states } = (input as { filter: { states?: string[] } }).filter
    const list = stored.filter((row) => states === undefined || states.includes(row.state))
    return { suc: true, data: { list, nextCursor: null, count: list.length, isCountCut: false } }
  })
  platform.on(endpoints.deviceLoginInfo, () => ({ suc: true, data: { policy, list: stored } }))
  const company = { id: somebody.agentId, company: '江城出行', parentId: null, state: 'enabled', financeTotpFrom: null }
  const figures = { areas: 0, areaList: [], accounts: 0, roles: 0, vehicles: 0, createdAt: nowMs }
  platform.on(endpoints.agentTree, () => ({
    suc: true,
    data: {
      list: [
        { ...company, ...figures, devicePolicy: policy },
        { ...company, ...figures, id: 77, company: '下级公司', devicePolicy: policy },
      ],
    },
  }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

function show(address = '/permissions/device'): void {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>
        <App>
          <DevicesPage />
        </App>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}
const decide = (state: OperatorDevice['state']) => (input: unknown) => {
  const { ids } = input as { ids: number[] }
  for (const row of stored) if (ids.includes(row.id)) Object.assign(row, { state, requestedAt: null })
  return { suc: true, data: { confirmedIds: ids, removedIds: ids } }
}
const sent = (endpoint: { readonly method: string; readonly path: string }) =>
  platform.heard.filter((heard) => heard.key === `${endpoint.method} ${endpoint.path}`).map((heard) => heard.input)

test('begins with who waits, approves at once, and takes it back on wish', async () => {
  platform.on(endpoints.deviceAuthorizeConfirm, decide('approved'))
  platform.on(endpoints.deviceAuthorizeRemove, decide('unknown'))
  show()
  fireEvent.click(await screen.findByText('吴敏'))
  fireEvent.click(await screen.findByRole('button', { name: '授权 1 台设备' }))
  // On to the next one that waits.
  await waitFor(() => expect(screen.queryByText('吴敏')).toBeNull())
  expect(screen.getAllByText('郑远')).toHaveLength(2)
  expect(sent(endpoints.deviceAuthorizeConfirm)).toEqual([{ ids: [1] }])
  const [toast] = currentToasts()
  expect(toast?.text).toBe('已授权 1 台设备')
  toast?.action?.run()
  await waitFor(() => expect(sent(endpoints.deviceAuthorizeRemove)).toEqual([{ ids: [1] }]))
})

test('approves several together', async () => {
  platform.on(endpoints.deviceAuthorizeConfirm, decide('approved'))
  show()
  await screen.findByText('吴敏')
  fireEvent.click(screen.getByRole('checkbox', { name: /选中.*吴敏/ }))
  fireEvent.click(screen.getByRole('checkbox', { name: /选中.*郑远/ }))
  fireEvent.click(screen.getByRole('button', { name: '授权 2 台设备' }))
  expect(await screen.findByText('没有等待授权的设备')).toBeTruthy()
  expect(sent(endpoints.deviceAuthorizeConfirm)).toEqual([{ ids: [1, 2] }])
})

test('names device and effect before an approval is taken back, and never offers it for this one', async () => {
  stored = [device({ state: 'approved' }), device({ id: 2, operatorName: '王芳', state: 'approved', isThis: true })]
  platform.on(endpoints.deviceAuthorizeRemove, decide('unknown'))
  show(`/permissions/device?filter=${encodeURIComponent('{"states":["approved"]}')}`)
  await screen.findAllByText('吴敏')
  fireEvent.click(screen.getByText('王芳'))
  expect(await screen.findByText('Chrome · Android · 当前设备')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /取消 1 台设备的授权/ })).toBeNull()
  fireEvent.click(screen.getByText('吴敏'))
  fireEvent.click(await screen.findByRole('button', { name: /取消 1 台设备的授权/ }))
  expect(await screen.findByText('吴敏 · Chrome · Android：该设备上的会话会立即结束。')).toBeTruthy()
  expect(sent(endpoints.deviceAuthorizeRemove)).toEqual([])
  const buttons = screen.getAllByRole('button', { name: /取消 1 台设备的授权/ })
  fireEvent.click(buttons.at(-1)!)
  await waitFor(() => expect(sent(endpoints.deviceAuthorizeRemove)).toEqual([{ ids: [1] }]))
})

test('makes the own company ask for approval, and offers no company that one does not administer', async () => {
  platform.on(endpoints.devicePermission, () => {
    policy = 'approval'
    return { suc: true, data: { policy, approved: 3 } }
  })
  show()
  const part = within(await screen.findByRole('region', { name: '设备策略' }))
  expect(part.queryByText('下级公司')).toBeNull()
  platform.on(endpoints.devicePolicyEffect, () => ({
    suc: true,
    data: { devices: 9, people: 5, recent: [{ days: 30, devices: 3, people: 2 }] },
  }))
  fireEvent.click(part.getByRole('button', { name: '开启设备授权' }))
  const dialog = within(await screen.findByRole('dialog', {}, { timeout: 60_000 }))
  expect(await dialog.findByText('现有 9 台未授权的设备，涉及 5 人。', {}, { timeout: 60_000 })).toBeTruthy()
  expect(dialog.getByLabelText<HTMLInputElement>(/^近 30 天用过的设备/).checked).toBe(true)
  expect(dialog.getByText('授权 3 台设备，2 人；其余 6 台下次登录须申请')).toBeTruthy()
  expect(sent(endpoints.devicePermission)).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: '开启设备授权' }))
  expect(await part.findByText('设备须经管理员授权')).toBeTruthy()
  expect(sent(endpoints.devicePermission)).toEqual([
    { agentId: somebody.agentId, policy: 'approval', approveRecentDays: 30 },
  ])
  expect(currentToasts().map((toast) => toast.text)).toEqual(['已开启设备授权，3 台设备获得授权'])
  expect(currentToasts()[0]?.action?.label).toBe('撤销')
})
