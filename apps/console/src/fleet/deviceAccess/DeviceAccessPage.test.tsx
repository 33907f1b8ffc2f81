import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { UnknownDevice } from '@saddle/contract/fleet/unknownDevices.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { pageTests } from '#test/page.tsx'
import DeviceAccessPage from './DeviceAccessPage.tsx'

const { on, sent, show } = pageTests()

const device: UnknownDevice = {
  name: '861234500000016',
  protocol: 'mqtt',
  reason: 'unknown',
  firstSeenAt: 1_700_000_000_000,
  lastSeenAt: 1_700_000_060_000,
  tries: 7,
  address: '192.0.2.7',
  state: 'open',
  decidedAt: null,
  decidedBy: null,
  note: null,
  vehicle: null,
}
let list: UnknownDevice[]

beforeEach(() => {
  list = [device]
  on(endpoints.listUnknownDevices, () => ({
    suc: true,
    data: { list, nextCursor: null, count: list.length, isCountCut: false },
  }))
})

test('shows who called, and refuses one only with a reason', async () => {
  overridePermissions(['0308', '030801'])
  on(endpoints.refuseUnknownDevice, () => ({ suc: true, data: { ...device, state: 'refused' } }))
  show(<DeviceAccessPage />)
  fireEvent.click((await screen.findAllByText(device.name))[0]!)
  const refuse = await screen.findByRole<HTMLButtonElement>('button', { name: '拒绝这台设备' })
  expect(refuse.disabled).toBe(true)
  fireEvent.change(screen.getByLabelText('原因（写入设备日志）'), { target: { value: ' 不是我们的 ' } })
  fireEvent.submit(refuse)
  await waitFor(() => expect(sent(endpoints.refuseUnknownDevice)).toHaveLength(1))
  expect(sent(endpoints.refuseUnknownDevice)[0]).toEqual({ name: device.name, reason: '不是我们的' })
})

test('offers nothing to whoever may only look', async () => {
  overridePermissions(['0308'])
  show(<DeviceAccessPage />)
  fireEvent.click((await screen.findAllByText(device.name))[0]!)
  expect(await screen.findByText('没有车辆登记了这台设备：登记到一辆车上，或拒绝它。')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '登记车辆' })).toBeNull()
  expect(screen.queryByRole('button', { name: '登记这台设备' })).toBeNull()
  expect(screen.queryByRole('button', { name: '拒绝这台设备' })).toBeNull()
})

test('says so when nobody waits', async () => {
  overridePermissions(['0308'])
  list = []
  show(<DeviceAccessPage />)
  expect(await screen.findByText('未登记、密码不符或协议不符的设备来访后会出现在这里')).toBeTruthy()
})
