import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { inviteActivityEndpoints } from '@saddle/contract/marketing/inviteActivities.ts'
import { userRewardEndpoints } from '@saddle/contract/marketing/userRewards.ts'
import { choose, renderAt, sent, tried, type, withForms } from '../forms.fixture.tsx'
import InviteActivityFormPage from './InviteActivityFormPage.tsx'

withForms((platform) => {
  platform.on(userRewardEndpoints.rewardChoices, () => ({
    suc: true,
    data: { coupons: [], cards: [], activities: [] },
  }))
  platform.on(inviteActivityEndpoints.previewInviteActivity, (input) => {
    tried.push(input)
    const reached = { considered: 40, isCut: false, reached: 9, riders: 9, costCents: 4_500, dryAt: null, byArea: [] }
    return { suc: true, data: { weeks: 4, ...reached } }
  })
  platform.on(inviteActivityEndpoints.createInviteActivity, (input) => {
    sent.push(input)
    return { suc: true, data: { id: 1, version: 1 } }
  })
})

const addGift = async (side: string, yuan: string) => {
  const group = screen.getByRole('group', { name: side })
  fireEvent.click(within(group).getByRole('button', { name: '添加奖励' }))
  await choose(`${side} 1 奖励类型`, '赠送余额')
  fireEvent.change(within(group).getByLabelText(`${side} 1 赠送金额`), { target: { value: yuan } })
}

test('the form shows what both sides get, asks for a reward of one, and sends conditions and limits', async () => {
  renderAt('/marketing/invite-activity-task-edit?form=new', <InviteActivityFormPage />)
  await screen.findByLabelText('活动名称')
  expect(screen.getByText('填写后在此预览')).toBeTruthy()
  type('活动名称', '老带新')
  expect(screen.getByText('填写后在此预览'), 'nobody gets anything').toBeTruthy()
  await addGift('邀请人奖励', '3')
  expect(await screen.findByText('我的邀请码')).toBeTruthy()
  await addGift('好友奖励', '2')
  type('首骑最短时长', '8')
  type('等待时间', '48')
  type('最多邀请层级', '3')
  type('每人次数选填', '10')
  fireEvent.click(screen.getByLabelText('双方绑定过同一证件，不通过'))
  expect(await screen.findByText('首次付费骑行，至少骑行 8 分钟，至少骑行 500 米')).toBeTruthy()
  expect(screen.getByText('首骑后 48 小时发放，全额退款则不发放')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '试算' }))
  expect(await screen.findByText('45.00 元')).toBeTruthy()
  const terms = {
    inviterRewards: [{ kind: 'gift', cents: 300, validDays: 30 }],
    invitedRewards: [{ kind: 'gift', cents: 200, validDays: 30 }],
    minMinutes: 8,
    minMetres: 500,
    waitHours: 48,
    bindDays: 7,
    rideDays: 30,
    refuseSameDevice: true,
    refuseSamePayer: true,
    refuseSamePerson: false,
    depthMax: 3,
  }
  expect(tried).toMatchObject([{ agentId: 3, weeks: 4, terms }])
  fireEvent.click(screen.getByRole('button', { name: '保存为草稿' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ agentId: 3, common: { name: '老带新', riderUses: 10, riderDayUses: null }, terms })
})
