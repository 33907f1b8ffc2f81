import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'
import { openRiding } from './riding.ts'

const site = openSite()
const { ride } = openRiding(site)
const phone = '17000312366'
const weekdays = ['周一', '周二', '周三', '周四', '周五', '周六', '周日']

test('a riding activity is made, tried on past weeks, started, used by a ride, paused, resumed, changed and ended', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/marketing/activity-config?form=new')
  await page.getByLabel('活动名称').fill('端到端骑行立减')
  await page.getByLabel('减免比例').fill('30')
  await page.getByLabel('最多减免').fill('2')
  for (const day of weekdays) await page.getByLabel(day).check()
  await page.getByLabel('预算金额').fill('500')
  await page.getByText('骑行费减 30%，最多 2.00 元').waitFor()
  await page.getByRole('button', { name: '试算', exact: true }).click()
  await page.getByText('享受优惠的骑行').waitFor()
  await page.getByRole('button', { name: '保存为草稿' }).click()

  const row = page.locator('[data-row-key]', { hasText: '端到端骑行立减' })
  await row.click()
  const panel = page.getByRole('complementary', { name: '活动详情' })
  await panel.getByText('草稿').waitFor()
  await panel.getByRole('button', { name: '启动' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '启动' }).click()
  await panel.getByText('进行中').waitFor()

  const { lines, orderId } = await ride(phone)
  expect(lines.filter(({ benefit }) => benefit !== null).map(({ amountCents }) => amountCents)).toEqual([-60])
  await page.reload()
  await row.getByText('0.60').waitFor()
  await row.click()
  await panel.getByRole('button', { name: '效果' }).click()
  await panel.getByRole('button', { name: '0.60 / 500.00' }).click()
  await panel.getByRole('link', { name: '170****2366' }).waitFor()
  await panel.locator(`a[href*="${orderId}"]`, { hasText: /^\d{16}$/ }).click()
  await page.getByRole('row').filter({ hasText: '端到端骑行立减' }).getByText('0.60').first().waitFor()

  await page.goBack()
  await row.click()
  await panel.getByRole('button', { name: '暂停' }).click()
  await panel.getByText('已暂停').waitFor()
  await panel.getByRole('button', { name: '恢复' }).click()
  await panel.getByText('进行中').waitFor()

  await panel.getByRole('link', { name: '修改' }).click()
  await page.getByLabel('预算金额').fill('800')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await row.click()
  await panel.getByRole('button', { name: '历次规则' }).click()
  await panel.getByText('版本 2').waitFor()
  expect(await panel.locator('del').allTextContents()).toEqual(['500.00 元'])

  await panel.getByRole('button', { name: '结束', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '结束活动' }).click()
  await panel.getByText('已结束').waitFor()
})
