import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { overrideConfig } from '#kit/config.ts'
import { clearToasts, currentToasts, showFlash } from '#kit/notify.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { answerFirstEntry, somebody, withPlatform } from '#test/session.ts'
import LoginPage from './LoginPage.tsx'

let platform: FakePlatform
let reload: ReturnType<typeof vi.fn<() => void>>

beforeEach(async () => {
  platform = await withPlatform()
  const { objectId, opManId, accessToken, agentId, roleId, phone } = somebody
  platform.on(endpoints.lookUpUser, () => ({ objectId }))
  platform.on(endpoints.verifySmsCode, () => ({ objectId }))
  platform.on(endpoints.bindDevice, () => ({ suc: true, data: { authorised: true } }))
  platform.on(endpoints.lookUpOperator, () => ({ suc: true, data: { opManId } }))
  platform.on(endpoints.permissionLogin, () => {
    document.cookie = '_t=csrf; Path=/'
    return { suc: true, data: { agentId, roleId, accessToken, objectId, phone } }
  })
  answerFirstEntry(platform, ['03', '0301'])
  platform.on(endpoints.registerForSupport, () => {
    throw new AppError('unavailable')
  })
  reload = vi.fn(() => {})
  vi.spyOn(location, 'reload').mockImplementation(reload)
  location.hash = '#/login'
})
afterEach(() => {
  vi.restoreAllMocks()
  cleanup()
  clearToasts()
})

async function enterWith(query: string): Promise<void> {
  const router = createMemoryRouter([{ path: '/login', element: <LoginPage /> }], {
    initialEntries: [`/login${query}`],
  })
  render(<RouterProvider router={router} />)
  fireEvent.change(await screen.findByLabelText('手机号'), { target: { value: somebody.phone } })
  fireEvent.change(screen.getByLabelText('验证码'), { target: { value: '123456' } })
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
}

test('goes home, loads anew and says welcome then, whatever the support service does', async () => {
  await enterWith('')
  expect(location.hash).toBe('#/')
  expect(platform.heard.at(-1)?.input).toMatchObject({ name: '王芳', phone: somebody.phone, company: '江城出行' })
  clearToasts()
  showFlash()
  expect(currentToasts()).toMatchObject([{ title: '欢迎', text: '登陆成功' }])
})

test('goes where the person wanted to go, when that is permitted', async () => {
  await enterWith('?redirect=%2Fvehicle%2Foperation-map%3Fvehicle%3DSD1')
  expect(location.hash).toBe('#/vehicle/operation-map?vehicle=SD1')
})

test.each(['%2Fmarketing%2Fcoupon', '%2F%2Fevil.test', 'https%3A%2F%2Fevil.test'])('never to %s', async (wanted) => {
  await enterWith(`?redirect=${wanted}`)
  expect(location.hash).toBe('#/')
})

test('the local outbox is offered in demo mode only', async () => {
  overrideConfig({ serverKey: platform.serverKey, demo: true })
  await enterWith('')
  expect(screen.getByText('在此查看验证码').getAttribute('href')).toBe('/outbox')
  cleanup()
  overrideConfig({ serverKey: platform.serverKey, demo: false })
  reload.mockClear()
  await enterWith('')
  expect(screen.queryByText('在此查看验证码')).toBeNull()
})
