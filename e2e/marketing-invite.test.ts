import { riderInviteEndpoints, type RiderOwnInvites } from '@saddle/contract/marketing/riderInvites.ts'
import { expect, test } from 'vitest'
import { chooseOption, openSite, phones } from './browser.ts'
import { askAsApp } from './riderApp.ts'
import { openRiding } from './riding.ts'

const site = openSite()
const name = '端到端老带新'
const { agentId, ridePaid } = openRiding(site)

/** A call of the riders' application. */
const ask = <T>(call: keyof typeof riderInviteEndpoints, of: Record<string, string>): Promise<T> =>
  askAsApp<T>(site.server, riderInviteEndpoints[call], { ...of, agentId })

/** A rider whom nothing holds out, with the code to hand on. */
async function inviterOf(tries: readonly string[]): Promise<{ phone: string; code: string }> {
  for (const phone of tries) {
    // Whoever asks for the first time becomes a rider by it.
    await ask('riderBindInvite', { phone, code: 'ZZZZZZ' }).catch(() => null)
    const { code, activity } = await ask<RiderOwnInvites>('riderOwnInvites', { phone })
    if (code !== null && activity?.name === name) return { phone, code }
  }
  throw new Error('every rider is held out')
}

test('an invite activity is made, tried and started, rewards both riders after a ride, and is read as list and tree and ended', async () => {
  const page = await site.newPage({ as: phones.manager })
  await page.goto('/console/#/marketing/invite-activity-task-edit?form=new')
  await page.getByLabel('活动名称').fill(name)
  const inviterGets = page.getByRole('group', { name: '邀请人奖励' })
  await inviterGets.getByRole('button', { name: '添加奖励' }).click()
  await chooseOption(inviterGets.getByRole('combobox', { name: '邀请人奖励 1 奖励类型' }), '赠送余额')
  await inviterGets.getByLabel('邀请人奖励 1 赠送金额').fill('3')
  const friendGets = page.getByRole('group', { name: '好友奖励' })
  await friendGets.getByRole('button', { name: '添加奖励' }).click()
  await chooseOption(friendGets.getByRole('combobox', { name: '好友奖励 1 奖励类型' }), '赠送余额')
  await friendGets.getByLabel('好友奖励 1 赠送金额').fill('2')
  await page.getByLabel('首骑最短时长').fill('0')
  await page.getByLabel('首骑最短里程').fill('0')
  await page.getByRole('figure').getByText('我的邀请码').waitFor()
  await page.getByRole('button', { name: '试算', exact: true }).click()
  await page.getByText('最多可计入的新用户').waitFor()
  await page.getByRole('button', { name: '保存为草稿' }).click()

  const row = page.getByRole('row').filter({ hasText: name })
  await row.click()
  const panel = page.getByRole('complementary', { name: '活动详情' })
  await panel.getByText('草稿').waitFor()
  await panel.getByRole('button', { name: '启动' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '启动' }).click()
  await panel.getByText('进行中').waitFor()

  const inviter = await inviterOf(['17000318811', '17000318812', '17000318813', '17000318814'])
  const invited = '17000318821'
  await ask('riderBindInvite', { phone: invited, code: inviter.code })
  const { list } = await ask<RiderOwnInvites>('riderOwnInvites', { phone: inviter.phone })
  expect(list).toHaveLength(1)

  await page.goto('/console/#/marketing/invite-activity-task?view=invites')
  const shown = (phone: string) => `${phone.slice(0, 3)}****${phone.slice(7)}`
  const invite = page.getByRole('row').filter({ hasText: shown(invited) })
  await invite.getByText(name).waitFor()
  await invite.getByText(shown(inviter.phone)).waitFor()

  await ridePaid(invited)
  const stateOf = async () => (await ask<RiderOwnInvites>('riderOwnInvites', { phone: inviter.phone })).list[0]?.state
  await expect.poll(stateOf).toBe('pending')
  // The hours between the ride and the rewards go by.
  await site.server.query(`update invite set due_at = now() - interval '1 minute' where state = 'pending'`)
  await site.server.query(`update reward set due_at = now() - interval '1 minute' where state = 'pending'`)
  await expect.poll(stateOf).toBe('rewarded')
  const gifts = await site.server.query(`select granted_cents::int as cents from gift_lot order by 1`)
  expect(gifts.map(({ cents }) => cents)).toEqual([200, 300])
  await page.reload()
  await invite.getByText('已发奖励').waitFor()

  await page.getByRole('button', { name: '邀请关系' }).click()
  await page.getByLabel('按手机号查找').fill(invited)
  await page.keyboard.press('Enter')
  const tree = page.getByRole('tree', { name: '邀请关系' })
  await tree.getByText(shown(inviter.phone)).waitFor()
  await tree.getByText(shown(invited)).waitFor()

  await page.getByRole('button', { name: '邀请活动', exact: true }).click()
  await row.click()
  await panel.getByRole('button', { name: '结束', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '结束' }).click()
  await panel.getByText('已结束').waitFor()
  const { activity } = await ask<RiderOwnInvites>('riderOwnInvites', { phone: inviter.phone })
  expect(activity?.name).not.toBe(name)
})
