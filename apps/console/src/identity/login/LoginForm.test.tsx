import type { KeyHandles } from '@saddle/client/cipher.ts'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { clearToasts } from '#kit/notify.ts'
import { ToastRegion } from '#kit/plain/ToastRegion.tsx'
import { readKeys } from '#kit/session/keys.ts'
import { currentSession, isLoggedIn } from '#kit/session/store.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { somebody, withPlatform } from '#test/session.ts'
import { LoginForm } from './LoginForm.tsx'

let platform: FakePlatform
let loggedIn: ReturnType<typeof vi.fn<() => Promise<void>>>

beforeEach(async () => {
  platform = await withPlatform()
  const { objectId, opManId, accessToken, agentId, roleId, phone } = somebody
  platform.on(endpoints.requestSmsCode, () => ({ suc: true, resendAfterSeconds: 60 }))
  platform.on(endpoints.lookUpUser, () => ({ objectId }))
  platform.on(endpoints.verifySmsCode, () => ({ objectId }))
  platform.on(endpoints.bindDevice, () => ({ suc: true, data: { authorised: true } }))
  platform.on(endpoints.lookUpOperator, () => ({ suc: true, data: { opManId } }))
  platform.on(endpoints.permissionLogin, () => {
    document.cookie = '_t=csrf; Path=/'
    return { suc: true, data: { agentId, roleId, accessToken, objectId, phone } }
  })
  loggedIn = vi.fn(() => Promise.resolve())
  render(
    <>
      <LoginForm onLoggedIn={loggedIn} />
      <ToastRegion />
    </>,
  )
})

afterEach(() => {
  vi.useRealTimers()
  cleanup()
  clearToasts()
})

const phoneField = () => screen.getByLabelText<HTMLInputElement>('手机号')
const codeField = () => screen.getByLabelText<HTMLInputElement>('验证码')
const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /发送/ })
const type = (field: HTMLInputElement, value: string) => fireEvent.change(field, { target: { value } })

async function fillAndEnter(): Promise<void> {
  type(phoneField(), somebody.phone)
  type(codeField(), '123456')
  await userEvent.type(codeField(), '{Enter}')
}

describe('asking for a code', () => {
  test('an empty or short number is 无效手机号, and nothing is sent', () => {
    fireEvent.click(sendButton())
    expect(screen.getByText('无效手机号')).toBeTruthy()
    expect(platform.heard).toHaveLength(0)
  })

  test('eleven digits that are no mobile number are 手机号码格式不正确', () => {
    type(phoneField(), '12345678901')
    fireEvent.click(sendButton())
    expect(screen.getByText('手机号码格式不正确')).toBeTruthy()
    expect(platform.heard).toHaveLength(0)
  })

  test('the number takes eleven characters', () => expect(phoneField().maxLength).toBe(11))

  test('success turns the button grey for 60 seconds, and grey does nothing', async () => {
    type(phoneField(), somebody.phone)
    fireEvent.click(sendButton())
    expect(await screen.findByText('短信发送成功')).toBeTruthy()
    expect(sendButton().textContent).toBe('重新发送(60)')
    expect(sendButton().disabled).toBe(true)
    fireEvent.click(sendButton())
    expect(platform.heard).toHaveLength(1)
  })

  test('after the countdown it is 发送验证码 again', async () => {
    type(phoneField(), somebody.phone)
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'setTimeout', 'clearTimeout'] })
    fireEvent.click(sendButton())
    await vi.waitFor(() => expect(sendButton().textContent).toBe('重新发送(60)'))
    act(() => void vi.advanceTimersByTime(30_000))
    expect(sendButton().textContent).toBe('重新发送(30)')
    act(() => void vi.advanceTimersByTime(30_000))
    expect(sendButton().textContent).toBe('发送验证码')
    expect(sendButton().disabled).toBe(false)
  })

  test('the server’s refusal is shown in its words and the button stays', async () => {
    platform.on(endpoints.requestSmsCode, () => {
      throw new AppError('sms_too_many')
    })
    type(phoneField(), somebody.phone)
    fireEvent.click(sendButton())
    expect(await screen.findByText('短信发送次数超量')).toBeTruthy()
    expect(sendButton().textContent).toBe('发送验证码')
  })

  test('over a limit it is told when to try again', async () => {
    platform.on(endpoints.requestSmsCode, () => {
      throw new AppError('sms_too_many', { retryAfterS: 3_600 })
    })
    type(phoneField(), somebody.phone)
    fireEvent.click(sendButton())
    expect(await screen.findByText(/^\d\d-\d\d \d\d:\d\d 后可再试$/)).toBeTruthy()
    expect(screen.getByText('短信发送次数超量')).toBeTruthy()
  })
})

describe('entering', () => {
  test('typing anything but digits says 请输入数字 and clears the field', () => {
    type(codeField(), '12x')
    expect(codeField().value).toBe('')
    expect(screen.getByText('请输入数字')).toBeTruthy()
  })

  test('a wrong number and a short code are said, and nothing is sent', () => {
    type(codeField(), '12345')
    fireEvent.click(screen.getByRole('button', { name: '登录' }))
    expect(screen.getByText('无效验证码')).toBeTruthy()
    expect(screen.getByText('手机号码格式不正确')).toBeTruthy()
    expect(platform.heard).toHaveLength(0)
  })

  test('the sixth digit enters by itself, once', async () => {
    platform.on(endpoints.verifySmsCode, () => {
      throw new AppError('code_invalid')
    })
    const tries = () => platform.heard.filter(({ key }) => key.includes(endpoints.verifySmsCode.path)).length
    type(phoneField(), somebody.phone)
    type(codeField(), '123456')
    expect(await screen.findByText('登录失败')).toBeTruthy()
    expect(tries()).toBe(1)
    type(codeField(), '123450')
    expect(tries(), 'a corrected code waits for the button').toBe(1)
  })

  test('Enter goes through every step and leaves a session with its keys', async () => {
    await fillAndEnter()
    await vi.waitFor(() => expect(loggedIn).toHaveBeenCalledOnce())
    expect(screen.getByText('短信验证成功')).toBeTruthy()
    const steps = [
      'lookUpUser',
      'verifySmsCode',
      'bindDevice',
      'lookUpOperator',
      'permissionLogin',
      'signingKey',
    ] as const
    expect(platform.heard.map(({ key }) => key)).toEqual(
      steps.map((name) => `${endpoints[name].method} ${endpoints[name].path}`),
    )
    expect(isLoggedIn()).toBe(true)
    expect(currentSession()).toMatchObject(somebody)
    const keys = (await readKeys(somebody.accessToken)) as KeyHandles
    for (const key of [keys.encryption, keys.signing]) expect(key.extractable).toBe(false)
  })

  const refusals = [
    ['verifySmsCode', new AppError('code_invalid'), '无效验证码'],
    ['bindDevice', new AppError('device_unauthorised'), '当前设备未授权，请联系管理员授权后登陆！'],
    ['bindDevice', new AppError('device_check_failed'), '设备授权失败，请检查当前网络环境'],
    ['bindDevice', new TypeError('offline'), '设备授权失败，请检查当前网络环境'],
    ['permissionLogin', new AppError('operator_disabled'), '账号已停用，请联系管理员'],
    ['permissionLogin', new TypeError('offline'), '登录异常'],
    ['signingKey', new AppError('signature_failed'), '获取签名失败'],
  ] as const

  test.each(refusals)('%s failing (%s) says %s', async (step, fault, text) => {
    platform.on(endpoints[step], () => {
      throw fault
    })
    await fillAndEnter()
    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.getByText('登录失败')).toBeTruthy()
    expect(loggedIn).not.toHaveBeenCalled()
    expect(currentSession()).toBeNull()
    expect(screen.getByRole('button', { name: '登录' }).getAttribute('aria-busy')).toBe('false')
  })

  test('a device that the tenant has not authorised is told so', async () => {
    platform.on(endpoints.bindDevice, () => ({ suc: true, data: { authorised: false } }))
    await fillAndEnter()
    expect(await screen.findByText('当前设备未授权，请联系管理员授权后登陆！')).toBeTruthy()
  })

  test('a browser that needs approval is asked for, and the person learns it', async () => {
    platform.on(endpoints.bindDevice, () => {
      throw new AppError('device_unauthorised')
    })
    platform.on(endpoints.verifyDevice, () => ({ suc: true, data: { policy: 'approval', state: 'requested' } }))
    await fillAndEnter()
    expect(await screen.findByText(/已向管理员提交当前设备的授权申请/)).toBeTruthy()
    expect(screen.getByText('当前设备未授权，请联系管理员授权后登陆！')).toBeTruthy()
    expect(platform.heard.at(-1)?.key).toBe('POST /mieba/platform/opman/device/verification')
  })

  test('a refused login without words of its own says 登录失败', async () => {
    platform.on(endpoints.permissionLogin, () => {
      throw new AppError('login_failed')
    })
    await fillAndEnter()
    expect(await screen.findByText('登录失败')).toBeTruthy()
  })

  test('keys sealed to somebody else are refused', async () => {
    const outsider = await withPlatform()
    const { serverKey } = outsider
    expect(serverKey).not.toBe(platform.serverKey)
    globalThis.fetch = platform.fetch
    await fillAndEnter()
    expect(await screen.findByText('获取签名失败')).toBeTruthy()
    expect(await readKeys(somebody.accessToken)).toBeNull()
  })
})
