import { riderCouponEndpoints, type RiderCoupon } from '@saddle/contract/marketing/riderCoupons.ts'
import { expect, test } from 'vitest'
import { openSite, phones, routeIs } from './browser.ts'
import { askAsApp } from './riderApp.ts'
import { openRiding } from './riding.ts'

const site = openSite()
const phone = '17000312377'
const { agentId, ride } = openRiding(site)

test('a coupon is made, previewed, handed out, used by a ride, found with its holder, taken back and stopped', async () => {
  const page = await site.newPage({ as: phones.platform, size: { width: 1440, height: 900 } })
  await page.goto('/console/#/marketing/coupon-add')
  await page.getByRole('combobox', { name: '加盟商', exact: true }).click()
  await page.getByTitle('青禾出行', { exact: true }).last().click()
  await page.getByLabel('名称').fill('测试立减券')
  await page.getByLabel('减免金额').fill('1')
  await page.getByLabel('有效天数').fill('7')
  await page.getByLabel('预算次数').fill('10')
  const preview = page.getByRole('complementary', { name: '预览' })
  await preview.getByText('减 1.00 元').waitFor()
  await preview.getByText('领取后 7 天内有效').waitFor()
  await preview.getByRole('button', { name: '过去 1 周' }).click()
  await preview.getByText('使用优惠券的骑行').waitFor()
  await page.getByRole('button', { name: '新增优惠券' }).click()
  await page.getByText('已新增优惠券').waitFor()
  await routeIs(page, '/marketing/coupon')

  await page.getByRole('row').filter({ hasText: '测试立减券' }).click()
  const panel = page.getByRole('complementary', { name: '优惠券详情' })
  const dialog = page.getByRole('dialog')
  await panel.getByRole('button', { name: '生成兑换码' }).click()
  await dialog.getByLabel('数量').fill('3')
  await dialog.getByLabel('兑换截止').fill('2099-12-31')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: '生成 3 个兑换码' }).click()
  await page.getByText('已生成 3 个兑换码').waitFor()
  const [code] = await site.server.query(
    `select c.code from coupon c join coupon_template t on t.id = c.template_id where t.name = '测试立减券' limit 1`,
  )
  const claimed = await askAsApp<RiderCoupon>(site.server, riderCouponEndpoints.riderClaimCoupon, {
    phone,
    agentId,
    code: String(code?.['code']),
  })
  expect(claimed).toMatchObject({ name: '测试立减券', state: 'open' })

  await panel.getByRole('button', { name: '发放', exact: true }).click()
  await dialog.getByLabel('手机号').fill(`${phone}\n13900009999`)
  await dialog.getByRole('button', { name: '发放给 2 人' }).click()
  await page.getByText('已发放 1 张').waitFor()
  await page.getByText('没有这位用户：1 人').waitFor()

  const { lines } = await ride(phone)
  expect(lines.filter(({ benefit }) => benefit !== null).map(({ amountCents }) => amountCents)).toEqual([-100])

  await page.reload()
  await page.getByRole('row').filter({ hasText: '测试立减券' }).click()
  await panel.getByRole('button', { name: '已使用 1' }).click()
  await panel.getByRole('link', { name: '170****2377' }).waitFor()
  await panel.getByRole('button', { name: '效果' }).click()
  await panel.getByText('已抵扣').first().waitFor()
  const issuers = panel.getByRole('table').filter({ hasText: '使用率' })
  await issuers.getByRole('row').filter({ hasText: '兑换码' }).getByRole('button', { name: '3' }).click()
  await panel.getByText('只显示这一来源的批次').waitFor()
  await panel.getByRole('row').filter({ hasText: '兑换码' }).getByRole('button', { name: '查看持有人' }).waitFor()
  await panel.getByRole('button', { name: '历次规则' }).click()
  await panel.getByText('版本 1').waitFor()
  await panel.getByRole('button', { name: '未使用 3' }).click()
  await panel.getByLabel('手机号、用户编号或兑换码').fill(phone)
  await page.keyboard.press('Enter')
  await expect.poll(() => panel.getByRole('link', { name: '170****2377' }).count()).toBe(1)
  await panel.getByRole('row').filter({ hasText: '170****2377' }).getByRole('checkbox').check()
  await panel.getByRole('button', { name: '收回 1 张' }).click()
  await dialog.getByRole('button', { name: '误发' }).click()
  await dialog.getByRole('button', { name: '收回 1 张' }).click()
  await page.getByText('已收回 1 张').waitFor()
  await panel.getByRole('button', { name: '暂停发放' }).click()
  await page.getByText('已暂停发放').waitFor()
})
