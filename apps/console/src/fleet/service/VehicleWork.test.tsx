import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { alarmEndpoints, type AlarmTicket } from '@saddle/contract/fleet/alarms.ts'
import { serviceEndpoints } from '@saddle/contract/fleet/service.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { currentToasts } from '#kit/notify.ts'
import { button, dialog, show, told, withDialogs } from '#test/dialogs.tsx'
import { vehicleDetail } from '../operation-map/vehicle.fixture.ts'
import { ManyVehicles, OneVehicle } from './VehicleWork.tsx'

const { calls, onDone, answer } = withDialogs()
const alarm = (id: number, kind: string): AlarmTicket => ({
  id,
  vehicleId: id,
  number: `SD10000${id}`,
  agentId: 3,
  areaId: 31,
  areaName: '城北',
  kind,
  openedAt: 1_000,
  lastAt: 1_000,
  times: 1,
  closedAt: null,
  fixedBy: null,
  note: '',
})

beforeEach(() => overridePermissions(['0301', '030101', '0909', '090901']))

it('closes alarms of the chosen kinds, and opens them again from the message', async () => {
  answer(alarmEndpoints.listAlarmTickets, {
    list: [alarm(1, 'fall'), alarm(2, 'fall'), alarm(3, 'low_battery')],
    hasMore: false,
  })
  answer(alarmEndpoints.fixAlarmTickets, { fixedIds: [1, 2] })
  answer(alarmEndpoints.reopenAlarmTickets, { reopenedIds: [1, 2] })
  show(<ManyVehicles vehicleIds={[1, 2, 3]} onDone={onDone} />)
  fireEvent.click(button('关闭告警'))
  fireEvent.click(await screen.findByRole('checkbox', { name: '低电量（1）' }))
  fireEvent.click(button('关闭告警', dialog()))
  await waitFor(() => expect(told()).toEqual(['已关闭 2 条告警']))
  expect(calls[0]?.[1]).toMatchObject({ vehicleIds: [1, 2, 3], open: true })
  expect(calls).toContainEqual([alarmEndpoints.fixAlarmTickets.path, { ids: [1, 2], note: '' }])
  expect(onDone).toHaveBeenCalledOnce()
  currentToasts()[0]?.action?.run()
  await waitFor(() => expect(told()).toContain('已恢复 2 条告警'))
  expect(calls.at(-1)).toEqual([alarmEndpoints.reopenAlarmTickets.path, { ids: [1, 2] }])
})

it('says that there is no open alarm', async () => {
  answer(alarmEndpoints.listAlarmTickets, { list: [], hasMore: false })
  show(<ManyVehicles vehicleIds={[1]} />)
  fireEvent.click(button('关闭告警'))
  expect(await screen.findByText('这些车辆没有未关闭的告警')).toBeTruthy()
})

it('keeps the vehicles that it was opened for while others come and go', async () => {
  answer(serviceEndpoints.takeOutOfService, { done: [1], refused: [] })
  show(<ManyVehicles vehicleIds={[1]} />)
  fireEvent.click(button('标记停运'))
  fireEvent.click(await screen.findByRole('button', { name: '车辆故障' }))
  fireEvent.click(button('停运 1 辆车', dialog()))
  await waitFor(() => expect(told()).toEqual(['已停运 1 辆车']))
  expect(calls).toEqual([[serviceEndpoints.takeOutOfService.path, { vehicleIds: [1], reason: '车辆故障' }]])
})

it.each([
  ['available', ['派任务', '标记停运']],
  ['non_operational', ['派任务', '取消停运']],
  ['on_trip', ['派任务']],
] as const)('offers for a vehicle that is %s what can be done with it', (state, names) => {
  show(<OneVehicle vehicle={vehicleDetail({ state })} />)
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([...names])
})

it('offers nothing to who may only look', () => {
  overridePermissions(['0301'])
  show(<ManyVehicles vehicleIds={[1]} />)
  expect(screen.queryByRole('button')).toBeNull()
})
