import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import App from 'antd/es/app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { setLanguage } from '#kit/i18n/index.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import AccountPage from './AccountPage.tsx'
import type { Own } from './own.ts'

// On a busy machine the first render takes longer than the default limit of one second.

const nowMs = 1_800_000_000_000
const session = (id: number, isThis: boolean): Own['sessions'][number] => ({
  id,
  device: isThis ? 'Chrome · Windows' : 'Safari · iPhone',
  address: '203.0.113.7',
  loginKind: 'sms',
  createdAt: nowMs,
  lastSeenAt: nowMs,
  isThis,
})
let platform: FakePlatform
let own: Own

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  own = {
    settings: { language: 'zh', notices: ['alarms', 'approvals', 'security'] },
    sessions: [session(1, true), session(2, false)],
    devices: [
      { id: 5, name: 'Chrome · Windows', state: 'approved', lastSeenAt: nowMs, isThis: true },
      { id: 6, name: 'Safari · iPhone', state: 'unknown', lastSeenAt: nowMs, isThis: false },
    ],
    totp: { enabledAt: null, requiredFrom: null, recoveryCodesLeft: 0 },
  }
  platform.on(endpoints.selfSettings, () => ({ suc: true, data: own }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

async function show(): Promise<void> {
  render(
    <QueryClientProvider client={queryClient}>
      <App>
        <AccountPage />
      </App>
    </QueryClientProvider>,
  )
  await screen.findByRole('heading', { name: '登录会话' })
}
const part = (name: string) => within(screen.getByRole('region', { name }))
const told = () => currentToasts().map((toast) => toast.text)
const sent = (endpoint: { readonly method: string; readonly path: string }) =>
  platform.heard.filter((heard) => heard.key === `${endpoint.method} ${endpoint.path}`).map((heard) => heard.input)

test('ends one session, and never offers to end this one', async () => {
  platform.on(endpoints.endOwnSession, () => {
    own = { ...own, sessions: own.sessions.filter((one) => one.isThis) }
    return { suc: true, data: { ended: 1 } }
  })
  await show()
  const buttons = part('登录会话').getAllByRole('button', { name: /^结束会话：/ })
  expect(buttons).toHaveLength(1)
  fireEvent.click(buttons[0]!)
  await waitFor(() => expect(part('登录会话').queryByText('Safari · iPhone')).toBeNull())
  expect(sent(endpoints.endOwnSession)).toEqual([{ id: 2 }])
  expect(told()).toEqual(['已结束 1 个会话'])
})

test('names what ending all others does before it is done', async () => {
  platform.on(endpoints.endOwnSession, () => ({ suc: true, data: { ended: 1 } }))
  await show()
  fireEvent.click(part('登录会话').getByRole('button', { name: '结束其他全部会话' }))
  expect(await screen.findByText('在其他 1 处登录的页面会立即退出，当前页面不受影响。')).toBeTruthy()
  expect(sent(endpoints.endOwnSession)).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: /结束 1 个会话/ }))
  await waitFor(() => expect(told()).toEqual(['已结束 1 个会话']))
  expect(sent(endpoints.endOwnSession)).toEqual([{}])
})

test('keeps a setting at once; security stays', async () => {
  platform.on(endpoints.saveSelfSettings, (input) => ({ suc: true, data: input }))
  await show()
  const settings = part('通知与语言')
  expect(settings.getByRole<HTMLInputElement>('checkbox', { name: /登录与安全/ }).disabled).toBe(true)
  fireEvent.click(settings.getByRole('checkbox', { name: '车辆告警' }))
  await waitFor(() => expect(told()).toEqual(['设置已保存']))
  expect(sent(endpoints.saveSelfSettings)).toEqual([{ language: 'zh', notices: ['approvals', 'security'] }])
})

test('speaks the language that was chosen, and keeps a browser’s own through other settings', async () => {
  platform.on(endpoints.saveSelfSettings, (input) => {
    own = { ...own, settings: input as Own['settings'] }
    return { suc: true, data: input }
  })
  await show()
  fireEvent.click(part('通知与语言').getByRole('radio', { name: 'English' }))
  await waitFor(() => expect(told()).toEqual(['Settings saved']))
  await setLanguage('zh')
  cleanup()
  clearToasts()
  await show()
  fireEvent.click(part('通知与语言').getByRole('checkbox', { name: '车辆告警' }))
  await waitFor(() => expect(told()).toEqual(['设置已保存']))
})

test('takes the second factor off with a code, and not while the company asks for it', async () => {
  own = { ...own, totp: { enabledAt: nowMs, requiredFrom: null, recoveryCodesLeft: 2 } }
  platform.on(endpoints.endTotp, () => {
    throw new AppError('totp_invalid')
  })
  await show()
  const factor = part('双因素验证')
  expect(factor.getByText('剩余 2 个恢复码')).toBeTruthy()
  fireEvent.click(factor.getByRole('button', { name: '解除绑定' }))
  fireEvent.change(factor.getByLabelText('动态验证码或恢复码'), { target: { value: '000000' } })
  fireEvent.click(factor.getByRole('button', { name: '解除双因素验证' }))
  expect(await factor.findByText('动态验证码或恢复码不正确')).toBeTruthy()
  cleanup()
  queryClient.clear()

  own = { ...own, totp: { enabledAt: 1_000, requiredFrom: 1_000, recoveryCodesLeft: 9 } }
  await show()
  expect(part('双因素验证').queryByRole('button', { name: '解除绑定' })).toBeNull()
})
