import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'
import type { ListedReview } from '@saddle/contract/riding/returns.ts'
import WaiveDialog from './WaiveDialog.tsx'

const review = (orderId: number, feeCents: number): ListedReview => ({
  orderId,
  openedAt: 1_800_000_000_000,
  cause: 'fee',
  claim: '',
  feeCents,
  state: 'open',
  decidedAt: null,
  decidedBy: null,
  note: '',
  number: String(orderId),
  riderId: 7,
  vehicleNumber: 'SD000001',
  riderPhone: '137****0001',
  areaId: 31,
  areaName: '城北',
  endedAt: 1_800_000_000_000,
  chargedCents: 700,
  refundedCents: 0,
  returnKind: 'out_of_place',
  distanceM: 40,
  lat: 31.3,
  lng: 120.6,
  photoCount: 0,
})
let platform: FakePlatform
const sent: unknown[] = []
const onClose = vi.fn<() => void>()
const onWaived = vi.fn<() => void>()

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  onClose.mockReset()
  onWaived.mockReset()
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

test('says how much goes back, gives it back once, and tells what could not be decided', async () => {
  platform.on(endpoints.decideReturns, (input) => {
    sent.push(input)
    return { suc: true, data: { decided: [1], refused: [{ orderId: 2, promot: '退款金额超过可退金额' }] } }
  })
  render(
    <QueryClientProvider client={queryClient}>
      <WaiveDialog chosen={[review(1, 500), review(2, 300)]} note="围栏偏移" onWaived={onWaived} onClose={onClose} />
    </QueryClientProvider>,
  )
  expect(screen.getByText('共 8.00 元：已支付的原路退还，待支付的减免。退还后不能撤销。')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>(/^审批说明/).value).toBe('围栏偏移')
  fireEvent.change(screen.getByLabelText(/^审批说明/), { target: { value: '围栏已更正' } })
  const waive = screen.getByRole<HTMLButtonElement>('button', { name: '免除 2 单，共 8.00 元' })
  // A double click: the second one comes before the button is drawn as busy.
  act(() => {
    waive.click()
    waive.click()
  })
  await waitFor(() => expect(onWaived).toHaveBeenCalledOnce())
  expect(onClose).toHaveBeenCalledOnce()
  expect(sent).toEqual([{ orderIds: [1, 2], decision: 'waived', note: '围栏已更正' }])
  const told = currentToasts()
  expect(told.map(({ text }) => text)).toEqual(['已审批 1 单', '退款金额超过可退金额'])
  expect(told[0]?.action, 'money that went back stays there').toBeUndefined()
})
