import { expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'

const site = openSite()

test('the platform changes the split rules of a franchisee, which sees who changed what and cannot change it back', async () => {
  const page = await site.newPage({ as: phones.platform })
  await page.goto('/console/#/financial/SubAccountRule')
  const places = page.getByLabel('现行规则').getByRole('combobox')
  await places.selectOption({ label: '青禾出行 · 全部服务区' })
  await page.getByRole('button', { name: '修改规则', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '增加分账方' }).click()
  const party = dialog.getByRole('group', { name: /^第 \d+ 个分账方$/ }).last()
  await party.getByRole('textbox', { name: '名称' }).fill('园区物业测试')
  await party.getByRole('textbox', { name: '比例（%）' }).fill('5')
  await dialog.getByRole('button', { name: '用最近 30 天试算' }).click()
  await dialog.getByRole('columnheader', { name: '按新规则' }).waitFor()
  await dialog.getByRole('button', { name: '合同约定' }).click()
  await dialog.getByRole('button', { name: '保存新规则' }).click()
  await page
    .getByText(/已保存第 \d+ 版，到生效日期起执行/)
    .first()
    .waitFor()
  const changed = page.getByRole('row').filter({ hasText: '园区物业测试' })
  await changed.waitFor()
  expect(await changed.innerText()).toContain('待生效')

  const franchisee = await site.newPage({ as: phones.manager })
  await franchisee.goto('/console/#/financial/SubAccountRule')
  const seen = franchisee.getByRole('row').filter({ hasText: '园区物业测试' })
  await seen.waitFor()
  expect(await seen.innerText()).toContain('合同约定')
  expect(await franchisee.getByRole('button', { name: '修改规则', exact: true }).first().isDisabled()).toBe(true)
})
