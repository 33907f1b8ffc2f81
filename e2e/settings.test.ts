import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'

const site = openSite()

test('a company chooses a level for itself, an area another, and both take it back', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/backend/system-config')
  const row = page.getByRole('article').filter({ hasText: '停止租用的电量' })
  await row.getByText('平台默认').waitFor()

  const change = async (value: string) => {
    await row.getByRole('button', { name: '修改' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(/停止租用的电量/).fill(value)
    await dialog.getByRole('button', { name: '保存' }).click()
  }
  await change('12')
  await row.getByText('公司设置').waitFor()
  await row.getByText('12 %').waitFor()

  await page.getByRole('combobox', { name: '服务区（默认整个公司）' }).click()
  await page.getByRole('option').first().waitFor({ state: 'attached' })
  await page.keyboard.press('Enter')
  await row.getByText('12 %').waitFor()
  await change('5')
  await row.getByText('本服务区设置').waitFor()
  await page.getByRole('button', { name: '撤销' }).last().click()
  await row.getByText('12 %').waitFor()

  await row.getByRole('button', { name: '变更记录' }).click()
  await page.getByRole('dialog').getByText('5 %').waitFor()
  await page.keyboard.press('Escape')
  const rows = await site.server.query(
    `select area_id is null as company, value from setting_change where code = 'battery_out_percent' order by id`,
  )
  expect(rows).toEqual([
    { company: true, value: 12 },
    { company: false, value: 5 },
    { company: false, value: null },
  ])
})
