import { demoVehicles, type DemoVehicle } from '@saddle/contract/demo/city.ts'
import { rideEndpoints, type Ride } from '@saddle/contract/riding/rides.ts'
import { createSingleDevice, type SingleDevice } from '@saddle/simulator/src/fleet/single.ts'
import { testPriceRules } from '@saddle/server/test/rides.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { metresPerDegree } from '@saddle/geo/earth.ts'
import { openSite, phones, routeIs } from './browser.ts'
import { askAsApp } from './riderApp.ts'

const site = openSite()
const phone = '17000312345'
const found = demoVehicles(12).find(({ protocol }) => protocol === 'omni')
if (found === undefined) throw new Error('no demo vehicle speaks Omni')
const vehicle: DemoVehicle = found
let device: SingleDevice | null = null

type Paying = Ride & { payment: { number: string } | null }

/** A call of the rider app. */
const ask = (name: keyof typeof rideEndpoints, input: Record<string, unknown>): Promise<Paying> =>
  askAsApp<Paying>(site.server, rideEndpoints[name], input)

async function becomes(asked: Record<string, unknown>, state: Ride['state']): Promise<void> {
  await expect.poll(async () => (await ask('readRide', asked)).state).toBe(state)
}

beforeAll(async () => {
  const { server } = site
  await server.query(
    `insert into price_version (agent_id, area_id, name, rules, valid_from, author_name, created_at)
     select agent_id, id, '首版计价', $1, now() - interval '1 hour', '平台', now() - interval '1 hour' from service_area`,
    [JSON.stringify({ ...testPriceRules, freeSeconds: 0 })],
  )
  const password = server.devicePassword(vehicle.imei)
  device = createSingleDevice({ vehicle, seed: 7, host: '127.0.0.1', port: server.ports.omni, password })
})
afterAll(() => device?.stop())

/** A ride of a few streets, using the rider calls and the vehicle's own connection. */
async function ride(page: Page): Promise<Paying> {
  if (device === null) throw new Error('the vehicle is on the line before the first test')
  const line = device
  const panel = page.getByRole('region', { name: '车辆面板' })
  await page.goto(`/console/#/vehicle/operation-map?vehicle=${vehicle.number}`)
  await panel.getByText('可用').first().waitFor()

  const asked = { phone, vehicleNumber: vehicle.number }
  await ask('reserveRide', asked)
  await panel.getByText('已预约').first().waitFor()
  const { orderId } = await ask('unlockRide', asked)
  await expect.poll(() => line.state.locked).toBe(false)
  const own = { phone, orderId }
  await becomes(own, 'riding')
  await panel.getByText('骑行中').first().waitFor()
  for (const metres of [100, 200, 300, 400]) line.move(vehicle.lat + metres / metresPerDegree, vehicle.lng, 15)
  line.move(vehicle.lat + 450 / metresPerDegree, vehicle.lng, 0)
  await expect
    .poll(async () => {
      const rows = await site.server.query(
        'select lat from vehicle_status s join vehicle v on v.id = s.vehicle_id where v.number = $1',
        [vehicle.number],
      )
      return Number(rows[0]?.['lat'])
    })
    .toBeCloseTo(vehicle.lat + 450 / metresPerDegree, 4)
  await ask('endRide', own)
  await expect.poll(() => line.state.locked).toBe(true)
  await becomes(own, 'due')
  const { payment } = await ask('payRide', own)
  expect((await fetch(`${site.server.url}/pay/sandbox/${payment?.number}`, { method: 'POST' })).status).toBe(204)
  await becomes(own, 'paid')
  return ask('readRide', own)
}

test('a ride goes from the unlocking of a real vehicle to an order that explains itself and is given back in part', async () => {
  const page = await site.newPage({ as: phones.platform })
  const told = await ride(page)
  const fee = told.lines.find(({ code }) => code === 'out_of_place')?.amountCents ?? 0
  expect(told.chargedCents).toBe(200 + fee)
  expect(fee, 'nobody parks there').toBe(500)

  await page.goto('/console/#/user-order')
  await page.getByLabel('手机号、订单编号或车辆编号').fill(vehicle.number)
  await page.keyboard.press('Enter')
  const row = page.getByRole('row').filter({ hasText: vehicle.number })
  await row.getByText('已支付').waitFor()
  await row.getByRole('link').first().click()
  await routeIs(page, new RegExp(`^/user-order-detail\\?order=${told.orderId}`))

  const card = (title: string) => page.locator('section').filter({ has: page.getByRole('heading', { name: title }) })
  const charge = card('费用明细')
  expect(await charge.getByRole('row').filter({ hasText: '起步价' }).innerText()).toContain('2.00')
  expect(await charge.getByRole('row').filter({ hasText: '停车点外调度费' }).innerText()).toContain('5.00')
  expect(await charge.getByRole('row').filter({ hasText: '合计' }).innerText()).toContain('7.00')
  await card('还车判定').getByText('停车点外', { exact: false }).first().waitFor()
  const commands = card('指令记录').getByRole('listitem')
  expect(await commands.count()).toBe(2)
  for (const text of await commands.allInnerTexts()) expect(text).toContain('已确认')
  await card('账务分录').getByText('7.00').first().waitFor()
  await page.locator('.order-way canvas').first().waitFor()

  await page.getByRole('button', { name: '退款', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('最多可退 7.00 元').waitFor()
  await dialog.getByText('按明细退还').click()
  await dialog.getByRole('checkbox').nth(1).check()
  await dialog.getByRole('textbox', { name: '退款原因（骑行者可见）' }).fill('停车点在施工')
  await dialog.getByRole('button', { name: '退款 5.00 元' }).click()
  await page.getByText('已退款 5.00 元').first().waitFor()
  await page.getByRole('heading', { level: 1 }).getByText('部分退款').waitFor()
  expect(await charge.getByRole('row').filter({ hasText: '退款后' }).innerText()).toContain('2.00')
  await card('账务分录').getByText('5.00').first().waitFor()

  expect(await ask('readRide', { phone, orderId: told.orderId })).toMatchObject({
    state: 'part_refunded',
    refundedCents: 500,
  })
  const [sums] = await site.server.query(
    `select sum(b.balance_cents)::int as revenue from ledger_balance b join ledger_account a on a.id = b.account_id
     where a.kind = 'agent_revenue'`,
  )
  expect(sums).toEqual({ revenue: 200 })
})

test('a rider is found, charged, has a deposit frozen and is banned, and each of these is taken back', async () => {
  const { server } = site
  await server.query(
    `insert into deposit_setting (agent_id, area_id, cents, free_students, free_card_holders, author_name, created_at)
     select agent_id, id, 9900, false, false, '平台', now() from service_area`,
  )
  const [place] = await server.query('select agent_id, area_id from vehicle where number = $1', [vehicle.number])
  const agentId = Number(place?.['agent_id'])
  for (const [path, input] of [
    ['recharge', { cents: 5_000 }],
    ['deposit', { areaId: Number(place?.['area_id']) }],
  ] as const) {
    const response = await fetch(`${server.url}/rider/v1/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': server.riderKey(), 'content-type': 'application/json' },
      body: JSON.stringify({ phone, agentId, ...input }),
    })
    const { data } = (await response.json()) as { data: { number?: string; payment?: { number: string } } }
    const number = data.number ?? data.payment?.number
    expect((await fetch(`${server.url}/pay/sandbox/${number}`, { method: 'POST' })).status).toBe(204)
  }

  const page = await site.newPage({ as: phones.platform })
  const takeBack = async (said: string): Promise<void> => {
    const notice = page.getByRole('status').filter({ hasText: said })
    await notice.getByRole('button', { name: '撤销' }).click()
  }
  const dialog = page.getByRole('dialog')
  const money = page.locator('.rider-money')
  const balance = money.locator('.money-sums > div').first()
  await page.goto('/console/#/user-info')
  await page.getByLabel('手机号、姓名、证件号或用户编号').fill(phone)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: '170****2345' }).click()
  await routeIs(page, '/user-info-detail')
  expect(page.url()).not.toContain(phone)
  await balance.getByText('50.00').waitFor()

  await money.getByRole('button', { name: '扣款或加款' }).click()
  await dialog.getByLabel(/^金额/).fill('8')
  await dialog.getByLabel(/^原因/).fill('车筐损坏')
  await dialog.getByRole('button', { name: '从余额扣 8.00 元' }).click()
  await balance.getByText('42.00').waitFor()
  await takeBack('余额现为 42.00 元')
  await balance.getByText('50.00').waitFor()

  await money.getByRole('tab', { name: '押金' }).click()
  await money.getByRole('button', { name: '冻结', exact: true }).click()
  await dialog.getByLabel(/^金额/).fill('30')
  await dialog.getByLabel(/^原因/).fill('等待定损')
  await dialog.getByRole('button', { name: '冻结 30.00 元' }).click()
  await money.getByText('冻结 30.00', { exact: false }).first().waitFor()
  await takeBack('已冻结押金')
  await money.getByText('已解冻').waitFor()

  await page.getByRole('button', { name: '加入黑名单' }).click()
  await dialog.getByRole('textbox', { name: '原因（留档备查）' }).fill('恶意占用')
  await dialog.getByRole('button', { name: '把 1 位用户加入黑名单' }).click()
  await page.getByText('不能预约和开锁：恶意占用').waitFor()
  await takeBack('加入黑名单')
  await page.getByRole('button', { name: '加入黑名单' }).waitFor()
  const bans = await server.query('select count(*)::int as bans from rider_ban where lifted_at is null')
  expect(bans).toEqual([{ bans: 0 }])
})
