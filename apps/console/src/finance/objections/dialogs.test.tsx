import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Objection } from '@saddle/contract/finance/objections.ts'
import type { ServiceBill } from '@saddle/contract/finance/serviceBills.ts'
import { currentToasts } from '#kit/notify.ts'
import WaiveDialog from '../serviceBills/WaiveDialog.tsx'
import DecideDialog from './DecideDialog.tsx'
import { button, show, type, withDialogs } from '#test/dialogs.tsx'

const objection: Objection = {
  id: 31,
  agentId: 3,
  company: '江城出行',
  kind: 'service',
  billId: 8,
  number: 'FW202610-3',
  period: '2026-10',
  state: 'under_review',
  reason: 'quantity',
  text: '短信条数与我方记录不符',
  disputedCents: 6_000,
  acceptedCents: 0,
  submittedAt: 1_800_000_000_000,
  submittedBy: '财务',
  deadlineAt: 1_800_400_000_000,
  decidedAt: null,
  decidedBy: null,
  note: '',
}
const bill: ServiceBill = {
  id: 8,
  agentId: 3,
  company: '江城出行',
  number: 'FW202610-3',
  month: '2026-10',
  state: 'unpaid',
  amountCents: 20_000,
  adjustedCents: 0,
  freeCents: 0,
  heldCents: 0,
  paidCents: 5_000,
  openCents: 15_000,
  issuedAt: 1_800_000_000_000,
  dueAt: 1_800_400_000_000,
  freeReason: '',
  freedBy: null,
}
const { sent, onClose, answer, platform } = withDialogs()

test('an objection is accepted once, in part, and never above what is disputed', async () => {
  answer(endpoints.decideObjection, () => ({ ...objection, state: 'accepted', acceptedCents: 4_000 }))
  show(<DecideDialog objection={objection} act="accept" onClose={onClose} />)
  expect(screen.getByText(/已经扣款的部分退回服务费余额/)).toBeTruthy()
  type(/采纳金额/, '60.01')
  expect(button('采纳').disabled).toBe(true)
  type(/采纳金额/, '40')
  act(() => {
    button('采纳').click()
    button('采纳').click()
  })
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ id: 31, act: 'accept', note: '', cents: 4_000 }])
  expect(currentToasts().map(({ text }) => text)).toEqual(['异议已更新'])
})

test('an objection to income says that what is accepted is booked in the open day', () => {
  show(<DecideDialog objection={{ ...objection, kind: 'split' }} act="accept" onClose={onClose} />)
  expect(screen.getByText(/记入尚未日结的日子/)).toBeTruthy()
})

test('a refusal asks for a reason, sends no amount, and shows what the platform refuses', async () => {
  show(<DecideDialog objection={objection} act="refuse" onClose={onClose} />)
  expect(screen.queryByLabelText(/采纳金额/)).toBeNull()
  expect(button('驳回').disabled).toBe(true)
  type('处理说明', '与运营商记录一致')
  platform().on(endpoints.decideObjection, (input) => {
    sent.push(input)
    throw new AppError('objection_decided')
  })
  act(() => button('驳回').click())
  await screen.findByText('该异议已经处理，请刷新后查看')
  expect(sent).toEqual([{ id: 31, act: 'refuse', note: '与运营商记录一致' }])
  expect(onClose).not.toHaveBeenCalled()
})

test('a bill is waived once, with its amount on the button and a reason that the company sees', async () => {
  answer(endpoints.waiveServiceBill, () => ({ ...bill, state: 'paid', openCents: 0, freeCents: 15_000 }))
  show(<WaiveDialog bill={bill} onClose={onClose} />)
  expect(button('减免 150.00 元').disabled).toBe(true)
  act(() => button('服务中断补偿').click())
  act(() => {
    button('减免 150.00 元').click()
    button('减免 150.00 元').click()
  })
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ id: 8, reason: '服务中断补偿' }])
})
