import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import RefundDialog from './RefundDialog.tsx'

const line = { reason: '起步价', day: null, quantity: 1, benefit: null, bearer: null } as const
const lines = [
  { ...line, n: 1, code: 'start', unitCents: 200, amountCents: 200, refundableCents: 200 },
  { ...line, n: 2, code: 'out_of_place', unitCents: 500, amountCents: 500, refundableCents: 500 },
  { ...line, n: 3, code: 'insurance', unitCents: 50, amountCents: 50, refundableCents: 0 },
] as const
let platform: FakePlatform
let refundableCents = 700
const sent: unknown[] = []
const onClose = vi.fn<() => void>()

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  refundableCents = 700
  onClose.mockReset()
  platform.on(endpoints.refundOutlook, () => ({
    suc: true,
    data: { refundableCents, giftCents: 0, lines, refunds: [] },
  }))
  platform.on(endpoints.refundOrder, (input) => {
    sent.push(input)
    const refund = { id: 1, cents: 500, parts: [], reason: '', operatorName: '周可', refundedAt: 1_800_000_000_000 }
    return { suc: true, data: { refund, refundedCents: 500 } }
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

function show(): void {
  render(
    <QueryClientProvider client={queryClient}>
      <RefundDialog orderId={17} number="2026" onClose={onClose} />
    </QueryClientProvider>,
  )
}
const button = (name: string): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name })
const beside = (): string => document.querySelector('.form-reason')?.textContent ?? ''

test('gives everything back for a reason, once', async () => {
  show()
  expect(beside()).toBe('正在加载…')
  expect(await screen.findByText('最多可退 7.00 元')).toBeTruthy()
  expect(beside()).toContain('请填写')
  fireEvent.click(button('停车点误判'))
  // A double click: the second one comes before the button is drawn as busy.
  act(() => {
    button('退款 7.00 元').click()
    button('退款 7.00 元').click()
  })
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ orderId: 17, reason: '停车点误判' }])
  expect(currentToasts().map(({ text }) => text)).toEqual(['已退款 5.00 元'])
})

test('takes no more than there is, and of single lines their own amounts', async () => {
  show()
  await screen.findByText('最多可退 7.00 元')
  fireEvent.click(button('计费有误'))
  fireEvent.click(screen.getByLabelText('退还部分金额'))
  fireEvent.change(screen.getByLabelText('退款金额（元）'), { target: { value: '7.01' } })
  expect(button('退款 -- 元').disabled).toBe(true)
  fireEvent.click(screen.getByLabelText('按明细退还'))
  expect(beside()).toBe('请选择费用明细')
  expect(screen.queryByLabelText(/保险/), 'a line of which nothing is left').toBeNull()
  fireEvent.click(screen.getByLabelText(/5\.00/))
  fireEvent.click(button('退款 5.00 元'))
  await waitFor(() => expect(sent).toEqual([{ orderId: 17, reason: '计费有误', lines: [2] }]))
})

test('that nothing is left for cannot be sent', async () => {
  refundableCents = 0
  show()
  await screen.findByText('最多可退 0.00 元')
  fireEvent.click(button('车辆故障'))
  expect(beside()).toBe('没有可以退的金额')
  expect(button('退款 0.00 元').disabled).toBe(true)
})
