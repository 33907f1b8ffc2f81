import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import App from 'antd/es/app'
import { MemoryRouter } from 'react-router'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { MoneyActRow } from '@saddle/contract/finance/secondPerson.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { MoneyActList } from './MoneyActList.tsx'

const row: MoneyActRow = {
  id: 31,
  agentId: 3,
  company: '江城出行',
  riderId: 1042,
  act: 'charge',
  orderId: null,
  billId: null,
  isCredit: true,
  cents: 200_000,
  reason: '补偿',
  operatorName: '周可',
  isOwn: false,
  canDecide: true,
  askedAt: 1_800_000_000_000,
  expiresAt: 1_800_086_400_000,
  state: 'waiting',
  decidedBy: null,
  decidedAt: null,
  note: '',
}
let platform: FakePlatform
let list: MoneyActRow[] = []
const asked: unknown[] = []

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  asked.length = 0
  list = [row]
  platform.on(endpoints.listMoneyActs, () => ({
    suc: true,
    data: { list, nextCursor: null, count: list.length, isCountCut: false },
  }))
  platform.on(endpoints.sumMoneyActs, () => ({
    suc: true,
    data: { rows: list.length, isCut: false, sums: { cents: 0 } },
  }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

function show(children: ReactNode): void {
  render(
    <QueryClientProvider client={queryClient}>
      <App>
        <MemoryRouter>{children}</MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
}

test('another person’s act is confirmed after a look at it', async () => {
  platform.on(endpoints.confirmMoneyAct, (input) => {
    asked.push(input)
    list = []
    return { suc: true, data: { state: 'confirmed' } }
  })
  show(<MoneyActList title="资金确认" views={null} about="riders" />)
  fireEvent.click((await screen.findAllByRole('button', { name: '确认' }))[0]!)
  expect(await screen.findByText('周可 提交：平台加款 2,000.00 元。原因：补偿')).toBeTruthy()
  expect(asked).toEqual([])
  // A double click: the second one comes before the button is drawn as busy.
  const confirm = screen.getByRole<HTMLButtonElement>('button', { name: '确认 2,000.00 元' })
  act(() => {
    confirm.click()
    confirm.click()
  })
  await waitFor(() => expect(currentToasts()[0]?.text).toBe('已确认并执行，2,000.00 元'))
  expect(asked).toEqual([{ id: 31 }])
  expect(await screen.findByText('没有待确认的资金操作')).toBeTruthy()
})

test('one’s own act can only be taken back', async () => {
  list = [{ ...row, isOwn: true, canDecide: false }]
  platform.on(endpoints.rejectMoneyAct, (input) => {
    asked.push(input)
    return { suc: true, data: { state: 'withdrawn' } }
  })
  show(<MoneyActList title="资金确认" views={null} about="riders" />)
  fireEvent.click((await screen.findAllByRole('button', { name: '撤回' }))[0]!)
  expect(screen.queryByRole('button', { name: '确认' })).toBeNull()
  fireEvent.change(await screen.findByLabelText(/^说明/), { target: { value: '记错了' } })
  fireEvent.click(screen.getByRole('button', { name: '撤回 2,000.00 元' }))
  await waitFor(() => expect(currentToasts()[0]?.text).toBe('已撤回，没有动用资金'))
  expect(asked).toEqual([{ id: 31, note: '记错了' }])
})

test('a correction of a bill names its bill and direction, and the company concerned only looks at it', async () => {
  const correction = { ...row, act: 'split_correction' as const, riderId: null, billId: 71, isCredit: false }
  list = [{ ...correction, canDecide: false }]
  show(<MoneyActList title="更正复核" views={null} about="bills" />)
  expect((await screen.findAllByText('由上级公司复核')).length).toBeGreaterThan(0)
  expect(screen.getAllByText('冲减账单收入').length).toBeGreaterThan(0)
  expect(screen.getAllByRole('link', { name: '账单 71' })[0]?.getAttribute('href')).toContain(
    '/financial/SplitBill?filter=',
  )
  expect(screen.queryByRole('button', { name: '确认' })).toBeNull()
})
