import { riderActivityEndpoints, type RiderActivity } from '@saddle/contract/marketing/taskActivities.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chooseOption, openSite, phones } from './browser.ts'
import { askAsApp } from './riderApp.ts'
import { openRiding } from './riding.ts'

const site = openSite()
const phone = '17000312399'
const shownPhone = '170****2399'
const { agentId, ridePaid } = openRiding(site)

const ownActivity = async (name: string): Promise<RiderActivity | undefined> => {
  const { list } = await askAsApp<{ list: RiderActivity[] }>(site.server, riderActivityEndpoints.riderActivities, {
    phone,
    agentId,
  })
  return list.find((activity) => activity.name === name)
}

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
  await chooseOption(group.getByRole('combobox', { name: `${label} 奖励类型` }), '赠送余额')
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

  const { orderId: first } = await ridePaid(phone)
  await expect.poll(async () => (await ownActivity(kinds.task.name))?.value).toBe(1)
  await ridePaid(phone)
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
