import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { riderMoneyEndpoints } from '@saddle/contract/finance/riderMoney.ts'
import { metricOf } from '@saddle/contract/reports/metrics.ts'
import { reportNames, reports } from '@saddle/contract/reports/reports.ts'
import { openSite, phones } from './browser.ts'
import { askAsApp } from './riderApp.ts'
import { openRiding } from './riding.ts'

const site = openSite()
const riding = openRiding(site)
/** Figures that a report shows above its chart. */
const largeFigures = 6

const sheet = (page: Page) => page.getByRole('dialog')
const sumLine = (page: Page) => sheet(page).getByTestId('report-source-sum')
const closed = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape')
  await sheet(page).waitFor({ state: 'detached' })
}
const tile = (page: Page, title: string) =>
  page.locator('.report-figures a').filter({ has: page.getByText(title, { exact: true }) })

const rider = { phone: '17000318801', agentId: riding.agentId }
const ask = <T>(name: keyof typeof riderMoneyEndpoints, input: Record<string, unknown>): Promise<T> =>
  askAsApp<T>(site.server, riderMoneyEndpoints[name], { ...rider, ...input })
const pay = async (number: string | undefined): Promise<void> =>
  expect((await fetch(`${site.server.url}/pay/sandbox/${number}`, { method: 'POST' })).status).toBe(204)

/** A ride that is paid, and a recharge, a deposit and a card of each kind: each report has something. */
async function fillReports(): Promise<void> {
  const { server } = site
  await riding.ridePaid('17000318802')
  await pay((await ask<{ number: string }>('recharge', { cents: 3_000 })).number)
  // Not of the area in which riders ride here: they have no deposit.
  const [area] = await server.query(
    `insert into deposit_setting (agent_id, area_id, cents, free_students, free_card_holders, author_name, created_at)
     select a.agent_id, a.id, 5000, false, false, '平台', now() from service_area a
     where a.agent_id = $1 and a.id <> (select area_id from vehicle where number = $2) order by a.id limit 1
     returning area_id::integer as id`,
    [riding.agentId, riding.vehicle.number],
  )
  type Asked = { readonly payment: { readonly number: string } | null }
  await pay((await ask<Asked>('payDeposit', { areaId: area?.['id'] })).payment?.number)
  const products = await server.query(
    `insert into card_product (agent_id, kind, name, price_cents, days, free_minutes, percent_off, changed_by, changed_at)
     values ($1, 'riding', '报表骑行卡', 3000, 30, 30, null, '平台', now()), ($1, 'discount', '报表优惠卡', 2000, 30, null, 20, '平台', now())
     returning id::integer`,
    [riding.agentId],
  )
  for (const { id } of products) {
    const card = { productId: id, payBy: 'channel', requestId: `report-card-${Number(id)}` }
    await pay((await ask<Asked>('buyCard', card)).payment?.number)
  }
  // The figures follow within seconds.
  const sold = `select from report_money_company_day where kind = 'card_sale' and account = 'card_unearned'`
  const ridden = 'select from report_ride_day where rides > 0'
  for (const [query, rows] of [
    [sold, 2],
    [ridden, 1],
  ] as const) {
    await expect.poll(async () => (await server.query(query)).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(rows)
  }
}
let filled: Promise<void> | undefined
const filledOnce = (): Promise<void> => (filled ??= fillReports())

test('each report opens the rows of its figures, which add up to them', async () => {
  await filledOnce()
  const page = await site.newPage({ as: phones.platform })
  for (const name of reportNames) {
    const { path, metrics } = reports[name]
    await page.goto(`/console/#${path}`)
    // A sum, and a quotient with both of its parts.
    const quotient = metrics.slice(0, largeFigures).find((metric) => metricOf(metric).over !== undefined)
    for (const [index, metric] of [metrics[0], quotient].entries()) {
      if (metric === undefined) continue
      const { title } = metricOf(metric)
      const large = tile(page, title)
      await large.waitFor()
      const shown = await large.locator('b').textContent()
      if (index === 0) expect(shown, `${name} ${title}`).toMatch(/[1-9]/)
      await large.click()
      await sumLine(page).getByText('与报表一致').waitFor()
      expect(await sumLine(page).locator('b').textContent(), title).toBe(`= ${shown}`)
      if (index === 0) await sheet(page).getByRole('table').getByRole('row').nth(1).waitFor()
      await closed(page)
    }
  }
})

test('a cell of a report opens the rows of its day, and an order of them', async () => {
  await filledOnce()
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

test('the overview says what has changed and why, and its rides open their orders', async () => {
  const moved = await riding.ridePaid('17000318803')
  await riding.ridePaid('17000318803')
  const dayBefore = (column: string): string => `${column} = ${column} - interval '1 day'`
  await site.server.query(
    `update ride_order set ${['placed_at', 'started_at', 'ended_at', 'changed_at'].map(dayBefore).join(', ')} where id = $1`,
    [moved.orderId],
  )
  // The figures of both days are made anew; nothing else moves an order to another day.
  await site.server.query(
    `insert into report_stale (agent_id, area_id, hour)
     select agent_id, area_id, date_trunc('hour', placed_at + n * interval '1 day', 'UTC') from ride_order, generate_series(0, 1) n
     where id = $1`,
    [moved.orderId],
  )
  const made = `select from report_ride_day where rides > 0 and day < (now() at time zone 'Asia/Shanghai')::date`
  await expect.poll(async () => (await site.server.query(made)).length, { timeout: 60_000 }).toBeGreaterThan(0)
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/log')
  await page.getByRole('link', { name: '变化原因' }).click()
  await page.getByRole('heading', { name: '概览', level: 1 }).waitFor()
  await page.getByRole('button', { name: '昨天', exact: true }).click()
  await page.locator('.home-story[aria-busy=false]').getByText('前天').first().waitFor()
  const figure = page.locator('.figure', { hasText: '骑行次数' }).first()
  expect(await figure.locator('b').innerText()).toBe('1')
  await figure.click()
  await page.getByRole('heading', { name: '用户订单', level: 1 }).waitFor()
  const orders = page.getByTestId('list-count').first()
  await expect.poll(async () => /\d+/.exec(await orders.innerText())?.[0]).toBe('1')
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
