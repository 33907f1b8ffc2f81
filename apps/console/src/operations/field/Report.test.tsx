import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import { button, show, type, withDialogs } from '#test/dialogs.tsx'
import { task } from '../tasks/task.fixture.ts'
import { Report } from './Report.tsx'

const { sent, answer } = withDialogs()
const onReport = vi.fn<Parameters<typeof Report>[0]['onReport']>()

beforeEach(() => {
  onReport.mockReset()
  onReport.mockResolvedValue()
  answer(taskEndpoints.taskWorkers, {
    list: [
      { operatorId: 8, name: '李工', agentId: 3, unfinished: 2 },
      { operatorId: 9, name: '王工', agentId: 3, unfinished: 1 },
    ],
  })
})
afterEach(() => vi.restoreAllMocks())

const next = () => screen.getByLabelText<HTMLSelectElement>('接下来')

it('says what was met, and hands the task to a colleague who may do it', async () => {
  show(<Report task={task({ assigneeId: 8 })} onReport={onReport} />)
  expect(screen.queryByLabelText('接下来'), 'nothing is asked before an outcome is chosen').toBeNull()
  fireEvent.click(button('没找到车'))
  await waitFor(() => expect(next().options).toHaveLength(2))
  expect(sent).toEqual([{ areaIds: [31] }])
  expect(
    [...next().options].map(({ text }) => text),
    'not the one who has it',
  ).toEqual(['任务退回，通知调度人员', '转交给 王工（手上 1 个任务）'])
  fireEvent.change(next(), { target: { value: '9' } })
  type('说明（选填）', '  地下车库没有信号 ')
  fireEvent.click(button('报告“没找到车”'))
  await waitFor(() =>
    expect(onReport.mock.calls).toEqual([
      [{ outcome: 'not_found', photos: [], note: '地下车库没有信号', operatorId: 9 }],
    ]),
  )
})

it('keeps the task with whoever asks for help, and asks for nobody without a network', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  show(<Report task={task()} onReport={onReport} />)
  fireEvent.click(button('需要支援'))
  expect([...next().options].map(({ text }) => text)).toEqual(['任务留在我手上，通知调度人员'])
  fireEvent.click(button('需要支援'))
  expect(screen.queryByLabelText('接下来'), 'a second press takes the outcome back').toBeNull()
  expect(sent).toEqual([])
})
