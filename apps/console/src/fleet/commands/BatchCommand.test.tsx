import { fireEvent, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { commandEndpoints } from '@saddle/contract/fleet/commands.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { button, dialog, show, type, withDialogs } from '#test/dialogs.tsx'
import { command } from '../operation-map/vehicle.fixture.ts'
import BatchCommand from './BatchCommand.tsx'

const { calls, onClose, answer } = withDialogs()
const ids = Array.from({ length: 10 }, (_, index) => index + 1)

beforeEach(() => {
  overridePermissions(['0301', '030101'])
  answer(commandEndpoints.previewCommands, {
    list: ids.map((id) => ({ vehicleId: id, number: `SD${id}`, outlook: 'now', refusal: null })),
  })
  answer(commandEndpoints.commandBatch, { commands: [] })
})

const given = () =>
  calls.filter(([path, input]) => path === commandEndpoints.commandVehicles.path && 'reason' in (input as object))

it('says what powering off does, asks for the number of many vehicles, and gives what failed once more', async () => {
  const batch = (batchId: string, failed: readonly number[], all: readonly number[]) => ({
    batchId,
    commands: all.map((id) =>
      command({
        id,
        vehicleId: id,
        kind: 'power_off',
        reason: '防盗',
        batchId,
        state: failed.includes(id) ? 'expired' : 'confirmed',
        failure: failed.includes(id) ? '车辆没有应答' : null,
      }),
    ),
    refused: [],
  })
  answer(commandEndpoints.commandVehicles, () =>
    given().length === 1 ? batch('one', [3, 7], ids) : batch('two', [], [3, 7]),
  )
  show(
    <MemoryRouter>
      <BatchCommand vehicleIds={ids} onClose={onClose} />
    </MemoryRouter>,
  )
  fireEvent.click(await screen.findByRole('radio', { name: '断电' }))
  expect(await screen.findByText('车辆将断电，之后需要到现场恢复')).toBeTruthy()
  type(/^原因/, '防盗', dialog())
  await screen.findByLabelText('输入车辆数 10 以确认')
  type('输入车辆数 10 以确认', '9', dialog())
  expect(button('断电 10 辆车', dialog()).disabled, 'the number is not theirs').toBe(true)
  type('输入车辆数 10 以确认', '10', dialog())
  fireEvent.click(button('断电 10 辆车', dialog()))
  fireEvent.click(await screen.findByRole('button', { name: '重试失败的 2 辆' }))
  await waitFor(() => expect(given()).toHaveLength(2))
  expect(given().map(([, input]) => input)).toEqual([
    { vehicleIds: ids, kind: 'power_off', reason: '防盗' },
    { vehicleIds: [3, 7], kind: 'power_off', reason: '防盗' },
  ])
  await waitFor(() => expect(screen.queryByRole('button', { name: /^重试失败/ })).toBeNull())
})

it('asks for no number before a ring', async () => {
  show(
    <MemoryRouter>
      <BatchCommand vehicleIds={ids} onClose={onClose} />
    </MemoryRouter>,
  )
  expect(await screen.findByText('车辆会响铃，便于在附近找到它')).toBeTruthy()
  await screen.findByRole('button', { name: '寻车铃 10 辆车' })
  expect(screen.queryByLabelText(/^输入车辆数/)).toBeNull()
})
