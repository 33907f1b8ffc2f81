import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { builtInProfiles } from '@saddle/contract/fleet/deviceProfiles.ts'
import type { VehicleModel } from '@saddle/contract/fleet/models.ts'
import { queryClient } from '#kit/query.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import DeviceAccessPage from './DeviceAccessPage.tsx'

// On a busy machine the first render takes longer than the default limit of one second.

const terminal: VehicleModel = {
  model: 'T-808',
  protocol: 'jt808',
  vehicles: 12,
  profile: null,
  deviceProfiles: ['standard'],
  version: 0,
  changedAt: null,
  changedBy: null,
  maySet: true,
}
const page = <T,>(rows: readonly T[]) => ({ list: rows, nextCursor: null, count: rows.length, isCountCut: false })
let platform: FakePlatform
let list: VehicleModel[]
let maySet: boolean

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  list = [terminal]
  maySet = true
  overridePermissions(['0308', '030803'])
  platform.on(endpoints.listVehicleModels, () => ({
    suc: true,
    data: page(list.map((row) => Object.assign(row, { maySet }))),
  }))
  platform.on(endpoints.setVehicleModel, () => ({ suc: true, data: { ...terminal, version: 1 } }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
})

function show(): void {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/?view=models']}>
        <DeviceAccessPage />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}
const sent = () =>
  platform.heard.filter(({ key }) => key === `POST ${endpoints.setVehicleModel.path}`).map(({ input }) => input)
const open = async () => fireEvent.click(await screen.findByRole('button', { name: '设置 T-808 的锁控协议' }))
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: '应用到该车型' })
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

test('says what each model is sent and what proves it, and sets a profile only with a reason', async () => {
  show()
  expect(await screen.findByText('8105 F0')).toBeTruthy()
  expect(screen.getByText('8105 F1')).toBeTruthy()
  expect(screen.getByText('位置中的锁状态与指令一致')).toBeTruthy()
  await open()
  fireEvent.click(await screen.findByRole('radio', { name: /标准车辆控制/ }))
  const preview = within(screen.getByRole('region', { name: '将要下发的消息' }))
  expect(preview.getByText('8500 00 / 0001=01')).toBeTruthy()
  expect(preview.getAllByText('不支持，指令立即失败')).toHaveLength(2)
  expect(submit().disabled).toBe(true)
  type('原因（写入设备日志）', ' 厂家升级 ')
  fireEvent.submit(submit())
  await waitFor(() => expect(sent()).toHaveLength(1))
  const { vehicle_control: profile } = builtInProfiles
  expect(sent()[0]).toEqual({ model: 'T-808', protocol: 'jt808', version: 0, reason: '厂家升级', profile })
})

test('takes a maker’s own profile field by field, and says what is wrong with it', async () => {
  const passthrough = { by: 'passthrough', type: 0xf1, hex: '0a0b' } as const
  const orders = { ...builtInProfiles.standard.orders, unlock: passthrough, ring: null }
  list = [{ ...terminal, profile: { ...builtInProfiles.standard, orders }, version: 3 }]
  show()
  await open()
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: /自定义/ })).checked).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('透传类型（十六进制）').value).toBe('F1')
  type('原因（写入设备日志）', 'r')
  type('内容（十六进制）', '0A0')
  expect(screen.getAllByText('开锁：类型须为 00 至 FF，内容须为成对的十六进制数字')[0]).toBeTruthy()
  expect(submit().disabled).toBe(true)
  type('内容（十六进制）', '0A 0C')
  fireEvent.submit(submit())
  await waitFor(() => expect(sent()).toHaveLength(1))
  const changed = { ...orders, unlock: { ...passthrough, hex: '0a0c' } }
  expect(sent()[0]).toMatchObject({ version: 3, profile: { ...builtInProfiles.standard, orders: changed } })
})

test('keeps the form open with the words of a refusal', async () => {
  platform.on(endpoints.setVehicleModel, () => {
    throw new AppError('conflict')
  })
  show()
  await open()
  fireEvent.click(await screen.findByRole('radio', { name: /车门状态位）/ }))
  type('原因（写入设备日志）', 'r')
  fireEvent.submit(submit())
  expect((await screen.findByRole('alert')).textContent).toBe('内容已被他人修改，请刷新后重试')
})

test('offers nothing to a company’s people, and says whose the profiles are', async () => {
  maySet = false
  show()
  expect(await screen.findByText(/锁控协议由平台统一设置/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: '设置 T-808 的锁控协议' })).toBeNull()
})

test('says so when there are no vehicles', async () => {
  list = []
  show()
  expect(await screen.findByText('登记车辆时填写的型号会出现在这里')).toBeTruthy()
})
