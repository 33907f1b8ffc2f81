import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chooseOption, openSite, phones, routeIs } from './browser.ts'

const site = openSite()

test('the platform changes the split rules of a franchisee, which sees who changed what and cannot change it back', async () => {
  const page = await site.newPage({ as: phones.platform })
  await page.goto('/console/#/financial/SubAccountRule')
  const places = page.getByLabel('现行规则').getByRole('combobox')
  await chooseOption(places, '青禾出行 · 全部服务区')
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
  expect(await seen.innerText()).toContain('林知远')
  expect(await franchisee.getByRole('button', { name: '修改规则', exact: true }).first().isDisabled()).toBe(true)

  // Every other change of its terms is in one list, too, with who made it and what held before.
  await page.getByLabel('现行规则').getByRole('button', { name: '设置准备金' }).click()
  await dialog.getByLabel('准备金').fill('300')
  await dialog.getByRole('textbox', { name: '原因' }).fill('试运营约定')
  await dialog.getByRole('button', { name: /^保存/ }).click()
  await dialog.waitFor({ state: 'detached' })
  await franchisee.getByRole('button', { name: '变更记录' }).click()
  const rule = franchisee.getByRole('row').filter({ hasText: '园区物业测试' })
  await rule.getByText('合同约定').waitFor()
  expect(await rule.innerText()).toContain('林知远')
  await franchisee.getByPlaceholder('修改人、加盟商、服务区或原因').fill('试运营约定')
  await franchisee.keyboard.press('Enter')
  const reserve = franchisee.getByRole('row').filter({ hasText: '试运营约定' })
  await reserve.getByText('300.00 元').waitFor()
  await rule.waitFor({ state: 'detached' })
})

test('a list of many bills is exported by the export centre, and the file has its rows and its sum', async () => {
  const days = 6_000
  await site.server.query(
    `insert into split_bill (agent_id, area_id, day, lines, paid_cents, fee_cents, platform_borne_cents, partner_borne_cents,
       owner_cents, parties, closed_at, hash)
     select 3, null, date '2005-01-01' + n, 1, 1000 + n, 6, 0, 0, 994 + n, '[]', now(), sha256(n::text::bytea)
     from generate_series(1, ${days}) n`,
  )
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/financial/SplitBill')
  const said = page.getByText(/^6,000 条 · 收入 [\d,.]+ 元/)
  const listed = /收入 ([\d,.]+) 元/.exec(await said.innerText())?.[1]
  await page.getByRole('button', { name: '导出方式' }).click()
  await page.getByRole('button', { name: '导出 CSV' }).click()
  await page.getByText('数据较多，正在后台生成').waitFor()
  await page.getByRole('status').getByRole('button', { name: '导出中心' }).click()
  await routeIs(page, '/exports')
  const job = page.getByRole('row').filter({ hasText: '导出分账账单' }).first()
  await job.getByText('可下载').waitFor()
  await job.getByText('6,000', { exact: true }).waitFor()
  const download = page.waitForEvent('download')
  await job.getByRole('button', { name: '下载' }).click()
  const [head = '', ...rows] = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(rows).toHaveLength(days)
  const column = head.split(',').findIndex((title) => title.startsWith('收入'))
  const cents = rows.reduce((sum, row) => sum + Math.round(Number(row.split(',')[column]) * 100), 0)
  expect(cents).toBe(Math.round(Number(listed?.replaceAll(',', '')) * 100))
})
