import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react'
import App from 'antd/es/app'
import { MemoryRouter } from 'react-router'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { MoneyActRow } from '@saddle/contract/finance/secondPerson.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { ActsView } from './ActsView.tsx'
import ChargeDialog from './ChargeDialog.tsx'
import { ReturnRefund } from './ReturnRefund.tsx'

configure({ asyncUtilTimeout: 15_000 })

const row: MoneyActRow = {
  id: 31,
  agentId: 3,
  company: '江城出行',
  riderId: 1042,
  act: 'charge',
  orderId: null,
  isToRider: true,
  cents: 200_000,
  reason: '补偿',
  operatorName: '周可',
  isOwn: false,
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
  platform.on(endpoints.moneyActs, () => ({ suc: true, data: { list, nextCursor: null, waiting: list.length } }))
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
  show(<ActsView />)
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
  list = [{ ...row, isOwn: true }]
  platform.on(endpoints.rejectMoneyAct, (input) => {
    asked.push(input)
    return { suc: true, data: { state: 'withdrawn' } }
  })
  show(<ActsView />)
  fireEvent.click((await screen.findAllByRole('button', { name: '撤回' }))[0]!)
  expect(screen.queryByRole('button', { name: '确认' })).toBeNull()
  fireEvent.change(await screen.findByLabelText('说明（可不填）'), { target: { value: '记错了' } })
  const buttons = screen.getAllByRole('button', { name: '撤回' })
  fireEvent.click(buttons.at(-1)!)
  await waitFor(() => expect(currentToasts()[0]?.text).toBe('已撤回，没有动用资金'))
  expect(asked).toEqual([{ id: 31, note: '记错了' }])
})

test('a charge that waits for a second person is told as such, and its dialog closes', async () => {
  platform.on(endpoints.platformCharge, (input) => {
    asked.push(input)
    throw new AppError('money_held', { values: { id: 31 } })
  })
  let closed = 0
  const wallet = { riderId: 1042, balanceCents: 500_000, giftCents: 0, depositCents: 0, frozenCents: 0, cardCents: 0 }
  show(<ChargeDialog wallet={wallet} onClose={() => (closed += 1)} />)
  fireEvent.change(await screen.findByLabelText(/金额（元）/), { target: { value: '2000' } })
  fireEvent.change(screen.getByLabelText('原因（骑行者可见）'), { target: { value: '补偿' } })
  fireEvent.click(screen.getByRole('button', { name: '从余额扣 2,000.00 元' }))
  await waitFor(() => expect(closed).toBe(1))
  expect(currentToasts()).toMatchObject([{ kind: 'info', text: expect.stringContaining('编号 31') }])
  expect(asked).toHaveLength(1)
})

test('a failed refund becomes balance for a reason only', async () => {
  platform.on(endpoints.returnRefund, (input) => {
    asked.push(input)
    return { suc: true, data: { ...refund, state: 'returned', returnedAt: 1, returnedBy: '周可' } }
  })
  const refund = {
    id: 9,
    cents: 500,
    reason: '退余额',
    state: 'failed',
    fault: '账户异常',
    attempts: 1,
    createdAt: 1,
    doneAt: null,
    returnedAt: null,
    returnedBy: null,
  } as const
  show(<ReturnRefund refund={refund} />)
  fireEvent.click(screen.getByRole('button', { name: '转为余额' }))
  const submit = await screen.findByRole('button', { name: '转 5.00 元为余额' })
  fireEvent.click(submit)
  expect(asked).toEqual([])
  fireEvent.change(screen.getByLabelText('原因（留档备查）'), { target: { value: '银行卡已注销' } })
  fireEvent.click(submit)
  await waitFor(() => expect(asked).toEqual([{ refundId: 9, reason: '银行卡已注销' }]))
  await waitFor(() => expect(currentToasts()[0]?.text).toBe('已转为骑行者的余额'))
})
