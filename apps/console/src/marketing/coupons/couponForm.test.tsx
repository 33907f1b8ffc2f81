import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { couponEndpoints } from '@saddle/contract/marketing/coupons.ts'
import { priceEndpoints } from '@saddle/contract/riding/prices.ts'
import { renderAt, sent, type, withForms } from '../forms.fixture.tsx'
import CouponFormPage from './CouponFormPage.tsx'

withForms((platform) => {
  platform.on(priceEndpoints.tryBenefit, () => ({
    suc: true,
    data: { lines: [], skipped: [], totalCents: 100, plainCents: 300 },
  }))
  platform.on(couponEndpoints.createCouponTemplate, (input) => {
    sent.push(input)
    return { suc: true, data: { id: 1, version: 1 } }
  })
})

test('the form shows the coupon as a rider sees it, tries it on a ride and sends its terms', async () => {
  renderAt('/marketing/coupon-add', <CouponFormPage />)
  await screen.findByLabelText('名称')
  expect(screen.getByText('填写后在此预览')).toBeTruthy()
  expect(screen.queryByLabelText(/减免比例/), 'of another kind of discount').toBeNull()
  type('名称', '新人券')
  type('减免金额', '2')
  type('使用门槛选填', '3')
  type('有效天数', '7')
  type('预算金额选填', '100')
  expect(await screen.findByText('满 3.00 元可用，减 2.00 元')).toBeTruthy()
  expect(screen.getByText('领取后 7 天内有效')).toBeTruthy()
  fireEvent.click(screen.getByText('按骑行 40 分钟、5 公里试算'))
  expect(await screen.findByText('原价 3.00 元，用券后 1.00 元')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '新增优惠券' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    agentId: 3,
    terms: {
      name: '新人券',
      effect: { off: 'cents', cents: 200 },
      fromCents: 300,
      validDays: 7,
      validUntil: null,
      budgetCents: 10_000,
      budgetUses: null,
    },
  })
})
