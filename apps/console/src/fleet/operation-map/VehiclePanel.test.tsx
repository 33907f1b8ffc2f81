import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Command } from '@saddle/contract/fleet/commands.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { queryClient } from '#kit/query.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { command, vehicleDetail } from './vehicle.fixture.ts'
import { RecentLife } from './RecentLife.tsx'
import { VehicleBody } from './VehiclePanel.tsx'

let platform: FakePlatform
let stored: Command[]

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  stored = []
  platform.on(endpoints.listCommands, () => ({ suc: true, data: { list: stored } }))
  overridePermissions(['0301', '030101'])
})

afterEach(() => {
  cleanup()
  queryClient.clear()
})

function show(parts: Parameters<typeof vehicleDetail>[0] = {}): void {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <VehicleBody vehicle={vehicleDetail(parts)} live={undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const sent = () => platform.heard.filter((call) => call.key === `POST ${endpoints.lockVehicle.path}`)
const stepStates = () =>
  within(screen.getByRole('region', { name: '最近一条指令' }))
    .getAllByRole('listitem')
    .map((item) => `${item.querySelector('.om-step-label')?.textContent}:${item.dataset['status']}`)

describe('unlocking from the panel', () => {
  test('names the vehicle and the effect before anything is sent', () => {
    show()
    press('开锁')
    expect(screen.getByText('远程开锁 SD100001')).toBeTruthy()
    expect(screen.getByText('车锁将打开，任何人都可以推走这辆车')).toBeTruthy()
    expect(sent()).toHaveLength(0)
    press('取消')
    expect(screen.queryByText('远程开锁 SD100001')).toBeNull()
  })

  test('sends vehicle, kind and reason with an idempotency key, and shows the command as merely queued', async () => {
    platform.on(endpoints.lockVehicle, () => ({ suc: true, data: command({ id: 7, reason: '挪车' }) }))
    show()
    press('开锁')
    press('挪车')
    press('开锁 SD100001')
    await waitFor(() => expect(screen.getByText('正在执行的指令')).toBeTruthy())
    expect(sent()[0]?.input).toEqual({ vehicleId: 1, kind: 'unlock', reason: '挪车' })
    expect(sent()[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/)
    expect(stepStates()).toEqual(['排队中:active', '已发送:pending', '设备已应答:pending', '已确认:pending'])
    expect(screen.getByRole<HTMLButtonElement>('button', { name: '开锁进行中' }).disabled).toBe(true)
  })

  test('says why the platform refused, and takes a new key for the next attempt', async () => {
    platform.on(endpoints.lockVehicle, () => {
      throw new AppError('command_pending')
    })
    show()
    press('关锁')
    press('防盗')
    press('关锁 SD100001')
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('上一条同类指令尚未结束'))
    press('关锁 SD100001')
    await waitFor(() => expect(sent()).toHaveLength(2))
    expect(sent()[1]?.headers.get('idempotency-key')).not.toBe(sent()[0]?.headers.get('idempotency-key'))
  })

  test('keeps the key when no answer came, so that the same command never runs twice', async () => {
    platform.on(endpoints.lockVehicle, () => {
      throw new TypeError('connection reset')
    })
    show()
    press('开锁')
    press('挪车')
    press('开锁 SD100001')
    await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/不会重复执行/))
    press('开锁 SD100001')
    await waitFor(() => expect(sent()).toHaveLength(2))
    expect(sent()[1]?.headers.get('idempotency-key')).toBe(sent()[0]?.headers.get('idempotency-key'))
  })

  test('sends nothing before somebody has said why', () => {
    show()
    press('开锁')
    press('开锁 SD100001')
    fireEvent.submit(screen.getByRole('group', { name: '远程开锁 SD100001' }).querySelector('form')!)
    expect(sent()).toHaveLength(0)
  })

  test('Escape leaves the question', () => {
    show()
    press('开锁')
    fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Escape' })
    expect(screen.queryByText('远程开锁 SD100001')).toBeNull()
  })

  test('an offline vehicle is told apart', () => {
    show({ online: false })
    press('开锁')
    expect(screen.getByText('车辆离线：指令会排队，60 秒内没有连上则过期')).toBeTruthy()
  })

  test('is not offered without the permission 030101', () => {
    overridePermissions(['0301'])
    show()
    expect(screen.queryByRole('button', { name: '开锁' })).toBeNull()
    expect(screen.queryByRole('button', { name: '关锁' })).toBeNull()
  })
})

describe('what became of commands', () => {
  test('the latest one stands as steps with its failure, earlier ones in a list', async () => {
    stored = [
      command({ id: 2, state: 'failed', sentAt: 2_000, finishedAt: 3_000, failure: '车辆正在骑行' }),
      command({ id: 1, kind: 'lock', state: 'expired', finishedAt: 2_000 }),
    ]
    show()
    await waitFor(() => expect(stepStates().at(-1)).toBe('失败:bad'))
    expect(screen.getByText('车辆正在骑行')).toBeTruthy()
    const earlier = within(screen.getByRole('region', { name: '更早的指令' }))
    expect(earlier.getByText('已过期')).toBeTruthy()
    fireEvent.click(earlier.getByRole('button'))
    expect(earlier.getAllByRole('listitem').some((item) => item.dataset['status'] === 'skipped')).toBe(true)
  })
})

test('shows alarms, the age of the position and where the vehicle is', () => {
  show({ openAlarms: [{ id: 5, kind: 'tamper', openedAt: Date.now() - 120_000 }] })
  expect(screen.getByText('拆卸')).toBeTruthy()
  expect(screen.getByText('2 分钟前')).toBeTruthy()
  expect(screen.getByText('31.30000, 120.70000')).toBeTruthy()
  expect(screen.getByText('867584031000016')).toBeTruthy()
})

describe('tasks and history', () => {
  const openTasks = [{ id: 42, kind: 'battery_swap' as const, openedAt: Date.now() - minuteMs, personName: null }]

  test('an open task leads to the task, for those who may read tasks', () => {
    overridePermissions(['0301', '0909'])
    show({ openTasks })
    const link = screen.getByRole('link', { name: '换电' })
    expect(link.getAttribute('href')).toBe('/data/operation-tasks?task=42')
  })

  test('without the permission for tasks the kind is only told', () => {
    show({ openTasks })
    expect(screen.queryByRole('link', { name: '换电' })).toBeNull()
    expect(screen.getByText('换电')).toBeTruthy()
  })

  test('the latest of its life stands below, and leads to the whole', async () => {
    platform.on(endpoints.vehicleLife, () => ({
      suc: true,
      data: {
        list: [
          { kind: 'command', at: 5_000, command: command({ state: 'confirmed', reason: '挪车' }) },
          { kind: 'alarm', at: 4_000, alarm: 'tamper', closedAt: null, times: 1, fixedBy: null, note: '' },
        ],
        nextCursor: 'more',
      },
    }))
    render(
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <RecentLife vehicle={vehicleDetail()} />
        </MemoryRouter>
      </QueryClientProvider>,
    )
    const life = within(screen.getByRole('region', { name: '近期经历' }))
    await waitFor(() => expect(life.getAllByRole('listitem')).toHaveLength(2))
    expect(life.getByText('开锁 · 已确认 · 林岚 · 挪车')).toBeTruthy()
    expect(life.getByText('拆卸 · 未关闭')).toBeTruthy()
    expect(life.getByRole('link', { name: '查看完整经历' }).getAttribute('href')).toBe('/vehicle-info?vehicle=SD100001')
    const asked = platform.heard.find((call) => call.key === `GET ${endpoints.vehicleLife.path}`)
    expect(asked?.input).toEqual({ vehicleId: 1, pageSize: 8 })
  })
})
