import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { userRewardEndpoints } from '@saddle/contract/marketing/userRewards.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { GiveDialog, RevokeRewardsDialog } from './dialogs.tsx'
const sent: unknown[] = []
const closed = vi.fn()
let given: { given: number; refused: number; skipped: { at: number; why: 'unknown' | 'twice' }[]; ids: number[] }
let revoked: { revoked: number[]; partly: number[]; kept: number[] }

beforeEach(async () => {
  const platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  closed.mockReset()
  platform.on(agentEndpoints.listAgentAccounts, () => ({
    suc: true,
    data: { rows: [{ agentId: 3, company: '江城出行' }] },
  }))
  const coupon = { id: 9, agentId: 3, company: '江城出行', name: '两元券', cents: 200 }
  platform.on(userRewardEndpoints.rewardChoices, () => ({
    suc: true,
    data: { coupons: [coupon], cards: [], activities: [] },
  }))
  platform.on(userRewardEndpoints.giveUserRewards, (input) => {
    sent.push(input)
    return { suc: true, data: given }
  })
  platform.on(userRewardEndpoints.revokeUserRewards, (input) => {
    sent.push(input)
    return { suc: true, data: revoked }
  })
  platform.on(userRewardEndpoints.restoreUserRewards, (input) => {
    sent.push(input)
    return { suc: true, data: { restored: [71], kept: [] } }
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

const show = (node: ReactNode) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>{node}</MemoryRouter>
    </QueryClientProvider>,
  )
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const choose = async (label: string, option: string) => {
  fireEvent.mouseDown(screen.getByRole('combobox', { name: label }))
  fireEvent.click(await screen.findByTitle(option))
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const told = () => currentToasts().map(({ title, text }) => [title, text].filter(Boolean).join(' '))

test('gives each of some riders the same rewards, and says who got none', async () => {
  given = { given: 2, refused: 0, skipped: [{ at: 1, why: 'unknown' }], ids: [71, 72] }
  show(<GiveDialog onClose={closed} />)
  await screen.findByLabelText('手机号')
  expect(button('发放给 0 人').disabled, 'nobody is named').toBe(true)
  type('手机号', '13900000001 139')
  expect(screen.getAllByText('139 不是手机号').length).toBeGreaterThan(0)
  type('手机号', '13900000001，13900000002')
  await choose('奖励 1 优惠券', '两元券')
  type('奖励 1 张数', '11')
  expect(screen.getAllByText('张数应为 1 至 10').length).toBeGreaterThan(0)
  type('奖励 1 张数', '2')
  fireEvent.click(button('添加奖励'))
  await choose('奖励 2 奖励类型', '赠送余额')
  type('奖励 2 赠送金额', '1.5')
  fireEvent.click(button('投诉补偿'))
  fireEvent.click(button('发放给 2 人'))
  await waitFor(() => expect(closed).toHaveBeenCalledOnce())
  expect(sent).toEqual([
    {
      agentId: 3,
      phones: ['13900000001', '13900000002'],
      rewards: [
        { kind: 'coupon', templateId: 9, count: 2 },
        { kind: 'gift', cents: 150, validDays: 30 },
      ],
      note: '投诉补偿',
    },
  ])
  expect(told()).toEqual(['已发放 2 项奖励', '1 人没有发放 没有这位用户'])
})

test('says that rewards could not be given', async () => {
  given = { given: 0, refused: 1, skipped: [], ids: [71] }
  show(<GiveDialog onClose={closed} />)
  await screen.findByLabelText('手机号')
  type('手机号', '13900000001')
  await choose('奖励 1 奖励类型', '赠送余额')
  type('奖励 1 赠送金额', '1')
  fireEvent.click(button('活动补发'))
  fireEvent.click(button('发放给 1 人'))
  await waitFor(() => expect(told()).toEqual(['已发放 0 项奖励', '1 项未能发放 原因见列表']))
})

test('takes rewards back with a reason, says what stays, and offers to give back those that were whole', async () => {
  revoked = { revoked: [71, 72], partly: [72], kept: [73] }
  const done = vi.fn()
  show(<RevokeRewardsDialog ids={[71, 72, 73]} onClose={closed} onDone={done} />)
  expect(button('收回 3 项奖励').disabled, 'no reason is given').toBe(true)
  fireEvent.click(button('误发'))
  fireEvent.click(button('收回 3 项奖励'))
  await waitFor(() => expect(done).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ ids: [71, 72, 73], reason: '误发' }])
  expect(told()).toEqual(['已收回 2 项奖励', '1 项已使用一部分 只收回剩余部分', '1 项未收回 已全部使用或失效'])
  const [toast] = currentToasts()
  expect(toast?.action?.label).toBe('撤销')
  toast?.action?.run()
  await waitFor(() => expect(sent.at(-1)).toEqual({ ids: [71] }))
})

test('offers no undo where riders have used a part of everything', async () => {
  revoked = { revoked: [71], partly: [71], kept: [] }
  show(<RevokeRewardsDialog ids={[71]} onClose={closed} />)
  fireEvent.click(button('违反活动规则'))
  fireEvent.click(button('收回 1 项奖励'))
  await waitFor(() => expect(told()).toEqual(['已收回 1 项奖励', '1 项已使用一部分 只收回剩余部分']))
  expect(currentToasts()[0]?.action).toBeUndefined()
})
