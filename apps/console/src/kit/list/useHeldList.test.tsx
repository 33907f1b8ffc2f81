import { act, cleanup, fireEvent, render, renderHook, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ListCard } from './ListCard.tsx'
import { forgetPreferences } from './preferences.ts'
import { heldListOf, useHeldList } from './useHeldList.ts'

interface Area {
  readonly id: number
  readonly name: string
  readonly batteryPercent: number | null
}

const areas = heldListOf<Area>({
  name: 'areas of a test',
  fields: { name: '服务区', batteryPercent: { title: '平均电量', as: 'percent' } },
  sorts: { batteryPercent: ['asc', (row) => row.batteryPercent], name: ['asc', (row) => row.name] },
})

function Areas({ rows }: { readonly rows: readonly Area[] | undefined }) {
  return <ListCard list={useHeldList(areas, { rows, isPhone: false })} label="服务区" empty="没有服务区" />
}

const rowsOf = (count: number): Area[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    name: `区 ${index + 1}`,
    batteryPercent: index === 0 ? null : 100 - index,
  }))
const names = () =>
  screen.getAllByRole('row').flatMap((row) => within(row).queryAllByRole('cell')[0]?.textContent ?? [])

beforeEach(() => {
  forgetPreferences()
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('rows in hand are sorted by what the page allows, and what has no value comes last either way', () => {
  render(<Areas rows={rowsOf(3)} />, { wrapper: MemoryRouter })
  expect(names()).toEqual(['区 3', '区 2', '区 1'])
  fireEvent.click(screen.getByRole('button', { name: '平均电量' }))
  expect(names()).toEqual(['区 2', '区 3', '区 1'])
  expect(screen.getByTestId('list-count').textContent).toBe('3 条')
})

test('they are shown by pages, and the last page that is left when they become fewer', () => {
  const { rerender } = render(<Areas rows={rowsOf(60)} />, { wrapper: MemoryRouter })
  fireEvent.click(screen.getByRole('button', { name: '下一页' }))
  expect(names()).toHaveLength(10)
  rerender(<Areas rows={rowsOf(50)} />)
  expect(names()).toHaveLength(50)
  rerender(<Areas rows={[]} />)
  expect(screen.getByText('没有服务区')).toBeTruthy()
})

test('rows are selected from the start where the page says so, beyond the page that is shown too', () => {
  const rows = rowsOf(60)
  const { result } = renderHook(() => useHeldList(areas, { rows, selectedFirst: rows, isPhone: false }), {
    wrapper: MemoryRouter,
  })
  expect(result.current.selectedKeys).toEqual(rows.map(({ id }) => id))
  act(() => result.current.choose([60]))
  expect(result.current.selected).toEqual(rows.slice(59))
})
