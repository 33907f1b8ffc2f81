import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { logIn, openSite, phones, phoneScreen, routeIs } from './browser.ts'

const site = openSite()

const company = '望舒出行科技有限公司'
const manager = { name: '顾南乔', phone: '13922223333' }
const worker = { name: '简小舟', phone: '13944445555' }
const role = '街面运维'

async function apply(page: Page): Promise<void> {
  await page.goto('/console/#/register')
  const fields = { 公司名称: company, 联系人: manager.name, 手机号: manager.phone, 运营城市: '澄湖市' }
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByLabel('计划投放（辆）', { exact: true }).fill('300')
  await page.getByRole('button', { name: '提交申请' }).click()
  await routeIs(page, '/register-result')
}

async function accept(page: Page): Promise<void> {
  await page.goto('/console/#/agent/account-management?tab=applications')
  await page.getByRole('listitem').filter({ hasText: company }).getByRole('button', { name: '打开' }).click()
  const panel = page.getByRole('complementary', { name: '加盟申请' })
  await panel.getByText(company).first().waitFor()
  await panel.getByLabel('首个服务区', { exact: true }).fill('望舒东区')
  await panel.getByRole('button', { name: `通过并开设“${company}”` }).click()
  await page.getByText(`已开设“${company}”，${manager.name} 现在可以登录`).waitFor()
}

async function enter(page: Page, phone: string): Promise<void> {
  await page.goto('/console/#/login')
  await logIn({ page, server: site.server, phone })
}

async function createRole(page: Page): Promise<void> {
  await page.goto('/console/#/permissions/add-role')
  await page.getByLabel('角色名称').fill(role)
  await page.getByRole('searchbox', { name: '搜索权限名称或编码' }).fill('运营地图')
  await page
    .getByRole('checkbox', { name: /^运营地图/ })
    .first()
    .check()
  await page.getByRole('button', { name: '保存角色' }).click()
  await page.getByText(`已新增角色“${role}”`).waitFor()
}

async function createWorker(page: Page): Promise<void> {
  await page.goto('/console/#/permissions/user')
  await page.getByRole('button', { name: '新增用户' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('手机号').fill(worker.phone)
  await drawer.getByLabel('姓名').fill(worker.name)
  await drawer.getByRole('radio', { name: '运维', exact: true }).check()
  await drawer.getByRole('combobox', { name: '角色' }).click()
  await page.getByTitle(role, { exact: true }).click()
  await drawer.getByText('指定服务区', { exact: true }).click()
  await drawer.getByRole('combobox', { name: '指定服务区' }).click()
  await page.getByTitle('望舒东区').first().click()
  await page.keyboard.press('Escape')
  await drawer.getByRole('button', { name: `新增“${worker.name}”` }).click()
  await page.getByText(`已新增“${worker.name}”`).waitFor()
}

test('a company applies, is accepted, its manager makes a role and a worker, who sees one area on a phone', async () => {
  await apply(await site.newPage())
  await accept(await site.newPage({ as: phones.platform }))
  const [opened] = await site.server.query('select id from agent where company = $1', [company])
  const agentId = Number(opened?.['id'])
  // A second area, so that one of them is a choice.
  await site.server.query(
    `insert into service_area (agent_id, name, centre_lat, centre_lng, ring)
     select agent_id, '望舒西区', centre_lat, centre_lng, ring from service_area where agent_id = $1`,
    [agentId],
  )

  const desk = await site.newPage()
  await enter(desk, manager.phone)
  await createRole(desk)
  await createWorker(desk)

  const pocket = await site.newPage({ size: phoneScreen })
  await enter(pocket, worker.phone)
  await pocket.goto('/console/#/vehicle/operation-map')
  await pocket.getByRole('button', { name: /服务区/ }).click()
  const choice = pocket.getByRole('dialog')
  await choice.getByRole('checkbox').first().waitFor()
  expect(await choice.getByRole('listitem').allInnerTexts()).toEqual([expect.stringContaining('望舒东区')])
  await choice.getByRole('button', { name: '取消', exact: true }).click()
  // Actions that the role does not permit are not shown.
  await pocket.goto('/console/#/permissions/user')
  await pocket.getByText('页面不存在，或者您的账号没有查看它的权限。').waitFor()

  // The audit trail of the affected company names the person who did it.
  const lines = await site.server.query('select action from audit_record where agent_id = $1 order by sequence', [
    agentId,
  ])
  const actions = lines.map((line) => String(line['action']))
  for (const act of ['role.create', 'operator.create']) expect(actions).toContain(act)
})
