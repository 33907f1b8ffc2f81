import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { blankPng } from '@saddle/server/test/blankPng.ts'
import { forgetSentCodes, logIn, openSite, phones, phoneScreen } from './browser.ts'

const site = openSite()
/** The franchisee of `phones.manager`. */
const agentId = 3
const evidence = { name: 'evidence.png', mimeType: 'image/png', buffer: blankPng(80, 60) }

const filtered = (path: string, filter: object): string =>
  `/console/#${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`

/** A bill of 200 yuan for services with a line of messages, whose day was counted. */
async function addServiceBill(number: string, month: string, of = agentId): Promise<number> {
  const { query } = site.server
  const [bill] = await query(
    `insert into service_bill (agent_id, number, month, amount_cents, issued_at, due_at)
     values ($1, $2, $3, 20000, now() - interval '1 day', now() + interval '9 days') returning id`,
    [of, number, month],
  )
  await query(
    `insert into service_bill_line (bill_id, agent_id, meter, price_id, quantity, amount_cents)
     select $1, $2, p.meter, p.id, 100, case p.meter when 'sms' then 15000 else 5000 end
     from meter_price p where p.meter in ('sms', 'map_call') and p.version = 1`,
    [bill?.['id'], of],
  )
  await query(`insert into meter_closing (meter, day, counted_at) values ('sms', $1, now()) on conflict do nothing`, [
    month,
  ])
  await query(`insert into meter_day (agent_id, meter, day, quantity, counted_at) values ($1, 'sms', $2, 100, now())`, [
    of,
    month,
  ])
  return Number(bill?.['id'])
}

const billRow = (page: Page, number: string) => page.getByRole('row').filter({ hasText: number }).first()

/** The franchisee disputes so much of the messages, with a picture. */
async function object(page: Page, billId: number, yuan: string): Promise<void> {
  await page.goto(`/console/#/financial/objectionApply?bill=${billId}`)
  await page.getByRole('textbox', { name: /短信.*争议金额/ }).fill(yuan)
  await page.getByLabel('说明').fill('短信条数与我方记录不符')
  await page.locator('input[type="file"]').first().setInputFiles(evidence)
  await page.getByRole('button', { name: `提交异议 ${yuan} 元` }).click()
  await page.getByText('待受理', { exact: true }).first().waitFor()
  await page.getByRole('heading', { name: '异议账单详情' }).waitFor()
}

async function act(page: Page, name: string, note?: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  if (note !== undefined) await dialog.getByLabel('处理说明').fill(note)
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('the service balance is charged through the payment and back, and pays what is due', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/financial/CostCenter')
  await page.getByRole('link', { name: '充值', exact: true }).click()
  await page.getByRole('radio', { name: /沙箱支付/ }).check()
  await page.getByRole('textbox', { name: /充值金额/ }).fill('512')
  await page.getByRole('button', { name: '充值 512.00 元' }).click()
  await page.getByRole('heading', { name: '请扫码支付 512.00 元' }).waitFor()
  await page.getByRole('button', { name: '在沙箱中模拟支付' }).click()
  await page.getByRole('heading', { name: '已到账 512.00 元' }).waitFor()
  await page.getByRole('link', { name: '返回费用中心' }).last().click()
  const row = page.getByRole('region', { name: '充值单' }).getByRole('row').filter({ hasText: '512.00' })
  await row.getByText('已到账').waitFor()

  const phone = await site.newPage({ as: phones.manager, size: phoneScreen })
  await phone.goto('/console/#/financial/TransactionDetails')
  await phone.getByText('服务费充值').first().waitFor()
  await phone.getByText('+512.00').first().waitFor()
  expect(await phone.getByText('+512.00').count()).toBe(1)
})

test('a bill opens down to its days; an objection with evidence is taken up and accepted in part', async () => {
  const billId = await addServiceBill('FW202501-3', '2025-01-01')
  const page = await site.newPage({ as: phones.manager })
  await page.goto(filtered('/financial/billDetails', { number: 'FW202501-3' }))
  await billRow(page, 'FW202501-3').click()
  const panel = page.getByRole('complementary')
  await panel.getByText('150.00').first().waitFor()
  await panel.getByRole('link', { name: '服务明细' }).click()
  await page.getByRole('heading', { name: '服务明细' }).waitFor()
  await page.goto(filtered('/financial/DosageDetails', { number: 'FW202501-3' }))
  await page.getByRole('row').filter({ hasText: '短信' }).first().click()
  await panel.getByText('2025-01-01').first().waitFor()
  await panel.getByRole('button', { name: '查看事件' }).first().click()
  await panel.getByText(/2025-01-01 的计量事件/).waitFor()

  await object(page, billId, '60.00')
  const platform = await site.newPage({ as: phones.platform })
  await platform.goto('/console/#/financial/objectionBill')
  await billRow(platform, 'FW202501-3').click()
  await platform.getByRole('heading', { name: '异议账单详情' }).waitFor()
  await platform.getByRole('button', { name: '放大第 1 张照片' }).waitFor()
  await act(platform, '受理')
  await platform.getByText('审核中', { exact: true }).first().waitFor()
  await platform.getByRole('button', { name: '采纳', exact: true }).click()
  const dialog = platform.getByRole('dialog')
  await dialog.getByLabel(/采纳金额/).fill('40')
  await dialog.getByRole('button', { name: '采纳', exact: true }).click()
  await platform.getByText('已采纳', { exact: true }).first().waitFor()

  // What the franchisee sees of it, on a phone.
  const phone = await site.newPage({ as: phones.manager, size: phoneScreen })
  await phone.goto(page.url().replace(site.server.url, ''))
  await phone.getByText('已采纳', { exact: true }).first().waitFor()
  await phone.getByText('40.00 元').first().waitFor()
  const [bill] = await site.server.query('select adjusted_cents, held_cents from service_bill where id = $1', [billId])
  expect(bill).toMatchObject({ adjusted_cents: '4000', held_cents: '0' })
})

test('an objection is refused; another is escalated and decided by another person; the platform waives the rest', async () => {
  const billId = await addServiceBill('FW202502-3', '2025-02-01')
  const page = await site.newPage({ as: phones.manager })
  const platform = await site.newPage({ as: phones.platform })
  await object(page, billId, '10.00')
  const refusedAt = page.url().replace(site.server.url, '')
  await platform.goto(refusedAt)
  await act(platform, '受理')
  await act(platform, '驳回', '与运营商记录一致')
  await platform.getByText('已驳回', { exact: true }).first().waitFor()

  await object(page, billId, '20.00')
  const escalatedAt = page.url().replace(site.server.url, '')
  await platform.goto(escalatedAt)
  await act(platform, '受理')
  await page.reload()
  await act(page, '升级', '请再次核对')
  await platform.reload()
  await platform.getByText('已升级', { exact: true }).first().waitFor()
  // Whoever took it up does not decide it any more.
  expect(await platform.getByRole('button', { name: '采纳', exact: true }).count()).toBe(0)
  const second = await site.newPage()
  await second.goto('/console/#/login')
  await forgetSentCodes(site.server)
  await logIn({ page: second, server: site.server, phone: '13800138007' })
  await second.goto(escalatedAt)
  await act(second, '采纳')
  await second.getByText('已采纳', { exact: true }).first().waitFor()

  // A company without a balance has paid nothing of its bill: the platform waives it.
  const waivedId = await addServiceBill('FW202502-5', '2025-02-01', 5)
  await platform.goto(filtered('/financial/billDetails', { number: 'FW202502-5' }))
  await billRow(platform, 'FW202502-5').click()
  await platform.getByRole('complementary').getByRole('button', { name: '减免', exact: true }).click()
  const dialog = platform.getByRole('dialog')
  await dialog.getByRole('button', { name: '试运营期间免收' }).click()
  await dialog.getByRole('button', { name: '减免 200.00 元' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [waived] = await site.server.query('select open_cents, state from service_bill where id = $1', [waivedId])
  expect(waived).toEqual({ open_cents: '0', state: 'free' })
})

test('a line of a closed day is disputed, held, and accepted as income of the open day', async () => {
  const { query } = site.server
  const day = '2026-11-01'
  const [area] = await query('select id from service_area where agent_id = $1 order by id limit 1', [agentId])
  await query(
    `insert into split_cursor (agent_id, open_day) values ($1, (now() at time zone 'Asia/Shanghai')::date)
     on conflict do nothing`,
    [agentId],
  )
  const [bill] = await query(
    `insert into split_bill (agent_id, area_id, day, lines, paid_cents, fee_cents, platform_borne_cents, partner_borne_cents,
       owner_cents, parties, closed_at, hash)
     values ($1, $2, $3, 1, 1000, 6, 0, 0, 994, '[]', now(), sha256('bill')) returning id`,
    [agentId, area?.['id'], day],
  )
  await query(
    `insert into split_line (agent_id, entry_number, kind, area_id, day, at, paid_cents, fee_cents, platform_borne_cents,
       partner_borne_cents, party_cents, parties_cents, owner_cents)
     values ($1, 900000001, 'ride_charge', $2, $3, now(), 1000, 6, 0, 0, '{}', 0, 994)`,
    [agentId, area?.['id'], day],
  )
  const id = Number(bill?.['id'])
  const page = await site.newPage({ as: phones.manager })
  await page.goto(filtered('/financial/SplitBill', { id }))
  await page.getByRole('row').filter({ hasText: day }).first().click()
  await page.getByRole('complementary').getByRole('link', { name: '提出异议' }).click()
  await page.getByRole('heading', { name: '异议申请' }).waitFor()
  await page.getByRole('row').filter({ hasText: '骑行扣费' }).getByRole('checkbox').check()
  await page.getByRole('textbox', { name: /骑行扣费/ }).fill('3.00')
  await page.getByLabel('说明', { exact: true }).fill('渠道实收 13 元')
  await page.getByRole('button', { name: '提交异议 3.00 元' }).click()
  await page.getByText('待受理', { exact: true }).first().waitFor()
  await page.getByText('暂不结算').waitFor()

  const platform = await site.newPage({ as: phones.platform, size: phoneScreen })
  await platform.goto(page.url().replace(site.server.url, ''))
  await act(platform, '受理')
  await act(platform, '采纳')
  await platform.getByText('已采纳', { exact: true }).first().waitFor()
  const posted = await query(`select kind, memo from ledger_entry where agent_id = $1 and reference = $2`, [
    agentId,
    `bill:${id}`,
  ])
  expect(posted).toMatchObject([{ kind: 'adjustment' }])
})

test('a difference of a channel bill is resolved by two people', async () => {
  await site.server.query(
    `insert into channel_day (agent_id, channel, day, source, bill_payments, bill_paid_cents, bill_refunds, bill_refunded_cents,
       own_payments, own_paid_cents, own_refunds, own_refunded_cents, fee_millicents, fee_cents, differences, open_differences,
       held_cents, compared_at)
     values ($1, 'sandbox', '2026-09-03', 'fetched', 1, 100, 0, 0, 1, 107, 0, 0, 600, 1, 1, 1, 7, now())`,
    [agentId],
  )
  await site.server.query(
    `insert into channel_difference (agent_id, channel, day, kind, is_refund, number, order_number, trade_number, own_cents,
       own_status, own_at, delta_cents, held_cents, found_at, state)
     values ($1, 'sandbox', '2026-09-03', 'short', false, 'e2e-short-one', 'e2e-short-one', '', 7, 'paid', now(), -7, 7, now(), 'open')`,
    [agentId],
  )
  const page = await site.newPage({ as: phones.platform })
  await page.goto('/console/#/financial/ChannelBills?view=differences')
  await page
    .getByRole('searchbox', { name: '商户单号' })
    .or(page.getByPlaceholder('商户单号'))
    .first()
    .fill('e2e-short-one')
  await page.keyboard.press('Enter')
  await page.getByText('e2e-short-one').first().click()
  await page.getByRole('button', { name: '提出处理方式' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: '核销' }).check()
  await dialog.getByRole('textbox', { name: '说明' }).fill('渠道确认漏单，金额不再追回')
  await dialog.getByRole('button', { name: '提交复核' }).click()
  await dialog.waitFor({ state: 'detached' })
  // The same person cannot confirm it.
  expect(await page.getByRole('button', { name: '复核并执行' }).count()).toBe(0)

  const second = await site.newPage()
  await second.goto('/console/#/login')
  await forgetSentCodes(site.server)
  await logIn({ page: second, server: site.server, phone: '13800138007' })
  await second.goto('/console/#/financial/ChannelBills?view=differences')
  await second.getByText('e2e-short-one').first().click()
  await second.getByRole('button', { name: '复核并执行' }).click()
  await second.getByRole('dialog').getByRole('button', { name: /^确认/ }).click()
  await expect
    .poll(async () =>
      (await site.server.query(`select state from channel_difference where number = 'e2e-short-one'`)).map(
        (row) => row['state'],
      ),
    )
    .toEqual(['resolved'])
})
