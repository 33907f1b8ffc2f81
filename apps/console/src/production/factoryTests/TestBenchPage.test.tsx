import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { FactoryTest, Rework } from '@saddle/contract/production/factoryWords.ts'
import type { UnitStage } from '@saddle/contract/production/units.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { pageTests } from '#test/page.tsx'
import TestBenchPage from './TestBenchPage.tsx'

const { on, sent, show } = pageTests()
const at = 1_795_000_000_000
const place = {
  vehicleId: 5,
  number: 'SD100005',
  model: 'P1',
  agentId: 3,
  company: '江城出行',
  areaId: 31,
  areaName: '城北',
}
const step = { begunAt: at, endedAt: null, failure: null, measured: '' }
const underTest: FactoryTest = {
  id: 9,
  ...place,
  state: 'running',
  steps: [
    { ...step, step: 'online', state: 'passed' },
    { ...step, step: 'battery', state: 'failed', failure: 'battery_low', measured: '12% · 41.0 V' },
    { ...step, step: 'movement', state: 'running' },
    { ...step, step: 'unlock', state: 'waiting', begunAt: null },
  ],
  failed: '',
  begunAt: at,
  begunBy: '周可',
  endedAt: null,
}
const rework: Rework = {
  id: 4,
  ...place,
  state: 'open',
  testId: 9,
  failures: [{ step: 'battery', failure: 'battery_low' }],
  reason: '电量与电压：电量低于要求',
  openedAt: at,
  openedBy: '周可',
  note: '',
  doneAt: null,
  doneBy: null,
}
let stage: UnitStage
let latest: FactoryTest | null

beforeEach(() => {
  overridePermissions(['06', '0601'])
  stage = 'made'
  latest = null
  on(endpoints.factoryTestBench, () => ({
    suc: true,
    data: {
      vehicleId: 5,
      number: place.number,
      model: place.model,
      areaName: place.areaName,
      imei: '490154203237518',
      stage,
      heardAt: at,
      test: latest,
    },
  }))
  on(endpoints.beginFactoryTest, () => {
    stage = 'in_test'
    latest = underTest
    return { suc: true, data: { id: 9 } }
  })
  on(endpoints.cancelFactoryTest, () => {
    stage = 'made'
    latest = { ...underTest, state: 'cancelled' }
    return { suc: true, data: { id: 9 } }
  })
  on(endpoints.listReworks, () => ({
    suc: true,
    data: { list: [rework], nextCursor: null, count: 1, isCountCut: false },
  }))
  on(endpoints.finishRework, () => {
    stage = 'made'
    return { suc: true, data: { id: 4 } }
  })
})

test('a vehicle is put on the bench by its number, tested, and the steps are shown as they are done', async () => {
  show(<TestBenchPage />)
  const typed = screen.getByLabelText<HTMLInputElement>('车辆编号')
  fireEvent.change(typed, { target: { value: 'sd100005' } })
  fireEvent.submit(typed.form!)
  fireEvent.click(await screen.findByRole('button', { name: '开始检测' }))
  await waitFor(() => expect(sent(endpoints.beginFactoryTest)).toEqual([{ vehicleId: 5 }]))
  const steps = await screen.findByRole('list', { name: '检测项目' })
  expect(
    within(steps)
      .getAllByRole('listitem')
      .map((one) => one.textContent),
  ).toEqual([
    expect.stringContaining('上线'),
    expect.stringContaining('电量低于要求 12% · 41.0 V'),
    expect.stringContaining('请推动或晃动车辆'),
    expect.stringContaining('等待'),
  ])
  expect(screen.queryByRole('button', { name: '打印标签' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: '取消检测' }))
  await waitFor(() => expect(sent(endpoints.cancelFactoryTest)).toEqual([{ id: 9 }]))
  expect(await screen.findByRole('button', { name: '开始检测' })).toBeTruthy()
})

test('a vehicle in rework is mended there, and can be tested again', async () => {
  stage = 'rework'
  latest = { ...underTest, state: 'failed', endedAt: at }
  show(<TestBenchPage />, '/production/test-bench?vehicle=SD100005')
  fireEvent.click(await screen.findByRole('button', { name: '返修完成' }))
  const form = await screen.findByRole('dialog')
  fireEvent.change(within(form).getByRole('textbox', { name: /处理说明/ }), { target: { value: '更换电池' } })
  fireEvent.submit(within(form).getByRole('button', { name: '返修完成' }))
  await waitFor(() => expect(sent(endpoints.finishRework)).toEqual([{ id: 4, note: '更换电池' }]))
  expect(await screen.findByRole('button', { name: '开始检测' })).toBeTruthy()
})

test('whoever may only look is offered nothing', async () => {
  overridePermissions(['06'])
  latest = underTest
  show(<TestBenchPage />, '/production/test-bench?vehicle=SD100005')
  expect(await screen.findByText('490154203237518')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '开始检测' })).toBeNull()
  expect(screen.queryByRole('button', { name: '转入返修' })).toBeNull()
})
