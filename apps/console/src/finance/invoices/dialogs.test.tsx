import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Invoice } from '@saddle/contract/finance/invoices.ts'
import { currentToasts } from '#kit/notify.ts'
import FlushDialog from './FlushDialog.tsx'
import IssueDialog from './IssueDialog.tsx'
import RefuseDialog from './RefuseDialog.tsx'
import { button, show, twice, type, withDialogs } from '#test/dialogs.tsx'

const invoice: Invoice = {
  id: 41,
  agentId: 3,
  company: '江城出行',
  riderId: 1042,
  riderPhone: '138****8000',
  state: 'requested',
  titleKind: 'company',
  title: '苏州******公司',
  cents: 900,
  itemCount: 1,
  requestedAt: 1_800_000_000_000,
  decidedAt: null,
  decidedBy: null,
  reason: '',
  number: '24322000000012345678',
  link: null,
  hasFile: false,
  redNumber: null,
}
const { sent, onClose, onDone, answer, platform } = withDialogs()

test('invoices are registered once each with their own number, and those that could not be are told', async () => {
  answer(endpoints.issueInvoices, () => ({ done: [41], refused: [{ id: 42, promot: '该发票号码已登记过' }] }))
  show(<IssueDialog invoices={[invoice, { ...invoice, id: 42, cents: 500 }]} onClose={onClose} onDone={onDone} />)
  expect(screen.queryByLabelText(/下载链接/)).toBeNull()
  expect(screen.getByText('还有 2 张没有号码')).toBeTruthy()
  type('苏州******公司 · 9.00 元', '12345678')
  type('苏州******公司 · 5.00 元', '12345678')
  expect(screen.getByText('有两张发票的号码相同')).toBeTruthy()
  type('苏州******公司 · 5.00 元', '123')
  expect(screen.getByText('发票号码为 8 位或 20 位数字')).toBeTruthy()
  expect(button('登记 2 张发票').disabled).toBe(true)
  type('苏州******公司 · 5.00 元', '12345679')
  twice('登记 2 张发票')
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  const numbers = [
    { id: 41, number: '12345678' },
    { id: 42, number: '12345679' },
  ]
  expect(sent).toEqual([{ invoices: numbers }])
  expect(currentToasts().map(({ text }) => text)).toEqual(['已登记 1 张发票', '1 项未能处理：该发票号码已登记过'])
})

test('a single invoice may have a link, which is a safe one', async () => {
  answer(endpoints.issueInvoices, () => ({ done: [41], refused: [] }))
  show(<IssueDialog invoices={[invoice]} onClose={onClose} />)
  type('苏州******公司 · 9.00 元', '12345678')
  type(/^下载链接/, 'http://example.com/1.pdf')
  expect(screen.getByText('链接应以 https:// 开头')).toBeTruthy()
  type(/^下载链接/, 'https://example.com/1.pdf')
  fireEvent.click(button('登记 1 张发票'))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ invoices: [{ id: 41, number: '12345678', link: 'https://example.com/1.pdf' }] }])
})

test('a number that is taken is told at the numbers, and what was typed stays', async () => {
  platform().on(endpoints.issueInvoices, () => {
    throw new AppError('invoice_number_taken')
  })
  show(<IssueDialog invoices={[invoice]} onClose={onClose} />)
  type('苏州******公司 · 9.00 元', '12345678')
  fireEvent.click(button('登记 1 张发票'))
  expect((await screen.findByRole('alert')).textContent).toBe('该发票号码已登记过')
  expect(screen.getByLabelText<HTMLInputElement>('苏州******公司 · 9.00 元').value).toBe('12345678')
  expect(onClose).not.toHaveBeenCalled()
})

test('a refusal asks for a reason and is taken back from the message', async () => {
  answer(endpoints.refuseInvoices, () => ({ done: [41], refused: [] }))
  answer(endpoints.restoreInvoices, () => ({ done: [41], refused: [] }))
  show(<RefuseDialog invoices={[invoice]} onClose={onClose} onDone={onDone} />)
  expect(screen.getByText('请填写原因')).toBeTruthy()
  fireEvent.click(button('重复申请'))
  twice('拒绝 1 张')
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ ids: [41], reason: '重复申请' }])
  const [told] = currentToasts()
  expect(told?.text).toBe('已拒绝 1 张开票申请')
  act(() => told?.action?.run())
  await waitFor(() => expect(currentToasts().at(-1)?.text).toBe('已恢复 1 张开票申请'))
  expect(sent.at(-1)).toEqual({ ids: [41] })
})

test('a red invoice needs its own number and a reason', async () => {
  answer(endpoints.flushInvoice, () => ({ ...invoice, state: 'red_flushed' }))
  show(<FlushDialog invoice={invoice} onClose={onClose} />)
  type(/^红字发票号码/, '24322000000012345679')
  type(/^原因/, '开票后退款')
  twice('红冲发票 24322000000012345678')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ id: 41, redNumber: '24322000000012345679', reason: '开票后退款' }])
  expect(currentToasts()[0]?.action).toBeUndefined()
})
