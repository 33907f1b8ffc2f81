import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import App from 'antd/es/app'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { Ban } from '@saddle/contract/rider/bans.ts'
import type { RiderDetail } from '@saddle/contract/rider/riders.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { overridePermissions } from '#kit/session/permissions.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, somebody, withPlatform } from '#test/session.ts'
import RiderPage from './RiderPage.tsx'

// Parts of the page are loaded when they are shown, which takes its time on a busy machine.

const nowMs = 1_800_000_000_000
const ban: Ban = {
  id: 5,
  riderId: 1042,
  reason: '恶意损坏车锁',
  begunAt: nowMs,
  until: null,
  by: '周可',
  state: 'active',
  liftedAt: null,
  liftedBy: null,
  liftReason: '',
}
let platform: FakePlatform
let detail: RiderDetail
const asked: unknown[] = []

beforeEach(async () => {
  platform = await withPlatform()
  logIn(platform)
  asked.length = 0
  detail = {
    rider: {
      id: 1042,
      agentId: somebody.agentId,
      company: '江城出行',
      phone: '137****0001',
      name: '王**',
      state: 'active',
      certified: true,
      banned: false,
      certificateKind: 'student',
      registeredAt: nowMs,
      lastActiveAt: nowMs,
      balanceCents: 1_250,
      giftCents: 0,
      depositCents: 19_900,
    },
    certNumber: '9901**********0106',
    certifiedAt: nowMs,
    closedAt: null,
    frozenDepositCents: 0,
    orders: 3,
    dueOrders: 1,
    ban: null,
    bans: [],
    certificates: [],
    rebinds: [],
    devices: [],
    reveals: [],
    elsewhere: [{ id: 7, company: '下级公司', banned: true }],
  }
  platform.on(endpoints.riderDetail, () => ({ suc: true, data: detail }))
  platform.on(endpoints.riderTimeline, () => ({ suc: true, data: { list: [], nextBefore: null } }))
  platform.on(endpoints.riderOrders, () => ({
    suc: true,
    data: { list: [], nextCursor: null, count: 0, isCountCut: false },
  }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

function show(permissions: readonly string[]): void {
  overridePermissions(permissions)
  render(
    <QueryClientProvider client={queryClient}>
      <App>
        <MemoryRouter initialEntries={['/user-info-detail?rider=1042']}>
          <RiderPage />
        </MemoryRouter>
      </App>
    </QueryClientProvider>,
  )
}

test('shows what everybody may know, and no act that is not permitted', async () => {
  show(['07', '070101'])
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toContain('王** 137****0001')
  expect(screen.getByText('1 单待支付')).toBeTruthy()
  expect(screen.getByRole('link', { name: /下级公司 7/ }).getAttribute('href')).toContain('rider=7')
  expect(screen.queryByRole('button', { name: '查看完整手机号' })).toBeNull()
  expect(screen.queryByRole('button', { name: '加入黑名单' })).toBeNull()
})

test('shows a whole number for a reason only', async () => {
  platform.on(endpoints.revealPhone, (input) => {
    asked.push(input)
    return { suc: true, data: { phone: '13700000001' } }
  })
  show(['07', '070101', '07010101'])
  fireEvent.click(await screen.findByRole('button', { name: '查看完整手机号' }))
  const submit = await screen.findByRole('button', { name: '查看' })
  fireEvent.click(submit)
  expect(asked).toEqual([])
  fireEvent.change(screen.getByLabelText('查看原因'), { target: { value: '骑行者来电核对' } })
  fireEvent.click(submit)
  expect(await screen.findByText('13700000001')).toBeTruthy()
  expect(asked).toEqual([{ riderId: 1042, reason: '骑行者来电核对' }])
})

test('lifts a ban, and puts it back as it was', async () => {
  detail = { ...detail, ban, bans: [ban] }
  platform.on(endpoints.liftBans, (input) => {
    asked.push(input)
    return { suc: true, data: { lifted: [{ ...ban, state: 'over', liftedAt: nowMs }] } }
  })
  platform.on(endpoints.banRiders, (input) => {
    asked.push(input)
    return { suc: true, data: { banned: [1042] } }
  })
  show(['07', '08'])
  expect(await screen.findByText('不能预约和开锁：恶意损坏车锁')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '移出黑名单' }))
  await waitFor(() => expect(currentToasts()).toHaveLength(1))
  currentToasts()[0]?.action?.run()
  await waitFor(() => expect(asked).toHaveLength(2))
  expect(asked).toMatchObject([{ riderIds: [1042] }, { riderIds: [1042], reason: '恶意损坏车锁' }])
})
