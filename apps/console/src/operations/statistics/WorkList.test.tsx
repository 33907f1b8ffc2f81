import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { workStatisticsEndpoints, type WorkTask } from '@saddle/contract/operations/statistics/work.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { useList } from '#kit/list/useList.ts'
import { queryClient } from '#kit/query.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { questionLink } from './question.ts'
import { WorkParts, workTables } from './WorkList.tsx'

const span = { from: '2026-11-20', to: '2026-11-22' }
const doneAt = Date.UTC(2026, 10, 21, 4)
const task: WorkTask = {
  id: 7,
  kind: 'battery_swap',
  source: 'rule',
  vehicleId: 1,
  number: 'SD100001',
  areaId: 31,
  areaName: '古城区',
  personName: '陆小川',
  openedAt: doneAt - hourMs,
  claimedAt: doneAt - 10 * minuteMs,
  doneAt,
  dueAt: null,
  batteryBefore: 9,
  batteryAfter: 98,
  reason: null,
  toName: '',
  note: '',
  photos: 0,
  payCents: 0,
  partsCents: 0,
  review: 'none',
  place: null,
}

beforeEach(async () => {
  const platform = await withPlatform()
  logIn(platform)
  overridePermissions(['all'])
  platform.on(workStatisticsEndpoints.workTasks, () => ({
    suc: true,
    data: { list: [task], count: 1, isCountCut: false, nextCursor: null },
  }))
})

afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

function Parts() {
  const list = useList(workTables.swap.list, { fixed: { page: 'swap', ...span } })
  return (
    <>
      <output>{useLocation().search}</output>
      <WorkParts page="swap" list={list}>
        <a href="#figure">figures</a>
      </WorkParts>
    </>
  )
}

function show(widthPx: number): void {
  vi.stubGlobal('matchMedia', (query: string) => {
    const [, relation, px] = /width (<|>=) (\d+)px/.exec(query) ?? []
    const matches = relation === '<' ? widthPx < Number(px) : relation === '>=' && widthPx >= Number(px)
    return { matches, addEventListener: () => undefined, removeEventListener: () => undefined }
  })
  vi.stubGlobal('scrollTo', () => undefined)
  Element.prototype.scrollIntoView = () => undefined
  const router = createMemoryRouter([{ path: '/', element: <Parts /> }], {
    initialEntries: [`/${questionLink({ span, narrow: {} })}`],
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

/** The part of the page; the table inside of it has the same name. */
const region = (): HTMLElement => {
  const [part] = screen.getAllByRole('region', { name: '任务明细' })
  if (part === undefined) throw new Error('no tasks are shown')
  return part
}
const heads = () =>
  within(region())
    .getAllByRole('columnheader')
    .map((head) => head.textContent)

it('a figure opens its tasks beside the figures where there is room, and below them once they are closed', async () => {
  show(1_440)
  await within(region()).findByText('SD100001')
  expect(screen.getByText('figures').closest('.work-split')).not.toBeNull()
  expect(heads()).not.toContain('换前电量（%）')
  expect(heads().length).toBeLessThan(7)
  fireEvent.click(screen.getByRole('button', { name: '关闭任务明细' }))
  await within(region()).findByText('SD100001')
  expect(screen.getByText('figures').closest('.work-split')).toBeNull()
  expect(heads().length).toBeGreaterThan(8)
  expect(screen.getByText(/^\?from/).textContent).not.toContain('look')
})

it('on a smaller screen the tasks stay below the figures and are scrolled to', async () => {
  show(1_000)
  await within(region()).findByText('SD100001')
  expect(document.querySelector('.work-split')).toBeNull()
  expect(screen.getByText(/^\?from/).textContent).not.toContain('look')
})
