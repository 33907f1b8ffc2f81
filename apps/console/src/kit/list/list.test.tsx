import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test, vi } from 'vitest'
import { AppError } from '@saddle/contract/errors.ts'
import { certificateEndpoints } from '@saddle/contract/rider/certificates.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { forgetExports, openExports } from '#kit/exports/open.ts'
import { currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import { amount } from './filters/specs.tsx'
import { forgetPreferences } from './preferences.ts'

import { address, asked, filterButton, fixture, rowElement, setUpList, show, type Question } from './list.fixture.tsx'

setUpList()

test('a filter keeps its name, says what is chosen, and one press takes everything back', async () => {
  show()
  await rowElement(1)
  expect(
    filterButton(/^状态： ?待审核$/)
      .closest('.filter')
      ?.getAttribute('data-usual'),
  ).toBe('true')
  expect(screen.queryByRole('button', { name: '清除' })).toBeNull()
  await userEvent.click(filterButton(/^类型$/))
  await userEvent.click(screen.getByRole('checkbox', { name: '学生' }))
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(filterButton(/^类型： ?学生$/))
  await userEvent.click(filterButton(/^状态：/))
  await userEvent.click(screen.getByRole('checkbox', { name: '已通过' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '已拒绝' }))
  expect(filterButton(/^状态： ?待审核 \+2$/)).toBeTruthy()
  await waitFor(() =>
    expect(asked().at(-1)?.filter).toEqual({ states: ['waiting', 'approved', 'refused'], kinds: ['student'] }),
  )
  await userEvent.click(screen.getByRole('button', { name: '清除' }))
  await waitFor(() => expect(fixture.router.state.location.search).toBe(''))
  expect(filterButton(/^状态： ?待审核$/)).toBeTruthy()
  expect(filterButton(/^类型$/)).toBeTruthy()
})

test('a usual condition can be taken off, and the address says so', async () => {
  show()
  await rowElement(1)
  await userEvent.click(screen.getByRole('button', { name: '去掉“状态”' }))
  await waitFor(() => expect(asked().at(-1)?.filter).toEqual({}))
  expect(JSON.parse(address().get('filter') ?? '')).toEqual({ states: null })
})

test('a phone number is asked for and stays out of the address; who comes back by the menu finds the question again', async () => {
  show()
  await rowElement(1)
  await userEvent.type(screen.getByRole('searchbox', { name: '手机号' }), '17012345678{Enter}')
  await userEvent.click(screen.getByRole('button', { name: '提交时间' }))
  await waitFor(() => expect(asked().at(-1)).toMatchObject({ filter: { phone: '17012345678' }, direction: 'asc' }))
  expect(fixture.router.state.location.search).toBe('?sort=submitted.asc')
  await act(() => fixture.router.navigate('/other'))
  await act(() => fixture.router.navigate('/user-manage/student-certificate'))
  await rowElement(1)
  expect(screen.getByRole<HTMLInputElement>('searchbox', { name: '手机号' }).value).toBe('17012345678')
  await waitFor(() => expect(fixture.router.state.location.search).toBe('?sort=submitted.asc'))
})

test('the range picker offers what is asked for most and says it as it was chosen', async () => {
  show()
  await rowElement(1)
  await userEvent.click(filterButton(/^提交日期$/))
  const usual = await screen.findByRole('list', { name: '常用时间范围' })
  expect(
    within(usual)
      .getAllByRole('button')
      .map((each) => each.textContent),
  ).toEqual(['今天', '昨天', '近 7 天', '近 30 天', '本月', '上月'])
  await userEvent.click(within(usual).getByRole('button', { name: '近 7 天' }))
  expect(filterButton(/^提交日期： ?近 7 天$/)).toBeTruthy()
  await waitFor(() => {
    const { filter } = asked().at(-1) as Question
    expect(Number(filter['to']) - Number(filter['from'])).toBe(7 * dayMs)
  })
})

test('an amount is typed as yuan, asked as cents, and a wrong one is told', async () => {
  const change = vi.fn()
  const spec = amount<{ from?: number; below?: number }>('金额', ['from', 'below'])
  fixture.router = createMemoryRouter([{ path: '/', element: spec.panel?.({ filter: {}, change, close: () => {} }) }])
  render(<RouterProvider router={fixture.router} />)
  const [least, most] = screen.getAllByRole('textbox')
  await userEvent.type(least as HTMLElement, '5')
  await userEvent.type(most as HTMLElement, '3')
  expect(screen.getByRole('alert').textContent).toBe('下限要小于上限')
  await userEvent.clear(most as HTMLElement)
  await userEvent.click(screen.getByRole('button', { name: '确定' }))
  expect(change).toHaveBeenCalledWith({ from: 500, below: undefined })
  expect(spec.words({ from: 500 })).toBe('≥ 5 元')
})

test('columns are chosen, ordered, pinned and kept for the person', async () => {
  show()
  await rowElement(1)
  const heads = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.replace(/[↓↑↕]/, ''))
  expect(heads()).toEqual(['', '学校或单位', '认证类型', '提交时间', '加盟商'])
  await userEvent.click(screen.getByRole('button', { name: '列设置' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '认证类型' }))
  await userEvent.click(screen.getByRole('checkbox', { name: '原因' }))
  await userEvent.click(screen.getByRole('button', { name: '上移“原因”' }))
  await userEvent.click(screen.getByRole('button', { name: '“提交时间”不固定，点按切换' }))
  expect(heads()).toEqual(['', '学校或单位', '提交时间', '原因', '加盟商'])
  cleanup()
  fixture.router.dispose()
  forgetPreferences()
  show()
  await rowElement(1)
  expect(heads()).toEqual(['', '学校或单位', '提交时间', '原因', '加盟商'])
  expect(screen.getByRole('columnheader', { name: /^提交时间/ }).getAttribute('data-edge')).toBe('start')
  await userEvent.click(screen.getByRole('button', { name: '列设置' }))
  await userEvent.click(screen.getByRole('button', { name: '恢复默认' }))
  expect(heads()).toEqual(['', '学校或单位', '认证类型', '提交时间', '加盟商'])
})

test('a view is saved, opened again and deleted with a way back', async () => {
  show()
  await rowElement(1)
  await userEvent.click(screen.getByRole('button', { name: '去掉“状态”' }))
  await userEvent.click(screen.getByRole('button', { name: '视图' }))
  await userEvent.type(screen.getByRole('textbox', { name: '视图名称' }), '全部认证{Enter}')
  await userEvent.click(screen.getByRole('button', { name: '清除' }))
  await waitFor(() => expect(fixture.router.state.location.search).toBe(''))
  await userEvent.click(screen.getByRole('button', { name: '视图' }))
  await userEvent.click(screen.getByRole('button', { name: '全部认证' }))
  await waitFor(() => expect(asked().at(-1)?.filter).toEqual({}))
  await userEvent.click(screen.getByRole('button', { name: '全部认证' }))
  await userEvent.click(screen.getByRole('button', { name: '删除视图“全部认证”' }))
  act(() => currentToasts().at(-1)?.action?.run())
  expect(screen.getByRole('button', { name: '删除视图“全部认证”' })).toBeTruthy()
})

test('a file is offered to who may have it', async () => {
  overridePermissions([])
  show()
  await rowElement(1)
  expect(screen.queryByRole('button', { name: '导出' })).toBeNull()
})

const exported = { exportId: '00000000-0000-4000-8000-000000000001', fileName: 'a.xlsx', text: '', base64: null }

test('a small file is saved at once, in the format that was chosen last', async () => {
  const formats: unknown[] = []
  fixture.platform.on(certificateEndpoints.exportCertificates, (input) => {
    formats.push((input as { format?: string }).format)
    return { suc: true, data: { ...exported, state: 'done', rows: 3 } }
  })
  URL.createObjectURL = () => 'blob:a'
  URL.revokeObjectURL = () => undefined
  show()
  await rowElement(1)
  await userEvent.click(screen.getByRole('button', { name: '导出' }))
  await waitFor(() => expect(currentToasts().at(-1)?.text).toBe('已导出 3 行'))
  await userEvent.click(screen.getByRole('button', { name: '导出方式' }))
  await userEvent.click(screen.getByRole('button', { name: '导出 CSV' }))
  await waitFor(() => expect(formats).toEqual(['xlsx', 'csv']))
})

test('a large file is left to the export centre, and stays known after a reload', async () => {
  fixture.platform.on(certificateEndpoints.exportCertificates, () => ({
    suc: true,
    data: { ...exported, state: 'queued', rows: 0 },
  }))
  show()
  await rowElement(1)
  await userEvent.click(screen.getByRole('button', { name: '导出' }))
  await waitFor(() => expect(currentToasts().at(-1)?.title).toBe('数据较多，正在后台生成'))
  expect(openExports.get()).toEqual([{ exportId: exported.exportId, fileName: 'a.xlsx' }])
  forgetExports(new Set([exported.exportId]))
})

test('after a failure the rows stay, the failure is told once, and a retry mends it', async () => {
  show()
  await rowElement(1)
  fixture.failure = new AppError('server_error')
  await act(() => queryClient.invalidateQueries())
  expect(await screen.findByText(/刷新失败，以下内容可能不是最新/)).toBeTruthy()
  await rowElement(1)
  expect(currentToasts()).toEqual([])
  fixture.failure = null
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  await waitFor(() => expect(screen.queryByText(/刷新失败/)).toBeNull())
})

test('nothing is said truly: only set conditions can be cleared, and there are no pages of nothing', async () => {
  fixture.rows = []
  show()
  expect(await screen.findByText('没有认证')).toBeTruthy()
  expect(screen.queryByRole('navigation', { name: '翻页' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '查看全部' }))
  expect(await screen.findByText('没有符合条件的记录')).toBeTruthy()
  expect(screen.getByRole('button', { name: '清除条件' })).toBeTruthy()
})
