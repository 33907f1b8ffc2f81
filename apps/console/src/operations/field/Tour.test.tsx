import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { rebalancingEndpoints, type Tour } from '@saddle/contract/operations/rebalancing.ts'
import { show, withDialogs } from '#test/dialogs.tsx'
import { Tours } from './Tour.tsx'

const { sent, answer } = withDialogs()

const stop = (fenceId: number, load: number, done: readonly boolean[]): Tour['stops'][number] => ({
  fenceId,
  name: `${fenceId} 号点`,
  lat: 31.3,
  lng: 120.6,
  load,
  vehicles: done.map((isDone, index) => ({ taskId: fenceId * 10 + index, number: `SD10000${index}`, isDone })),
})
const tour: Tour = {
  id: 1,
  areaName: '城北',
  madeAt: Date.UTC(2026, 10, 21, 2),
  assigneeId: 7,
  assigneeName: '王芳',
  distanceM: 4_200,
  minutes: 35,
  unfinished: 2,
  stops: [stop(1, 2, [true, true]), stop(2, 1, [true, false]), stop(3, -2, [false, false])],
}

it('leads to the next stop that is not over, and opens the task of a vehicle there', async () => {
  answer(rebalancingEndpoints.listTours, { list: [tour] })
  const onOpen = vi.fn<(taskId: number) => void>()
  show(<Tours onOpen={onOpen} />)
  const region = await screen.findByRole('region', { name: '调度路线' })
  expect(sent).toEqual([{ mine: true }])
  const stops = within(region).getAllByRole('listitem')
  expect(stops.map(({ dataset }) => [dataset['done'], dataset['next']])).toEqual([
    ['true', 'false'],
    ['false', 'true'],
    ['false', 'false'],
  ])
  expect(stops.map((each) => each.querySelector('b')?.textContent)).toEqual(['装 2 辆', '装 1 辆', '卸 2 辆'])
  expect(within(region).getAllByRole('link', { name: '导航' }), 'only to the next stop').toHaveLength(1)
  expect(
    within(region)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['SD100000 ✓', 'SD100001'])
  fireEvent.click(within(region).getByRole('button', { name: 'SD100001' }))
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(21)
})

it('takes no room from who has no tour', async () => {
  answer(rebalancingEndpoints.listTours, { list: [] })
  show(<Tours onOpen={() => {}} />)
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  expect(screen.queryByRole('region')).toBeNull()
})
