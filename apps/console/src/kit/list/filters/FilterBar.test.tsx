import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import type { FilteredList } from '../useList.ts'
import { ListFilters } from './FilterBar.tsx'
import { keyword, many, tabbed } from './specs.tsx'

type F = { frame?: string; central?: string; states?: readonly string[] }

afterEach(cleanup)

const filters = [
  keyword<F>('车架号', 'frame'),
  many<F>('states', '状态', { made: '已生产' }),
  keyword<F>('中控号', 'central'),
]

const nothing: F = {}

interface BarProps {
  readonly isPhone: boolean
  readonly specs?: typeof filters
  readonly begin?: F
}

/** The bar over a filter that it holds itself. */
function Bar({ isPhone, specs = filters, begin = nothing }: BarProps) {
  const [filter, setFilter] = useState<F>(begin)
  const list = {
    filter,
    conditions: filter,
    isPhone,
    total: null,
    change: (part: F) => setFilter((before) => ({ ...before, ...part })),
    clear: () => setFilter({}),
    declaration: { usual: {} },
  } as unknown as FilteredList<F>
  return (
    <>
      <ListFilters list={list} filters={specs} />
      <output>{JSON.stringify(filter)}</output>
    </>
  )
}

const typed = () => screen.getAllByRole('searchbox').map((field) => field.getAttribute('aria-label'))
const filterNow = () => JSON.parse(screen.getByRole('status').textContent) as F

it('has every typed filter in the bar where there is room', () => {
  render(<Bar isPhone={false} />)
  expect(typed()).toEqual(['车架号', '中控号'])
})

it('has the first typed filter in the bar on a phone, and the others behind the button', async () => {
  render(<Bar isPhone />)
  expect(typed()).toEqual(['车架号'])
  await userEvent.click(screen.getByRole('button', { name: '筛选' }))
  const sheet = within(screen.getByRole('dialog', { name: '筛选' }))
  expect(sheet.getAllByRole('searchbox').map((field) => field.getAttribute('aria-label'))).toEqual(['中控号'])
  await userEvent.type(sheet.getByRole('searchbox', { name: '中控号' }), 'AB12')
  await userEvent.click(sheet.getByRole('button', { name: '查看结果' }))
  expect(filterNow()).toEqual({ central: 'AB12' })
  expect(screen.getByRole('button', { name: '筛选（1）' }).getAttribute('data-on')).toBe('true')
})

it('names what a link has set where neither a filter nor a tab shows it', () => {
  const specs = [tabbed<F>('states')]
  const said = () => screen.queryByText('链接带来的 1 个条件')
  render(<Bar isPhone={false} specs={specs} begin={{ states: ['made'] }} />)
  expect(said()).toBeNull()
  cleanup()
  render(<Bar isPhone={false} specs={specs} begin={{ states: ['made', 'sold'] }} />)
  expect(said()).toBeTruthy()
})
