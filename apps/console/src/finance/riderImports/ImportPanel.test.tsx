import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import App from 'antd/es/app'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { RiderImport } from '@saddle/contract/finance/riderImports.ts'
import { PanelContext, type PanelOfList } from '#kit/list/DetailPanel.tsx'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { ImportPanel } from './ImportPanel.tsx'

const batch: RiderImport = {
  id: 31,
  agentId: 3,
  company: '江城出行',
  state: 'checked',
  name: 'riders.csv',
  total: 3,
  bad: 1,
  added: 2,
  cents: 1_950,
  refusedCents: 50,
  booked: null,
  bookedCents: null,
  createdAt: 1_800_000_000_000,
  createdBy: '周可',
  endedAt: null,
  endedBy: null,
  isOwn: false,
}
const inList: PanelOfList = { close: () => {}, previous: null, next: null, takesFocus: false }
let platform: FakePlatform
const sent: unknown[] = []

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  platform.on(endpoints.riderImportFaults, () => ({
    suc: true,
    data: { list: [{ line: 4, problems: ['phone_format', 'balance_high'] }] },
  }))
  platform.on(endpoints.commitRiderImport, (input) => {
    sent.push(input)
    return { suc: true, data: { id: 31, riders: 2, added: 2, cents: 1_950 } }
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

function show(changes: Partial<RiderImport> = {}): void {
  render(
    <QueryClientProvider client={queryClient}>
      <App>
        <MemoryRouter>
          <PanelContext value={inList}>
            <ImportPanel batch={{ ...batch, ...changes }} />
          </PanelContext>
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
}

test('a second person sees why lines are left out, and commits after a warning', async () => {
  show()
  expect(await screen.findByText('第 4 行')).toBeTruthy()
  expect(screen.getByText('手机号须为 11 位、余额超过 1 万元')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '导入 2 位用户' }))
  expect(sent).toEqual([])
  expect(screen.getByText(/导入后不能撤销/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '确认导入' }))
  await waitFor(() => expect(sent).toEqual([{ id: 31 }]))
})

test('the uploader does not commit balances, and does commit riders alone', () => {
  show({ isOwn: true })
  expect(screen.getByRole('button', { name: '导入 2 位用户' })).toHaveProperty('disabled', true)
  expect(screen.getByText('含余额的批次须由上传人以外的人确认')).toBeTruthy()
  cleanup()
  show({ isOwn: true, cents: 0, bad: 0, total: 2 })
  expect(screen.getByRole('button', { name: '导入 2 位用户' })).toHaveProperty('disabled', false)
})

test('the report adds up: the file, what is left out, what is taken, and what the ledger has', () => {
  show()
  const cells = () =>
    screen.getAllByRole('row').map((row) => Array.from(row.children, (cell) => cell.textContent).join(' '))
  expect(cells()).toEqual(['项目 行数 余额', '文件 3 20.00', '不能导入 1 0.50', '可以导入 2 19.50'])
  expect(screen.getByText(/届时删除其中的用户资料/)).toBeTruthy()
  cleanup()
  show({ state: 'committed', booked: 2, bookedCents: 1_950, endedAt: 1_800_000_100_000, endedBy: '吴越' })
  expect(cells().at(-1)).toBe('账本中的期初余额 2 19.50')
  expect(screen.getByText(/账本与文件相符/)).toBeTruthy()
  cleanup()
  show({ state: 'committed', booked: 2, bookedCents: 1_900, endedAt: 1_800_000_100_000, endedBy: '吴越' })
  expect(screen.getByText(/账本与文件相差 -0.50 元/)).toBeTruthy()
})

test('a batch of before shows no sum of what was left out, and one that expired nobody who ended it', () => {
  show({ refusedCents: null, state: 'expired', endedAt: 1_800_000_100_000 })
  expect(screen.getAllByText('—')).toHaveLength(2)
  expect(screen.getAllByText('已过期')).toHaveLength(2)
  expect(screen.queryByText(/届时删除/)).toBeNull()
})

test('a batch that was decided on offers nothing', () => {
  show({ state: 'committed', bad: 0, endedAt: 1_800_000_100_000, endedBy: '吴越' })
  expect(screen.queryByRole('button', { name: /位用户/ })).toBeNull()
})
