import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { withPlatform } from '#test/session.ts'
import RegisterPage from './RegisterPage.tsx'
import RegisterResultPage from './RegisterResultPage.tsx'

let platform: FakePlatform

beforeEach(async () => {
  platform = await withPlatform()
  const routes = [
    { path: '/register', element: <RegisterPage /> },
    { path: '/register-result', element: <RegisterResultPage /> },
  ]
  render(<RouterProvider router={createMemoryRouter(routes, { initialEntries: ['/register'] })} />)
  await screen.findByText('提交申请')
})
afterEach(() => {
  cleanup()
  clearToasts()
})

const filled = {
  公司名称: '山城骑行',
  联系人: '李雷',
  手机号: '13800138000',
  运营城市: '重庆',
  '计划投放（辆）': '500',
}

function fill(values: Readonly<Record<string, string>>): void {
  for (const [label, value] of Object.entries(values)) {
    fireEvent.change(screen.getByLabelText(label), { target: { value } })
  }
}
const submit = () => fireEvent.submit(screen.getByText('提交申请').closest('form')!)

test('an empty form is not sent: each field says what it wants and the first one is focused', () => {
  submit()
  expect(screen.getByText('请填写公司名称，2 至 80 个字')).toBeTruthy()
  expect(screen.getByText('手机号码格式不正确')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('公司名称'))
  expect(platform.heard).toHaveLength(0)
})

test('a fault goes when its field is changed', () => {
  submit()
  fill({ 公司名称: '山' })
  expect(screen.queryByText('请填写公司名称，2 至 80 个字')).toBeNull()
  expect(screen.getByText('手机号码格式不正确')).toBeTruthy()
})

test('what was typed stays when the server refuses', async () => {
  platform.on(endpoints.applyToJoin, () => {
    throw new AppError('application_duplicate')
  })
  fill(filled)
  submit()
  await screen.findByText('提交申请')
  await expect.poll(() => currentToasts().map(({ text }) => text)).toEqual(['该手机号已提交过申请，请等待审核'])
  for (const [label, value] of Object.entries(filled)) {
    expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe(value)
  }
})

test('an accepted application shows its number and what happens next', async () => {
  platform.on(endpoints.applyToJoin, () => ({ suc: true, data: { applicationNumber: 'JM0042' } }))
  fill(filled)
  submit()
  expect(await screen.findByText('JM0042')).toBeTruthy()
  expect(screen.getByText('平台审核')).toBeTruthy()
  expect(platform.heard.at(-1)?.input).toMatchObject({ company: '山城骑行', plannedVehicles: 500, remark: '' })
})
