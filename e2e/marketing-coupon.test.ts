import { demoVehicles, type DemoVehicle } from '@saddle/contract/demo/city.ts'
import type { Ride } from '@saddle/contract/riding/rides.ts'
import { createSingleDevice, type SingleDevice } from '@saddle/simulator/src/fleet/single.ts'
import { testPriceRules } from '@saddle/server/test/rides.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, phones, routeIs } from './browser.ts'
import { askAsApp } from './riderApp.ts'

const site = openSite()
const phone = '17000312377'
const found = demoVehicles(12).find(({ protocol }) => protocol === 'omni')
if (found === undefined) throw new Error('no demo vehicle speaks Omni')
const vehicle: DemoVehicle = found
let device: SingleDevice | null = null
let agentId = 0
let company = ''

/** A call of the rider app. */
const ask = <T>(path: string, input: Record<string, unknown>): Promise<T> =>
  askAsApp<T>(site.server, { method: 'POST', path: `/rider/v1/${path}` }, { phone, ...input })

async function stateOf(orderId: number): Promise<Ride> {
  const query = new URLSearchParams({ phone, orderId: String(orderId) }).toString()
  const response = await fetch(`${site.server.url}/rider/v1/ride?${query}`, {
    headers: { 'x-api-key': site.server.riderKey() },
  })
  return ((await response.json()) as { data: Ride }).data
}

beforeAll(async () => {
  const { server } = site
  await server.query(
    `insert into price_version (agent_id, area_id, name, rules, valid_from, author_name, created_at)
     select agent_id, id, '首版计价', $1, now() - interval '1 hour', '平台', now() - interval '1 hour' from service_area`,
    [JSON.stringify({ ...testPriceRules, freeSeconds: 0 })],
  )
  const [owner] = await server.query(
    `select a.id, a.company from vehicle v join agent a on a.id = v.agent_id where v.number = $1`,
    [vehicle.number],
  )
  agentId = Number(owner?.['id'])
  company = String(owner?.['company'])
  const password = server.devicePassword(vehicle.imei)
  device = createSingleDevice({ vehicle, seed: 7, host: '127.0.0.1', port: server.ports.omni, password })
})
afterAll(() => device?.stop())

test('a coupon is made, previewed, handed out, used by a ride, found with its holder, taken back and stopped', async () => {
  const page = await site.newPage({ as: phones.platform, size: { width: 1440, height: 900 } })
  await page.goto('/console/#/marketing/coupon-add')
  await page.getByRole('combobox', { name: '加盟商', exact: true }).click()
  await page.getByTitle(company, { exact: true }).last().click()
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
  await ask('coupon/claim', { agentId, code: String(code?.['code']) })

  await panel.getByRole('button', { name: '发放', exact: true }).click()
  await dialog.getByLabel('手机号').fill(`${phone}\n13900009999`)
  await dialog.getByRole('button', { name: '发放给 2 人' }).click()
  await page.getByText('已发放 1 张').waitFor()
  await page.getByText('没有这位用户：1 人').waitFor()

  const { orderId } = await ask<Ride>('unlock', { vehicleNumber: vehicle.number })
  await expect.poll(() => device?.state.locked).toBe(false)
  await expect.poll(async () => (await stateOf(orderId)).state).toBe('riding')
  await ask('end', { orderId })
  await expect.poll(async () => (await stateOf(orderId)).state).toBe('due')
  const { lines } = await stateOf(orderId)
  expect(lines.filter(({ benefit }) => benefit !== null).map(({ amountCents }) => amountCents)).toEqual([-100])

  await page.reload()
  await page.getByRole('row').filter({ hasText: '测试立减券' }).click()
  await panel.getByRole('button', { name: '已使用 1' }).click()
  await panel.getByRole('link', { name: '170****2377' }).waitFor()
  await panel.getByRole('button', { name: '效果' }).click()
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
