import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { MeterPrice } from '@saddle/contract/finance/meters.ts'
import { addDays, businessDayOf } from '@saddle/contract/time.ts'
import { show, type, withDialogs } from '#test/dialogs.tsx'
import PriceSheet from './PriceSheet.tsx'

const price: MeterPrice = {
  id: 3,
  meter: 'sms',
  version: 1,
  firstDay: '2026-01-01',
  priceCents: 5,
  perQuantity: 1,
  reason: '合同约定',
  madeAt: 1_800_000_000_000,
  madeBy: '平台财务',
}
const { sent, onClose, answer, platform } = withDialogs()
const open = (maySet: boolean): void => {
  platform().on(endpoints.meterPrices, () => ({ suc: true, data: { list: [price], maySet } }))
  show(<PriceSheet onClose={onClose} />)
}

/** Opens the list of meters and picks one, as a person does. */
const pickSms = async (): Promise<void> => {
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '计量项' }))
  fireEvent.click(await screen.findByTitle(/短信/))
}

test('a new price holds from tomorrow at the earliest, needs a reason, and is sent once', async () => {
  answer(endpoints.setMeterPrice, { ...price, id: 4, version: 2 })
  open(true)
  fireEvent.click(await screen.findByRole('button', { name: '发布新单价' }))
  const dialog = await screen.findByRole('dialog', { name: '发布新单价' })
  const submit = (): HTMLButtonElement =>
    [...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === '发布新单价')!
  await pickSms()
  type(/^金额/, '0.06')
  expect(submit().disabled, 'without a reason').toBe(true)
  type(/^原因/, '年度调价')
  fireEvent.click(submit())
  fireEvent.click(submit())
  await waitFor(() => expect(screen.queryByRole('dialog', { name: '发布新单价' })).toBeNull())
  expect(sent).toEqual([
    {
      meter: 'sms',
      firstDay: addDays(businessDayOf(Date.now()), 1),
      priceCents: 6,
      perQuantity: 1,
      reason: '年度调价',
    },
  ])
})

test('a day that has begun is refused beside its field, and what was typed stays', async () => {
  answer(endpoints.setMeterPrice, () => {
    throw new AppError('meter_price_too_early')
  })
  open(true)
  fireEvent.click(await screen.findByRole('button', { name: '发布新单价' }))
  const dialog = await screen.findByRole('dialog', { name: '发布新单价' })
  await pickSms()
  type(/^金额/, '0.06')
  type(/^生效日/, '2026-01-02')
  type(/^原因/, '年度调价')
  fireEvent.click([...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === '发布新单价')!)
  await waitFor(() => expect(screen.getByLabelText(/^生效日/).getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByLabelText<HTMLInputElement>(/^生效日/).value).toBe('2026-01-02')
})

test('a company sees every version with who made it, and sets none', async () => {
  open(false)
  expect(await screen.findByText('合同约定')).toBeTruthy()
  expect(screen.getByText(/平台财务/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: '发布新单价' })).toBeNull()
})
