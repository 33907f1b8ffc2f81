import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { commandEndpoints, type Command, type CommandState } from '@saddle/contract/fleet/commands.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { button, show, withDialogs } from '#test/dialogs.tsx'
import { ScannedVehicle, VehicleCommands } from './VehicleCommands.tsx'

const { calls, answer } = withDialogs()
const command = (state: CommandState): Command => ({
  id: 5,
  vehicleId: 1,
  kind: 'ring',
  state,
  reason: '现场作业',
  parameters: null,
  batchId: null,
  operatorName: '王芳',
  failure: null,
  queuedAt: 1_000,
  sentAt: null,
  acknowledgedAt: null,
  finishedAt: null,
})

beforeEach(() => overridePermissions(['0909', '030101']))
afterEach(() => vi.restoreAllMocks())

it('rings once, and shows what has become of the command until it has ended', async () => {
  let state: CommandState = 'sent'
  answer(commandEndpoints.lockVehicle, command('queued'))
  answer(commandEndpoints.listCommands, () => ({ list: [command(state)] }))
  show(<VehicleCommands number="SD100001" vehicleId={1} />)
  fireEvent.click(button('寻车铃'))
  expect((await screen.findByRole('status')).textContent).toMatch(/^寻车铃 · /)
  expect(calls[0]).toEqual([commandEndpoints.lockVehicle.path, { vehicleId: 1, kind: 'ring', reason: '现场作业' }])
  expect(button('开锁').disabled, 'one command at a time').toBe(true)
  state = 'confirmed'
  await waitFor(() => expect(screen.getByRole('status').dataset['commandState']).toBe('confirmed'))
  expect(button('开锁').disabled).toBe(false)
})

it('says why the platform refuses', async () => {
  answer(commandEndpoints.lockVehicle, () => {
    throw new AppError('command_pending')
  })
  show(<VehicleCommands number="SD100001" vehicleId={1} />)
  fireEvent.click(button('开锁'))
  expect((await screen.findByRole('alert')).textContent).toBe('上一条同类指令尚未结束')
  expect(button('开锁').disabled).toBe(false)
})

it('gives no command without a network', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  show(<VehicleCommands number="SD100001" vehicleId={1} />)
  expect(button('寻车铃').disabled).toBe(true)
  expect(screen.getByText('指令需要网络：由车辆当场执行，不会留到以后')).toBeTruthy()
})

it('is not there for who may not command', () => {
  overridePermissions(['0909'])
  show(<VehicleCommands number="SD100001" vehicleId={1} />)
  expect(screen.queryByRole('button')).toBeNull()
})

it('names a scanned number that no vehicle has', async () => {
  answer(vehicleEndpoints.singleDeviceInfo, () => {
    throw new AppError('not_found')
  })
  show(<ScannedVehicle number="SD999999" />)
  expect((await screen.findByRole('alert')).textContent).toBe('没有找到车辆 SD999999')
})
