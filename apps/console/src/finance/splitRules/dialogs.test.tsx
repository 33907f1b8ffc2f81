import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { SplitPlace } from '@saddle/contract/finance/splitRules.ts'
import { currentToasts } from '#kit/notify.ts'
import { button, show, twice, type, withDialogs } from '#test/dialogs.tsx'
import PeriodDialog from './PeriodDialog.tsx'
import ReserveDialog from './ReserveDialog.tsx'

const place: SplitPlace = {
  agentId: 3,
  company: '江城出行',
  areaId: null,
  areaName: null,
  termsId: 1,
  inherits: false,
  terms: null,
  firstDay: null,
  comingDay: null,
  reserveCents: 100_000,
  statementPeriod: 'month',
  canChange: true,
}
const { sent, onClose, answer } = withDialogs()

test('the period of statements is changed with a reason, once, and says what becomes of sealed ones', async () => {
  answer(endpoints.saveStatementPeriod, { period: 'half_month' })
  show(<PeriodDialog place={place} onClose={onClose} />)
  expect(screen.getByText(/已封存的对账单不会改动/)).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^每月/ }).checked).toBe(true)
  expect(button('保存对账单周期').disabled, 'without a reason').toBe(true)
  fireEvent.click(screen.getByRole('radio', { name: /半月/ }))
  type(/^原因/, '合同约定')
  twice('保存对账单周期')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ agentId: 3, period: 'half_month', reason: '合同约定' }])
  expect(currentToasts()).toHaveLength(1)
})

test('a reserve begins with the one that holds, and a refusal leaves the dialog as it is', async () => {
  answer(endpoints.saveSplitReserve, () => {
    throw new AppError('split_set_above')
  })
  show(<ReserveDialog place={place} onClose={onClose} />)
  const cents = screen.getByLabelText<HTMLInputElement>(/^准备金/)
  expect(cents.value).toBe('1000.00')
  type(/^准备金/, '-1')
  type(/^原因/, '退款较多')
  expect(button('保存准备金').disabled).toBe(true)
  type(/^准备金/, '1500')
  twice('保存准备金')
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(sent).toEqual([{ agentId: 3, cents: 150_000, reason: '退款较多' }])
  expect(onClose).not.toHaveBeenCalled()
  expect(cents.value).toBe('1500')
})
