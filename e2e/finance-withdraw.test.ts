import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { closeAccount, openAccount } from './accountOpening.ts'
import { chooseSetting, openSite, phones, phoneScreen, settingsButton } from './browser.ts'
import { closeToday } from './closing.ts'
import { openRiding } from './riding.ts'

const site = openSite()
const riding = openRiding(site)

const company = '青禾出行'
const password = '135790'
/** Makes the sandbox bank behave as it is told, from now on and otherwise as usual. */
async function mood(change: Readonly<Record<string, number | boolean>>): Promise<void> {
  const body = JSON.stringify({ processingMs: 500, ...change })
  const answer = await fetch(`${site.server.url}/sandbox/bank`, { method: 'PUT', body })
  expect(answer.status).toBe(204)
}

/** The newest message of the bank that has this form. */
async function told(form: RegExp): Promise<string> {
  const text = await (await fetch(`${site.server.url}/sandbox/bank/messages`)).text()
  const found = form.exec(text)?.[1]
  if (found === undefined) throw new Error(`the bank sent no message like ${form}`)
  return found
}

async function queried(text: string): Promise<readonly Record<string, unknown>[]> {
  return site.server.query(text, [])
}

/** Enough for all withdrawals here. */
async function addMoney(yuan: number): Promise<void> {
  const posted = await queried(
    `select p.outcome from agent g
     cross join ledger_open(g.id, '{adjustment,agent_available}', '{0,0}', '{t,f}', now()) as opened (ids)
     cross join ledger_post_one(
       g.id, 'adjustment', 'test:withdraw', 'adjustment', now(), null, opened.ids::text,
       '{${-100 * yuan},${100 * yuan}}', '可提现余额'
     ) p
     where g.company = '${company}'`,
  )
  expect(posted).toEqual([{ outcome: 'posted' }])
}

/** Presses what opens a page of the bank, and resolves to that page. */
async function bankPage(page: Page, press: () => Promise<void>): Promise<Page> {
  const [opened] = await Promise.all([page.context().waitForEvent('page'), press()])
  await opened.getByRole('heading', { level: 1 }).waitFor()
  return opened
}

const opening = {
  company,
  details: {
    企业名称: '青禾出行服务有限公司',
    统一社会信用代码: '91320594MA1XABCD2E',
    法人姓名: '周以宁',
    法人身份证号: '320500198805061234',
    手机号: '13800006688',
    邮箱: 'finance@example.com',
  },
  papers: ['营业执照', '法人身份证人像面', '法人身份证国徽面'],
} as const

async function openPanel(page: Page): Promise<Locator> {
  await page.goto('/console/#/financial/AccountManager')
  await page.getByRole('main').getByText(company, { exact: true }).first().click()
  const panel = page
    .getByRole('complementary', { name: '账户' })
    .or(page.getByRole('dialog', { name: '账户', exact: true }))
  await panel.getByText('银行账号').waitFor()
  return panel
}

async function bind(page: Page, panel: Locator): Promise<void> {
  await panel.getByRole('button', { name: '绑定银行卡' }).click()
  const dialog = page.getByRole('dialog', { name: '绑定银行卡' })
  await dialog.getByLabel('卡号', { exact: true }).fill('6222020000001234')
  await dialog.getByLabel('开户银行').fill('招商银行')
  await dialog.getByLabel('银行预留手机号').fill('13800006688')
  await dialog.getByRole('button', { name: '绑定并验证' }).click()
  const card = panel.getByRole('listitem').filter({ hasText: '1234' })
  await card.getByText('待验证').waitFor()
  // A minute passes before the bank is asked for another message.
  await queried(`update bank_card set code_sent_at = code_sent_at - interval '1 minute'`)
  await card.getByRole('button', { name: '发到邮箱' }).click()
  await page.getByText('已重新发送').first().waitFor()
  const value = await told(/finance@example\.com<\/time>[^<]*验证值 (\d+)/)
  await card.getByRole('button', { name: '验证', exact: true }).click()
  const check = page.getByRole('dialog', { name: /^验证银行卡/ })
  await check.getByLabel('收到的金额（分）').fill('999')
  await check.getByRole('button', { name: '验证', exact: true }).click()
  await check
    .getByText(/还可以试 4 次/)
    .first()
    .waitFor()
  await check.getByLabel('收到的金额（分）').fill(value)
  await check.getByRole('button', { name: '验证', exact: true }).click()
  await card.getByText('已绑定').waitFor()
}

async function addSubAccount(page: Page, panel: Locator): Promise<void> {
  await panel.getByRole('button', { name: '新增子账户' }).click()
  const dialog = page.getByRole('dialog', { name: '新增子账户' })
  await dialog.getByLabel('名称').fill('园区物业')
  await dialog.getByRole('button', { name: '新增子账户' }).click()
  const added = panel.getByRole('listitem').filter({ hasText: '园区物业' })
  await added.waitFor()
  await added.getByText('已开通').waitFor()
}

async function choosePassword(page: Page): Promise<void> {
  await settingsButton(page).waitFor()
  const forgotten = await bankPage(page, () => chooseSetting(page, '重置支付密码'))
  const set = async (at: Page, proof: readonly [label: string, value: string], again = password) => {
    await at.getByLabel(proof[0]).fill(proof[1])
    await at.getByLabel('新支付密码（6 位数字）').fill(password)
    await at.getByLabel('再次输入新支付密码').fill(again)
    await at.getByRole('button', { name: '保存支付密码' }).click()
  }
  const code = await told(/验证码 (\d{6})，用于设置支付密码/)
  await set(forgotten, ['短信验证码', code], '000000')
  await forgotten.getByRole('alert').filter({ hasText: '两次输入的支付密码不一致' }).waitFor()
  await set(forgotten, ['短信验证码', code === '111111' ? '222222' : '111111'])
  await forgotten.getByRole('alert').filter({ hasText: '验证码不正确' }).waitFor()
  await set(forgotten, ['短信验证码', code])
  await forgotten.getByRole('status').filter({ hasText: '支付密码已保存' }).waitFor()
  // The link leads nowhere a second time.
  await forgotten.goto(forgotten.url())
  await forgotten.getByText('链接已失效').waitFor()
  await forgotten.close()
  const changed = await bankPage(page, () => chooseSetting(page, '修改支付密码'))
  await set(changed, ['原支付密码', '000000'])
  await changed.getByRole('alert').filter({ hasText: '支付密码不正确' }).waitFor()
  await set(changed, ['原支付密码', password])
  await changed.getByRole('status').filter({ hasText: '支付密码已保存' }).waitFor()
  await changed.close()
}

/** Files a withdrawal, enters the password at the bank, and submits it. */
async function withdraw(page: Page, yuan: string, options: { readonly isFirst?: boolean } = {}): Promise<void> {
  await page.getByRole('button', { name: '申请提现' }).click()
  const dialog = page.getByRole('dialog', { name: '申请提现' })
  await dialog.getByLabel('提现金额').fill(yuan)
  await dialog.getByRole('button', { name: '下一步：输入支付密码' }).click()
  const sheet = page.getByRole('dialog', { name: '输入支付密码' })
  const submit = sheet.getByRole('button', { name: '已输入密码，提交提现' })
  if (options.isFirst === true) {
    await submit.click()
    await page.getByText('请先在银行页面输入支付密码').first().waitFor()
  }
  const bank = await bankPage(page, () => sheet.getByRole('button', { name: '打开银行页面' }).click())
  const authorise = async (typed: string) => {
    await bank.getByLabel('支付密码').fill(typed)
    await bank.getByRole('button', { name: '确认付款' }).click()
  }
  if (options.isFirst === true) {
    expect(await bank.locator('dl').innerText()).toContain('尾号 1234')
    await authorise('999999')
    await bank.getByRole('alert').filter({ hasText: '支付密码不正确' }).waitFor()
  }
  await authorise(password)
  await bank.getByRole('status').filter({ hasText: '已授权' }).waitFor()
  await bank.close()
  await submit.click()
  await sheet.waitFor({ state: 'detached' })
}

interface PaidRide {
  readonly orderId: number
  /** The day that is closed and settled. */
  readonly day: string
}
let paidRide: PaidRide | null = null

/** A ride that a rider pays, divided by a rule of two parties; its day is closed, settled and stated. */
async function rideAndClose(): Promise<PaidRide> {
  const { agentId } = riding
  const terms = {
    feeBasisPoints: 60,
    feeBearer: 'company',
    parties: [{ partyId: 1, name: '青骑平台', share: { of: 'rest', basisPoints: 1_000 } }],
  }
  const { query } = site.server
  await query(
    `insert into split_party (id, agent_id, name) overriding system value values (1, $1, '青骑平台') on conflict do nothing`,
    [agentId],
  )
  await query(
    `insert into split_terms (agent_id, version, first_day, terms, reason, made_at, made_by)
     values ($1, 1, current_date - 2, $2, '合同约定', now(), '平台')`,
    [agentId, JSON.stringify(terms)],
  )
  await query(
    `insert into split_statement_period (agent_id, period, reason, made_at, made_by) values ($1, 'day', '合同约定', now(), '平台')`,
    [agentId],
  )
  const { orderId } = await riding.ridePaid('17000318899')
  return { orderId, day: await closeToday(site.server) }
}

/** What the command says about the file of a statement, without the database. */
async function verified(file: string, hash: string): Promise<string> {
  const program = fileURLToPath(new URL('../apps/server/src/finance/splitBills/statementCli.ts', import.meta.url))
  const args = ['--disable-warning=ExperimentalWarning', program, file, hash]
  return (await promisify(execFile)(process.execPath, args)).stdout
}

const rowOf = (page: Page, yuan: string): Locator => page.getByRole('row').filter({ hasText: yuan }).first()
/** The list is read again by itself after some seconds. */
const stateIs = async (page: Page, yuan: string, state: string): Promise<void> =>
  rowOf(page, yuan).getByText(state, { exact: true }).waitFor()

test('a company opens an account, binds a card, sets its password and withdraws, whatever the bank does', async () => {
  await mood({})
  await closeAccount(site.server, company)
  paidRide = await rideAndClose()
  await addMoney(100_000)
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/account')
  await openAccount(page, opening)
  const panel = await openPanel(page)
  await bind(page, panel)
  await addSubAccount(page, panel)
  await choosePassword(page)

  await page.goto('/console/#/financial/CostCenter/withdraw')
  await page.getByRole('button', { name: '申请提现' }).click()
  const resting = page.getByRole('dialog', { name: '申请提现' })
  await resting.getByRole('combobox').click()
  await page
    .getByTitle(/起可用/)
    .first()
    .waitFor()
  await resting.getByRole('button', { name: '取消' }).click()
  await queried(`update bank_card set bound_at = bound_at - interval '2 days' where state = 'bound'`)
  await page.reload()

  await withdraw(page, '1234', { isFirst: true })
  await stateIs(page, '1,234.00', '已到账')

  await mood({ fails: 100 })
  await withdraw(page, '2345')
  await stateIs(page, '2,345.00', '已退回')
  await rowOf(page, '2,345.00').click()
  await page.getByText('收款银行拒绝：账户状态异常').first().waitFor()
  await mood({})

  // Above one person's limit: whoever filed it cannot confirm it.
  await withdraw(page, '60001')
  await stateIs(page, '60,001.00', '待复核')
  await rowOf(page, '60,001.00').click()
  expect(await page.getByRole('button', { name: '需另一人复核' }).isDisabled()).toBe(true)
  const second = await site.newPage({ as: phones.platform })
  await second.goto('/console/#/financial/CostCenter/withdraw')
  await rowOf(second, '60,001.00').click()
  // The bank does not answer: nobody knows whether it pays, and it is asked until it says so.
  await mood({ isDown: true })
  await second.getByRole('button', { name: '复核通过 60,001.00 元' }).click()
  await stateIs(second, '60,001.00', '结果查询中')
  await second.getByRole('button', { name: '向银行查询' }).click()
  await second.getByText('银行答复：结果查询中').first().waitFor()
  await mood({})
  await second.getByRole('button', { name: '向银行查询' }).click()
  await stateIs(second, '60,001.00', '已到账')
  const sends = await queried(`select sends from withdrawal where cents = 6000100`)
  expect(sends, 'sent again under its number, because the bank has never had it').toEqual([{ sends: 2 }])

  // In transit, in withdrawal and paid are what the bank has paid.
  const paid = await queried(
    `select sum(cents - fee_cents)::integer as cents from withdrawal where state = 'paid' and agent_id = (select id from agent where company = '${company}')`,
  )
  const booked = await queried(
    `select b.balance_cents::integer as cents from ledger_account a join ledger_balance b on b.account_id = a.id
     where a.kind = 'clearing_bank' and a.agent_id = (select id from agent where company = '${company}')`,
  )
  expect(booked).toEqual(paid)

  const pocket = await site.newPage({ as: phones.manager, size: phoneScreen })
  const small = await openPanel(pocket)
  const bound = small.getByRole('listitem').filter({ hasText: '1234' })
  await bound.getByRole('button', { name: '解绑' }).click()
  const unbind = pocket.getByRole('dialog', { name: /^解绑银行卡/ })
  await unbind.getByRole('button', { name: '解绑', exact: true }).click()
  await bound.getByText('已解绑').waitFor()
  expect(await pocket.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(phoneScreen.width)
}, 480_000)

test('each cent of a withdrawal opens down to its ride and rule, and the statement of the day proves itself', async () => {
  if (paidRide === null) throw new Error('the withdrawals come first')
  const { orderId, day } = paidRide
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/financial/SplitBill')
  const bill = page.getByRole('row').filter({ hasText: day }).first()
  await bill.getByText('已结算').waitFor()
  await bill.click()
  const billPanel = page.getByRole('complementary', { name: '分账账单' })
  await billPanel.getByText('青骑平台').first().waitFor()
  await billPanel.getByRole('link', { name: String(orderId), exact: true }).click()
  await page
    .getByRole('row')
    .filter({ hasText: String(orderId) })
    .first()
    .click()
  const money = page.getByRole('complementary', { name: '分账明细' }).getByRole('table', { name: '这笔钱现在在哪里' })
  await money.getByRole('link', { name: /已到账/ }).click()

  // The withdrawal that it went into, and from there the ride again.
  await page.getByRole('row').filter({ hasText: '1,234.00' }).first().click()
  const withdrawal = page.getByRole('complementary', { name: '提现明细' })
  const ofDay = page.getByRole('button', { name: `${day} 的收入` })
  const source = withdrawal.getByRole('table', { name: '资金来源' }).getByRole('row').filter({ has: ofDay })
  const cents = await source.getByRole('cell').last().innerText()
  await source.getByRole('button').click()
  const ride = withdrawal.getByRole('listitem').filter({ has: page.getByRole('link', { name: String(orderId) }) })
  await ride.getByText(cents).first().waitFor()

  // The file is proved by the command alone.
  await page.goto('/console/#/financial/SplitBill?view=statements')
  await page.getByRole('row').filter({ hasText: day }).first().click()
  const statement = page.getByRole('complementary', { name: '对账单' })
  const hash = (await statement.getByText(/^[0-9a-f]{64}$/).innerText()).trim()
  const folder = mkdtempSync(join(tmpdir(), 'saddle-statement-'))
  try {
    for (const form of ['CSV', 'PDF']) {
      const download = page.waitForEvent('download')
      await statement.getByRole('button', { name: `下载 ${form}` }).click()
      const file = join(folder, `statement.${form.toLowerCase()}`)
      await (await download).saveAs(file)
      expect(await verified(file, hash)).toContain(`${hash}, proved`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
