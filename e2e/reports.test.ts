import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { metricOf } from '@saddle/contract/reports/metrics.ts'
import { reportNames, reports } from '@saddle/contract/reports/reports.ts'
import { openSite, phones } from './browser.ts'
import { openRiding } from './riding.ts'

const site = openSite()
const riding = openRiding(site)

const sheet = (page: Page) => page.getByRole('dialog')
const sumLine = (page: Page) => sheet(page).getByTestId('report-source-sum')
const closed = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape')
  await sheet(page).waitFor({ state: 'detached' })
}
const tile = (page: Page, title: string) =>
  page.locator('.report-figures a').filter({ has: page.getByText(title, { exact: true }) })

test('each figure of each report opens its rows, which add up to it', async () => {
  const page = await site.newPage({ as: phones.platform })
  for (const name of reportNames) {
    const { path, metrics } = reports[name]
    await page.goto(`/console/#${path}`)
    // A sum, and a quotient with both of its parts.
    const quotient = metrics.find((metric) => metricOf(metric).over !== undefined)
    for (const metric of [metrics[0], ...(quotient === undefined ? [] : [quotient])]) {
      if (metric === undefined) continue
      const { title } = metricOf(metric)
      const large = tile(page, title)
      if (metrics.indexOf(metric) >= 6) continue
      await large.waitFor()
      const shown = await large.locator('b').textContent()
      await large.click()
      await sumLine(page).getByText('与报表一致').waitFor()
      expect(await sumLine(page).locator('b').textContent(), title).toBe(`= ${shown === '--' ? '--' : shown}`)
      await closed(page)
    }
  }
})

test('a cell of a report opens the rows of its day, and an order of them', async () => {
  await riding.ridePaid('17000318802')
  // The figures follow within seconds.
  await expect
    .poll(async () => (await site.server.query('select from report_ride_day where rides > 0')).length, {
      timeout: 60_000,
    })
    .toBeGreaterThan(0)
  const page = await site.newPage({ as: phones.platform })
  await page.goto(`/console/#${reports.orders.path}?days=7`)
  const cell = page.getByRole('table').getByRole('link').first()
  await cell.waitFor()
  const shown = await cell.textContent()
  await cell.click()
  await sumLine(page).getByText('与报表一致').waitFor()
  expect(await sumLine(page).locator('b').textContent()).toBe(`= ${shown}`)
  const order = sheet(page).getByRole('table').getByRole('link').first()
  const number = await order.textContent()
  await order.click()
  await page.getByText(String(number)).first().waitFor()
})

test('the sides of the financial reconciliation open their rows', async () => {
  // The sheet adds entries up; the page shows the figures that are made of them some seconds later.
  const behind =
    'select from ledger_book b left join report_money_cursor c using (agent_id) where b.entry_number > coalesce(c.entry_number, 0)'
  await expect.poll(async () => (await site.server.query(behind)).length, { timeout: 60_000 }).toBe(0)
  const page = await site.newPage({ as: phones.platform })
  await page.goto('/console/#/report/download-statistics')
  for (const title of ['渠道账单净额', '平台净额', '账本净额']) {
    const shown = await tile(page, title).locator('b').textContent()
    await tile(page, title).click()
    await sumLine(page).getByText('合计').waitFor()
    expect(await sumLine(page).textContent(), title).toContain(String(shown))
    await closed(page)
  }
  await tile(page, '未处理差异').click()
  await page.getByRole('heading', { name: '渠道对账' }).waitFor()
})

test('a report is scheduled, paused and removed', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto(`/console/#${reports.daily.path}`)
  await page.getByRole('button', { name: '定时发送' }).click()
  const list = page.getByRole('dialog', { name: '定时发送' })
  await list.getByRole('button', { name: '新建定时发送' }).click()
  const form = page.getByRole('dialog', { name: '新建定时发送' })
  await form.getByLabel('名称').fill('每日经营')
  await form.getByRole('combobox', { name: '接收人' }).click()
  await page.locator('.ant-select-item-option').first().click()
  await form.getByRole('button', { name: '保存定时发送' }).click()
  const row = list.getByRole('row').filter({ hasText: '每日经营' })
  await row.getByText('已启用').waitFor()
  await row.getByRole('button', { name: '暂停' }).click()
  await row.getByText('已暂停').waitFor()
  await row.getByRole('button', { name: '删除' }).click()
  await row.getByRole('button', { name: '确认删除' }).click()
  await row.waitFor({ state: 'detached' })
  expect(await site.server.query(`select from report_schedule where name = '每日经营'`)).toEqual([])
})
