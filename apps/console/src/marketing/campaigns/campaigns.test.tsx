import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { campaignEndpoints } from '@saddle/contract/marketing/campaigns.ts'
import { couponEndpoints } from '@saddle/contract/marketing/coupons.ts'
import { effectEndpoints, type Effect } from '@saddle/contract/marketing/effects.ts'
import { segmentEndpoints, segmentTermsSchema } from '@saddle/contract/marketing/segments.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { EffectView } from '../effects/EffectView.tsx'
import SegmentFormPage from '../segments/SegmentFormPage.tsx'
import CampaignFormPage from './CampaignFormPage.tsx'
const sent: unknown[] = []
const sized: unknown[] = []
let effect: Effect

const page = { nextCursor: null, count: 1, isCountCut: false }

beforeEach(async () => {
  const platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  sized.length = 0
  platform.on(areaEndpoints.listServiceAreas, () => ({
    suc: true,
    data: { list: [{ id: 31, name: '老城', agentId: 3, centre: { lat: 31, lng: 120 } }], count: 1 },
  }))
  platform.on(agentEndpoints.listAgentAccounts, () => ({
    suc: true,
    data: { rows: [{ agentId: 3, company: '江城出行' }] },
  }))
  platform.on(couponEndpoints.listCouponTemplates, () => ({ suc: true, data: { ...page, list: [], count: 0 } }))
  platform.on(segmentEndpoints.riderTags, () => ({ suc: true, data: { list: [{ tag: '校园', riders: 7 }] } }))
  platform.on(segmentEndpoints.sizeSegment, (input) => {
    sized.push(input)
    return { suc: true, data: { size: 250, riders: 1_000 } }
  })
  platform.on(segmentEndpoints.createSegment, (input) => {
    sent.push(input)
    return { suc: true, data: { id: 1, version: 1, size: 250 } }
  })
  const at = Date.UTC(2026, 10, 22)
  platform.on(segmentEndpoints.listSegments, () => ({
    suc: true,
    data: {
      ...page,
      list: [
        {
          id: 9,
          agentId: 3,
          company: '江城出行',
          name: '流失',
          state: 'on',
          version: 1,
          terms: segmentTermsSchema.parse({ name: '流失' }),
          size: 250,
          sizedAt: at,
          campaigns: 0,
          createdAt: at,
          changedAt: at,
          changedBy: '周可',
        },
      ],
    },
  }))
  platform.on(campaignEndpoints.createCampaign, (input) => {
    sent.push(input)
    return { suc: true, data: { id: 1, version: 1 } }
  })
  platform.on(effectEndpoints.marketingEffect, () => ({ suc: true, data: effect }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const show = (node: ReactNode, at = '/') =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[at]}>{node}</MemoryRouter>
    </QueryClientProvider>,
  )

test('a segment shows its size while its conditions are typed, and is sent with them', async () => {
  show(<SegmentFormPage />)
  await screen.findByLabelText('名称')
  expect(await screen.findByText('符合条件 250 人，占全部用户的 25.0%')).toBeTruthy()
  type('名称', '老用户')
  type('距最近骑行至少选填', '30')
  await waitFor(() => expect(sized.at(-1)).toMatchObject({ agentId: 3, terms: { idleMin: 30 } }))
  fireEvent.click(screen.getByRole('button', { name: '新增人群' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ agentId: 3, terms: { name: '老用户', idleMin: 30, idleMax: null, ridden: 'any' } })
})

test('a campaign shows the message as a rider reads it, and is kept as a draft', async () => {
  show(<CampaignFormPage />, '/?segment=9')
  await screen.findByLabelText('名称')
  type('名称', '召回')
  fireEvent.click(screen.getByLabelText('应用内消息'))
  type('标题', '好久不见')
  type('内容', '回来骑车吧')
  expect(screen.getByText('好久不见')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '保存为草稿' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    agentId: 3,
    terms: { segmentId: 9, channel: 'message', templateId: null, title: '好久不见', holdoutPercent: 10 },
  })
})

test('the effect is told with its interval, and where riders are too few it says so', async () => {
  const rides = { treated: 3.2, heldOut: 3, difference: 0.2, low: 0.05, high: 0.35 }
  effect = {
    verdict: 'up',
    treatedRiders: 1_000,
    heldOutRiders: 100,
    rides,
    cents: { ...rides, difference: 30, low: 10, high: 50 },
    extraRides: { value: 200, low: 50, high: 350 },
    costCents: 20_000,
    costPerRideCents: { value: 100, low: 57, high: 400 },
    from: 0,
    to: 1,
  }
  show(<EffectView of="campaign" id={1} onOpen={() => {}} />)
  expect(await screen.findByText('确有提升')).toBeTruthy()
  expect(screen.getByText('每位用户多骑 0.05 至 0.35 次（98% 区间）', { exact: false })).toBeTruthy()
  expect(screen.getByText('1.00 元（0.57 至 4.00）')).toBeTruthy()
  cleanup()
  queryClient.clear()
  effect = { ...effect, verdict: 'few', costPerRideCents: null }
  show(<EffectView of="campaign" id={1} onOpen={() => {}} />)
  expect(await screen.findByText('用户还不够多')).toBeTruthy()
  expect(screen.queryByText('多出的骑行')).toBeNull()
})
