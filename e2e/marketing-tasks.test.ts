import { demoVehicles, type DemoVehicle } from '@saddle/contract/demo/city.ts'
import { demoFranchiseeId } from '@saddle/contract/demo/riders.ts'
import { riderActivityEndpoints, type RiderActivity } from '@saddle/contract/marketing/taskActivities.ts'
import { rideEndpoints, type Ride } from '@saddle/contract/riding/rides.ts'
import { createSingleDevice, type SingleDevice } from '@saddle/simulator/src/fleet/single.ts'
import { testPriceRules } from '@saddle/server/test/rides.ts'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, phones } from './browser.ts'
import { askAsApp } from './riderApp.ts'

const site = openSite()
const phone = '17000312399'
const shownPhone = '170****2399'
const agentId = demoFranchiseeId('qinghe')
const found = demoVehicles(30).find(({ protocol, agentKey }) => protocol === 'omni' && agentKey === 'qinghe')
if (found === undefined) throw new Error('no demo vehicle of the company speaks Omni')
const vehicle: DemoVehicle = found
let device: SingleDevice | null = null

type Paying = Ride & { payment: { number: string } | null }

const ask = <T>(call: Parameters<typeof askAsApp>[1], input: Parameters<typeof askAsApp>[2]) =>
  askAsApp<T>(site.server, call, input)

const stateOf = async (orderId: number): Promise<Ride['state']> =>
  (await ask<Ride>(rideEndpoints.readRide, { phone, orderId })).state

/** A ride on the vehicle's own connection, paid by gift balance, or by a channel where that is too little. */
async function ride(): Promise<number> {
  const { orderId } = await ask<Ride>(rideEndpoints.unlockRide, { phone, vehicleNumber: vehicle.number })
  await expect.poll(() => device?.state.locked).toBe(false)
  await expect.poll(() => stateOf(orderId)).toBe('riding')
  await ask(rideEndpoints.endRide, { phone, orderId })
  await expect.poll(() => device?.state.locked).toBe(true)
  await expect.poll(() => stateOf(orderId)).toMatch(/^(due|paid)$/)
  if ((await stateOf(orderId)) === 'due') {
    const { payment } = await ask<Paying>(rideEndpoints.payRide, { phone, orderId })
    expect((await fetch(`${site.server.url}/pay/sandbox/${payment?.number}`, { method: 'POST' })).status).toBe(204)
  }
  await expect.poll(() => stateOf(orderId)).toBe('paid')
  return orderId
}

const ownActivity = async (name: string): Promise<RiderActivity | undefined> => {
  const { list } = await ask<{ list: RiderActivity[] }>(riderActivityEndpoints.riderActivities, { phone, agentId })
  return list.find((activity) => activity.name === name)
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

const kinds = {
  fixed: { name: '端到端首骑礼', form: '/marketing/activity-task-edit', list: '/marketing/activity-task' },
  task: {
    name: '端到端每周骑行',
    form: '/marketing/custom-activity-task-edit',
    list: '/marketing/custom-activity-task',
  },
} as const
type Kind = { readonly name: string; readonly list: string }

async function giftOf(group: Locator | Page, label: string, yuan: string): Promise<void> {
  await group.getByLabel(`${label} 奖励类型`).selectOption('gift')
  await group.getByLabel(`${label} 赠送金额`).fill(yuan)
}

/** Tries the form on past weeks, keeps it as a draft and starts it. */
async function startFromForm(page: Page, { name }: Kind, reached: string): Promise<void> {
  await page.getByRole('button', { name: '试算', exact: true }).click()
  await page.getByText(reached).waitFor()
  await page.getByRole('button', { name: '保存为草稿' }).click()
  await page.getByRole('row').filter({ hasText: name }).first().click()
  const panel = page.getByRole('complementary', { name: '活动详情' })
  await panel.getByText('草稿').waitFor()
  await panel.getByRole('button', { name: '启动' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '启动' }).click()
  await panel.getByText('进行中').waitFor()
}

async function endFromList(page: Page, { name, list }: Kind): Promise<void> {
  await page.goto(`/console/#${list}`)
  await page.getByRole('row').filter({ hasText: name }).first().click()
  const panel = page.getByRole('complementary', { name: '活动详情' })
  await panel.getByRole('button', { name: '结束', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '结束活动' }).click()
  await panel.getByText('已结束').waitFor()
}

test('a fixed and a custom activity are made, tried, started, earned by rides, taken back, restored and ended', async () => {
  const page = await site.newPage({ as: phones.manager, size: { width: 1440, height: 900 } })
  // The demo has an activity for the same event.
  await endFromList(page, { ...kinds.fixed, name: '首骑礼' })
  await page.goto(`/console/#${kinds.fixed.form}?form=new`)
  await page.getByLabel('活动名称').fill(kinds.fixed.name)
  await page.getByLabel('首次骑行', { exact: true }).check()
  await giftOf(page, '奖励 1', '2')
  await page.getByRole('figure').getByText('赠送余额 2.00 元').waitFor()
  await startFromForm(page, kinds.fixed, '可获奖励次数')

  await page.goto(`/console/#${kinds.task.form}?form=new`)
  await page.getByLabel('活动名称').fill(kinds.task.name)
  await page.getByLabel('第 1 级 目标').fill('1')
  await giftOf(page, '第 1 级 奖励 1', '1.5')
  await page.getByRole('button', { name: '添加等级' }).click()
  await page.getByLabel('第 2 级 目标').fill('2')
  await giftOf(page, '第 2 级 奖励 1', '3')
  await page.getByRole('figure').getByText('赠送余额 3.00 元').waitFor()
  await startFromForm(page, kinds.task, '达成等级次数')

  const first = await ride()
  await expect.poll(async () => (await ownActivity(kinds.task.name))?.value).toBe(1)
  await ride()
  await expect
    .poll(async () => (await ownActivity(kinds.task.name))?.levels.map(({ isReached }) => isReached))
    .toEqual([true, true])
  const given = () =>
    site.server.query(
      `select r.cause_kind, r.cents::int from reward r join rider on rider.id = r.rider_id
       where r.state = 'given' and r.activity_id is not null order by r.cents`,
    )
  await expect.poll(given).toEqual([
    { cause_kind: 'level', cents: 150 },
    { cause_kind: 'ride', cents: 200 },
    { cause_kind: 'level', cents: 300 },
  ])

  await page.goto('/console/#/marketing/user-rewards')
  const rows = page.getByRole('row').filter({ hasText: shownPhone })
  await expect.poll(() => rows.count()).toBe(3)
  const panel = page.getByRole('complementary', { name: '奖励详情' })
  await rows.filter({ hasText: kinds.fixed.name }).click()
  await panel.locator(`a[href*="${first}"]`, { hasText: /^\d{16}$/ }).waitFor()
  // The gifts of the first ride have paid for the second one.
  await rows.filter({ hasText: '3.00' }).click()
  await panel.getByText(kinds.task.name).waitFor()
  await panel.getByText('已发放').waitFor()
  await panel.getByRole('button', { name: '收回' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '误发' }).click()
  await dialog.getByRole('button', { name: '收回 1 项奖励' }).click()
  await page.getByText('已收回 1 项奖励').waitFor()
  await panel.getByText('已收回', { exact: true }).waitFor()
  await page.getByRole('button', { name: '撤销', exact: true }).click()
  await page.getByText('已撤销').waitFor()
  await panel.getByText('已发放').waitFor()

  await endFromList(page, kinds.task)
  expect(await ownActivity(kinds.task.name)).toBeUndefined()
  await endFromList(page, kinds.fixed)
})

test('rewards are given by hand, taken back together, and given again by undo', async () => {
  const page = await site.newPage({ as: phones.manager, size: { width: 1440, height: 900 } })
  await page.goto('/console/#/marketing/user-rewards')
  await page.getByRole('button', { name: '发放奖励', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('手机号').fill(`${phone}\n13900009999`)
  await giftOf(page, '奖励 1', '4.5')
  await dialog.getByRole('button', { name: '投诉补偿' }).click()
  await dialog.getByRole('button', { name: '发放给 2 人' }).click()
  await page.getByText('已发放 1 项奖励').waitFor()
  await page.getByText('1 人没有发放').waitFor()
  await page.getByText('没有这位用户').waitFor()

  const row = page.getByRole('row').filter({ hasText: '4.50' })
  await row.getByText('人工发放').waitFor()
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: '收回 1 项' }).click()
  await dialog.getByRole('button', { name: '误发' }).click()
  await dialog.getByRole('button', { name: '收回 1 项奖励' }).click()
  await row.getByText('已收回', { exact: true }).waitFor()
  await page.getByRole('button', { name: '撤销', exact: true }).click()
  await row.getByText('已发放', { exact: true }).waitFor()
  const [sums] = await site.server.query(`select sum(l.open_cents)::int as open from gift_lot l`)
  expect(sums, 'but for what paid for the second ride').toEqual({ open: 150 + 200 + 300 + 450 - 200 })
})
