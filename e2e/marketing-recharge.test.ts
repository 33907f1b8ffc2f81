import { riderRechargeEndpoints } from '@saddle/contract/marketing/rechargeActivities.ts'
import { expect, test } from 'vitest'
import { openSite, phones, routeIs } from './browser.ts'
import { askAsApp } from './riderApp.ts'

const site = openSite()
const rider = '17000318801'

type Page = {
  offers: { activityId: number; activity: string; payCents: number; giftCents: number }[]
  mine: { state: string }[]
}

/** A call of the riders' application. */
const ask = <T>(name: keyof typeof riderRechargeEndpoints, input: Record<string, string | number>): Promise<T> =>
  askAsApp<T>(site.server, riderRechargeEndpoints[name], input)

test('a recharge activity is made, previewed, started, used by a rider and ended', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/marketing/recharge-activity?form=new')
  await page.getByLabel('活动名称').fill('周末充值礼')
  const tier = page.getByRole('group', { name: '第 1 档', exact: true })
  await tier.getByLabel('充值（元）').fill('30')
  await tier.getByLabel('赠送（元）').fill('6')
  const phone = page.getByRole('figure')
  await phone.getByText('30.00 元').waitFor()
  await phone.getByText('送 6.00 元').first().waitFor()
  await page.getByRole('button', { name: '试算', exact: true }).click()
  await page.getByText('达到档位的充值').waitFor()
  await page.getByRole('button', { name: '保存为草稿' }).click()
  const row = page.getByRole('row').filter({ hasText: '周末充值礼' }).first()
  await row.getByText('草稿').waitFor()
  await row.click()
  const panel = page.getByRole('complementary', { name: '活动详情' })
  await panel.getByRole('button', { name: '启动' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '启动' }).click()
  await panel.getByText('进行中').first().waitFor()

  const offered = await ask<Page>('riderRechargeOffers', { phone: rider, agentId: 3 })
  const offer = offered.offers.find(({ activity, payCents }) => activity === '周末充值礼' && payCents === 3_000)
  expect(offer?.giftCents).toBe(600)
  const { number } = await ask<{ number: string }>('riderRechargeWithOffer', {
    phone: rider,
    agentId: 3,
    activityId: offer?.activityId ?? 0,
    cents: 3_000,
  })
  expect((await fetch(`${site.server.url}/pay/sandbox/${number}`, { method: 'POST' })).status).toBe(204)
  await expect
    .poll(async () =>
      (await ask<Page>('riderRechargeOffers', { phone: rider, agentId: 3 })).mine.map(({ state }) => state),
    )
    .toEqual(['given'])

  await page.reload()
  await routeIs(page, /^\/marketing\/recharge-activity/)
  await row.click()
  await panel.getByText('已赠送').first().waitFor()
  await panel.getByRole('button', { name: '结束' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '结束' }).click()
  await panel.getByText('已结束').first().waitFor()
  const { offers } = await ask<Page>('riderRechargeOffers', { phone: rider, agentId: 3 })
  expect(offers.filter(({ activity }) => activity === '周末充值礼')).toEqual([])
})
