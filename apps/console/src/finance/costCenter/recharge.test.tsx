import { screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { ChargeNote } from '@saddle/contract/finance/costCenter.ts'
import { currentToasts } from '#kit/notify.ts'
import { button, show, twice, type, withDialogs } from '#test/dialogs.tsx'
import RechargePage from './RechargePage.tsx'

const note: ChargeNote = {
  id: 61,
  agentId: 3,
  company: '江城出行',
  number: 'cd'.repeat(16),
  way: 'available',
  state: 'paid',
  cents: 30_000,
  leftCents: 30_000,
  createdAt: 1_800_000_000_000,
  paidAt: 1_800_000_000_000,
  operatorName: '周可',
}
const { sent, answer, platform } = withDialogs()
const open = (prepared: object): void => {
  platform().on(endpoints.prepareCharge, () => ({ suc: true, data: prepared as never }))
  show(
    <MemoryRouter>
      <RechargePage />
    </MemoryRouter>,
  )
}
const prepared = {
  balanceCents: 5_000,
  openCents: 35_000,
  ways: [
    { way: 'available', maxCents: 90_000 },
    { way: 'sandbox', maxCents: 50_000_000 },
  ],
}

test('a recharge offers what the open bills need, keeps to its limits, and is sent once', async () => {
  answer(endpoints.chargeService, { note, code: null })
  open(prepared)
  expect(await screen.findByText('补足待付账单还需 300.00 元。')).toBeTruthy()
  expect(button('充值 300.00 元').disabled).toBe(false)
  type(/^充值金额/, '99.99')
  expect(button('充值').disabled).toBe(true)
  type(/^充值金额/, '500000.01')
  expect(button('充值').disabled).toBe(true)
  type(/^充值金额/, '300')
  twice('充值 300.00 元')
  expect(await screen.findByText('已到账 300.00 元')).toBeTruthy()
  expect(sent).toEqual([{ way: 'available', cents: 30_000 }])
  expect(currentToasts().map(({ text }) => text)).toEqual(['已充值 300.00 元'])
})

test('what is above the available balance is refused beside the amount, which stays', async () => {
  answer(endpoints.chargeService, () => {
    throw new AppError('balance_insufficient')
  })
  open(prepared)
  await screen.findByText('补足待付账单还需 300.00 元。')
  twice('充值 300.00 元')
  await waitFor(() => expect(sent).toHaveLength(1))
  await waitFor(() => expect(screen.getByLabelText(/^充值金额/).getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByLabelText<HTMLInputElement>(/^充值金额/).value).toBe('300.00')
})

test('a payment by a code shows it until the money has come', async () => {
  answer(endpoints.chargeService, {
    note: { ...note, way: 'sandbox', state: 'unpaid', paidAt: null, leftCents: 0 },
    code: 'sandbox://pay/1',
  })
  platform().on(endpoints.listChargeNotes, () => ({
    suc: true,
    data: { list: [{ ...note, way: 'sandbox' }], nextCursor: null, count: 1, isCountCut: false },
  }))
  open(prepared)
  await screen.findByText('补足待付账单还需 300.00 元。')
  twice('充值 300.00 元')
  expect(await screen.findByText('已到账 300.00 元')).toBeTruthy()
  expect(screen.queryByRole('button', { name: '在沙箱中模拟支付' })).toBeNull()
})

test('a company without a way to pay is told whom to ask', async () => {
  open({ ...prepared, ways: [{ way: 'available', maxCents: 100 }] })
  expect(await screen.findByText(/请联系平台管理员/)).toBeTruthy()
  expect(screen.queryByRole('textbox')).toBeNull()
})
