import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { pageSizes } from '@saddle/contract/list.ts'
import { notify } from '#kit/notify.ts'
import { Cards } from './table/Cards.tsx'
import { columnsOf } from './table/columns.tsx'
import { fixture, hasRow, press, rowElement, rowOf, setUpList, show } from './list.fixture.tsx'

setUpList()

test('j, k and x move and select, Esc selects none, Enter opens the row', async () => {
  show()
  await rowElement(1)
  press('j')
  press('j')
  expect((await rowElement(2)).getAttribute('data-active')).toBe('true')
  press('x')
  press('k')
  press('x')
  expect(screen.getByLabelText('chosen').textContent).toBe('2,1')
  press('Escape')
  expect(screen.queryByLabelText('chosen')).toBeNull()
  press('Enter')
  await waitFor(() => expect(fixture.router.state.location.search).toBe('?id=1'))
})

test('the shift key selects all between two rows, and another question selects none', async () => {
  show()
  const box = async (id: number): Promise<HTMLElement> => within(await rowElement(id)).getByRole('checkbox')
  fireEvent.click(await box(2))
  fireEvent.click(await box(4), { shiftKey: true })
  expect(screen.getByLabelText('chosen').textContent).toBe('2,3,4')
  await userEvent.click(screen.getByRole('button', { name: '去掉“状态”' }))
  await waitFor(() => expect(screen.queryByLabelText('chosen')).toBeNull())
})

test('what is selected on another page is told of', async () => {
  fixture.rows = Array.from({ length: 60 }, (_, index) => rowOf(index + 1))
  show()
  fireEvent.click(within(await rowElement(1)).getByRole('checkbox'))
  fireEvent.click(screen.getByRole('button', { name: '下一页' }))
  await rowElement(51)
  await userEvent.click(screen.getByRole('button', { name: '1 条不在本页，查看' }))
  expect(within(screen.getByRole('dialog')).getByRole('listitem').textContent).toBe('1')
})

test('the panel takes the focus, marks its row, closes on Esc, and after a decision shows the row after it', async () => {
  show({ hasPanel: true })
  fireEvent.click(await rowElement(3))
  const panel = await screen.findByRole('complementary', { name: '材料' })
  expect(document.activeElement).toBe(panel)
  expect((await rowElement(3)).getAttribute('data-opened')).toBe('true')
  press('1')
  await waitFor(() => expect(screen.getByRole('complementary').textContent).toContain('学校 4'))
  expect(hasRow(3)).toBe(false)
  press('Escape')
  await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull())
})

test('a queue has something to decide in front of it, j shows the next, u takes back', async () => {
  show({ hasPanel: true, layout: 'queue' })
  expect((await screen.findByRole('complementary')).textContent).toContain('学校 1')
  press('j')
  await waitFor(() => expect(screen.getByRole('complementary').textContent).toContain('学校 2'))
  const back = vi.fn()
  act(() => notify.success({ text: '已通过', action: { label: '撤回', run: back } }))
  press('u')
  expect(back).toHaveBeenCalledOnce()
  await userEvent.click(screen.getByRole('button', { name: '表格' }))
  expect(screen.getByRole('table', { name: '认证' })).toBeTruthy()
})

test('without room beside the list the panel is a sheet that keeps the focus and gives it back', async () => {
  fixture.hasRoom = false
  show({ hasPanel: true })
  fireEvent.click(await rowElement(2))
  const sheet = await screen.findByRole('dialog', { name: '材料' })
  expect(document.activeElement).toBe(sheet)
  fireEvent.keyDown(sheet, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('on a phone there are cards, filters behind one button, and more rows on demand', async () => {
  fixture.isPhone = true
  fixture.rows = Array.from({ length: pageSizes[1] + 10 }, (_, index) => rowOf(index + 1))
  show({ hasPanel: true })
  expect(within(await rowElement(1)).getAllByRole('definition').length).toBeLessThanOrEqual(4)
  expect(screen.queryByRole('table')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '加载更多' }))
  await rowElement(pageSizes[1] + 10)
  expect(screen.getByText('已到末尾')).toBeTruthy()
  expect(hasRow(1)).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: '筛选（1）' }))
  const sheet = screen.getByRole('dialog', { name: '筛选' })
  expect(within(sheet).getByRole('button', { name: `查看 ${fixture.rows.length} 条` })).toBeTruthy()
})

test('a card leaves values out, and never the acts of its row', () => {
  const columns = columnsOf<{ readonly id: number }>({
    fields: {},
    sorts: {},
    columns: [
      ...['a', 'b', 'c', 'd', 'e'].map((key) => ({ key, title: key, render: () => key })),
      { key: 'acts', title: 'acts', card: 'wide', render: () => <button>退卡</button> },
    ],
  })
  render(<Cards label="卡" columns={columns} rows={[{ id: 1 }]} rowKey={({ id }) => id} />)
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['a', 'b', 'c', 'd', '退卡'])
})

test('a detail page leads to the rows beside it, beyond the page that was read, and back to their place', async () => {
  fixture.rows = Array.from({ length: 60 }, (_, index) => rowOf(index + 1))
  show()
  fireEvent.click(await rowElement(50))
  expect(await screen.findByText('第 50 条')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '下一条' }))
  expect(await screen.findByText('第 51 条')).toBeTruthy()
  expect(screen.getByRole('heading').textContent).toBe('行 51')
  await userEvent.click(screen.getByRole('link', { name: '‹ 认证' }))
  await rowElement(51)
  expect(hasRow(50)).toBe(false)
  expect(screen.getByText(/第 2 页/)).toBeTruthy()
})
