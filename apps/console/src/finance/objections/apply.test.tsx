import { fireEvent, screen, waitFor } from '@testing-library/react'
import { MemoryRouter, Route, Routes } from 'react-router'
import { expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { BillLine } from '@saddle/contract/finance/serviceBills.ts'
import { button, show, twice, type, withDialogs } from '#test/dialogs.tsx'
import ObjectionApplyPage from './ObjectionApplyPage.tsx'

const line: BillLine = {
  id: 8,
  billId: 5,
  number: 'FW202610-3',
  month: '2026-10',
  agentId: 3,
  company: '江城出行',
  areaId: null,
  area: null,
  meter: 'sms',
  quantity: 100,
  priceCents: 60,
  perQuantity: 1,
  amountCents: 6_000,
  disputedCents: 1_000,
  adjustedCents: 0,
}
const { sent, answer, platform } = withDialogs()
const open = (query: string): void => {
  platform().on(endpoints.listBillLines, () => ({
    suc: true,
    data: { list: [line], nextCursor: null, count: 1, isCountCut: false },
  }))
  show(
    <MemoryRouter initialEntries={[`/financial/objectionApply${query}`]}>
      <Routes>
        <Route path="/financial/objectionApply" element={<ObjectionApplyPage />} />
        <Route path="*" element={<p>submitted</p>} />
      </Routes>
    </MemoryRouter>,
  )
}
const amount = (): HTMLInputElement => screen.getByPlaceholderText<HTMLInputElement>(/50\.00/)

test('what is disputed of a bill is at most what is left of its lines, and is sent once', async () => {
  answer(endpoints.submitObjection, { id: 31 })
  open('?bill=5')
  expect(await screen.findByText(/FW202610-3：出账后 30 天内可以提出异议/)).toBeTruthy()
  expect(button('提交异议').disabled).toBe(true)
  type(/^说明/, '短信条数与我方记录不符')
  fireEvent.change(amount(), { target: { value: '50.01' } })
  expect(button('提交异议').disabled).toBe(true)
  fireEvent.change(amount(), { target: { value: '12.50' } })
  twice('提交异议 12.50 元')
  await waitFor(() => expect(screen.getByText('submitted')).toBeTruthy())
  expect(sent).toEqual([
    expect.objectContaining({
      billId: 5,
      reason: 'quantity',
      text: '短信条数与我方记录不符',
      lines: [{ lineId: 8, cents: 1_250 }],
    }),
  ])
})

test('an objection that is late is refused beside the lines, and nothing that was typed is lost', async () => {
  answer(endpoints.submitObjection, () => {
    throw new AppError('objection_late')
  })
  open('?bill=5')
  await screen.findByText(/FW202610-3/)
  fireEvent.change(amount(), { target: { value: '12.50' } })
  type(/^说明/, '短信条数与我方记录不符')
  twice('提交异议 12.50 元')
  await waitFor(() => expect(sent).toHaveLength(1))
  expect((await screen.findAllByRole('alert')).length).toBeGreaterThan(0)
  expect(amount().value).toBe('12.50')
})

test('without a bill it says where to pick one', async () => {
  open('')
  expect(await screen.findByText(/请从账单明细或分账账单中选择一张账单/)).toBeTruthy()
})
