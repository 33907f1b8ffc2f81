import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError, type ErrorCode } from '@saddle/contract/errors.ts'
import { call } from '#kit/api/client.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { clearDueFactor } from '#kit/session/secondFactor.ts'
import { currentSession } from '#kit/session/store.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { answerFirstEntry, logIn, somebody, withPlatform } from '#test/session.ts'
import { watchFailures } from './failures.ts'
import { routes } from './router.tsx'

const recoveryCodes = ['ABCDE-FGHIJ', 'KLMNO-PQRST']
let platform: FakePlatform
let router: ReturnType<typeof createMemoryRouter>
let reload: ReturnType<typeof vi.fn<() => void>>

/** The platform answers nothing else before the second factor is shown. */
function owe(code: ErrorCode): void {
  for (const endpoint of [endpoints.allCode, endpoints.me, endpoints.accountInfo]) {
    platform.on(endpoint, () => {
      throw new AppError(code)
    })
  }
}

async function open(path: string): Promise<void> {
  router = createMemoryRouter(routes, { initialEntries: [path] })
  render(<RouterProvider router={router} />)
  await vi.waitFor(() => expect(router.state.initialized).toBe(true))
}

const address = (): string => router.state.location.pathname + router.state.location.search
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform, ['03', '0301'])
  platform.on(endpoints.registerForSupport, () => ({ suc: true, data: {} }))
  reload = vi.fn(() => {})
  vi.spyOn(location, 'reload').mockImplementation(reload)
})
afterEach(() => {
  vi.restoreAllMocks()
  cleanup()
  router.dispose()
  clearToasts()
  clearDueFactor()
})

describe('somebody whose code is asked for', () => {
  test('comes to the login page, whatever they wanted, and is not told of an error', async () => {
    owe('totp_required')
    await open('/vehicle/operation-map?vehicle=SD1')
    expect(await screen.findByRole('heading', { name: '输入动态验证码' })).toBeTruthy()
    expect(address()).toBe(`/login?redirect=${encodeURIComponent('/vehicle/operation-map?vehicle=SD1')}`)
    expect(currentToasts()).toEqual([])
    expect(currentSession()).not.toBeNull()
  })

  test('goes on to where they wanted with a right code', async () => {
    owe('totp_required')
    await open('/vehicle/operation-map')
    platform.on(endpoints.passTotp, (input) => {
      expect(input).toEqual({ code: '123456' })
      answerFirstEntry(platform, ['03', '0301'])
      return { suc: true, data: {} }
    })
    await type('动态验证码或恢复码', ' 123456 ')
    press('继续')
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(location.hash).toBe('#/vehicle/operation-map')
  })

  test('is told that a code is wrong or that there were too many', async () => {
    owe('totp_required')
    await open('/log')
    platform.on(endpoints.passTotp, () => {
      throw new AppError('totp_invalid')
    })
    await type('动态验证码或恢复码', '000000')
    press('继续')
    expect(await screen.findByText('动态验证码或恢复码不正确')).toBeTruthy()
    platform.on(endpoints.passTotp, () => {
      throw new AppError('totp_locked', { values: { minutes: 12 } })
    })
    press('继续')
    expect(await screen.findByText('动态验证码错误次数过多，请 12 分钟后再试')).toBeTruthy()
    expect(reload).not.toHaveBeenCalled()
  })

  test('may log in as somebody else', async () => {
    owe('totp_required')
    await open('/log')
    await screen.findByRole('heading', { name: '输入动态验证码' })
    press('换一个账号登录')
    expect(await screen.findByLabelText('手机号')).toBeTruthy()
    expect(currentSession()).toBeNull()
  })

  test('in the middle of their work comes there too, by any call', async () => {
    await open('/404')
    const stop = watchFailures(() => void router.navigate('/login?redirect=%2Flog'))
    owe('totp_required')
    await call(endpoints.me, {}).catch(() => null)
    expect(await screen.findByRole('heading', { name: '输入动态验证码' })).toBeTruthy()
    expect(currentToasts()).toEqual([])
    stop()
  })
})

describe('somebody whose company asks for a second factor', () => {
  test('sets one up, keeps the recovery codes, and goes on', async () => {
    owe('totp_missing')
    platform.on(endpoints.beginTotp, () => ({
      suc: true,
      data: { secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH', expiresAt: 1 },
    }))
    platform.on(endpoints.confirmTotp, () => {
      answerFirstEntry(platform, ['financial'])
      return { suc: true, data: { recoveryCodes } }
    })
    await open('/log')
    expect(await screen.findByRole('heading', { name: '绑定动态验证码' })).toBeTruthy()
    press('开始绑定')
    expect(await screen.findByText('ABCD EFGH')).toBeTruthy()
    expect(screen.getByText('绑定用的二维码').closest('svg')?.querySelector('path')?.getAttribute('d')).toMatch(/^M/)
    await type('动态验证码', '12a34')
    press('确认绑定')
    expect(await screen.findByText('请输入 6 位动态验证码')).toBeTruthy()
    await type('动态验证码', '123456')
    press('确认绑定')
    expect(await screen.findByText('ABCDE-FGHIJ')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '完成' }).disabled).toBe(true)
    fireEvent.click(screen.getByRole('checkbox', { name: '我已把恢复码保存在安全的地方' }))
    press('完成')
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
    expect(currentSession()?.phone).toBe(somebody.phone)
  })
})
