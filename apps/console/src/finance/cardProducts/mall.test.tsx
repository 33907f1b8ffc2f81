import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MemoryRouter } from 'react-router'
import { cardProductEndpoints } from '@saddle/contract/finance/cardProducts.ts'
import { cardTermsSchema } from '@saddle/contract/finance/cardTerms.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { cardPreviewEndpoints } from '@saddle/contract/riding/cardPreview.ts'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { logIn, withPlatform } from '#test/session.ts'
import MallPage from './MallPage.tsx'
import { differences } from './words.ts'
const sent: unknown[] = []
const week = cardTermsSchema.parse({ kind: 'riding', name: '周卡', priceCents: 990, days: 7, freeMinutes: 30 })
const product = (id: number, name: string) => ({
  id,
  agentId: 3,
  company: '江城出行',
  kind: 'riding' as const,
  name,
  state: 'on' as const,
  shelf: 'on' as const,
  version: 1,
  terms: { ...week, name },
  priceCents: 990,
  place: id,
  sold: 0,
  left: null,
  activeCards: 0,
  soldCards: 0,
  givenCards: 0,
  salesCents: 0,
  refundedCents: 0,
  createdAt: 0,
  changedAt: 0,
  changedBy: '周可',
})

beforeEach(async () => {
  const platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  const centre = { lat: 31, lng: 120 }
  platform.on(areaEndpoints.listServiceAreas, () => ({
    suc: true,
    data: { list: [{ id: 31, name: '老城', agentId: 3, centre }], count: 1 },
  }))
  platform.on(agentEndpoints.listAgentAccounts, () => ({
    suc: true,
    data: { rows: [{ agentId: 3, company: '江城出行' }] },
  }))
  platform.on(cardProductEndpoints.listCardProducts, () => ({
    suc: true,
    data: { list: [product(1, '周卡'), product(2, '月卡')], nextCursor: null, count: 2, isCountCut: false },
  }))
  platform.on(cardProductEndpoints.createCardProduct, (input) => {
    sent.push(input)
    return { suc: true, data: { id: 3, version: 1 } }
  })
  platform.on(cardProductEndpoints.orderCardProducts, (input) => {
    sent.push(input)
    return { suc: true, data: { ids: [2, 1] } }
  })
  platform.on(cardPreviewEndpoints.previewCard, () => ({
    suc: true,
    data: {
      weeks: 4,
      rides: 90,
      isCut: false,
      riders: 12,
      paidCents: 9_000,
      gainers: 3,
      savedCents: 5_000,
      cardsCents: 2_970,
      ridesToGain: 6,
      groups: [{ from: 1, to: 2, riders: 9, gainers: 0, savedCents: 200, cardsCents: 500 }],
    },
  }))
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

const open = (search: string) =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[`/marketing/mall-config${search}`]}>
        <MallPage />
      </MemoryRouter>
    </QueryClientProvider>,
  )
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

test('the form shows the card on a phone, tries it on past weeks and sends its terms', async () => {
  open('?view=new')
  await screen.findByLabelText('名称')
  expect(screen.getByText('填写完整后在此预览')).toBeTruthy()
  expect(screen.queryByLabelText(/优惠比例/), 'of discount cards').toBeNull()
  type('名称', '五次卡')
  type('售价', '9.9')
  type('划线价选填', '15')
  fireEvent.click(screen.getByLabelText(/按次/))
  type('总次数', '5')
  type('有效天数', '30')
  type('每次免费分钟', '30')
  type('总库存选填', '8')
  const side = within(screen.getByRole('complementary', { name: '预览' }))
  expect(await side.findByText('5 次，30 天内有效')).toBeTruthy()
  expect(side.getByText('¥15.00')).toBeTruthy()
  expect(side.getByText('仅剩 8 张')).toBeTruthy()
  fireEvent.click(side.getByText('试算'))
  expect(await side.findByText('买卡划算的人')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '新增并上架' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({
    agentId: 3,
    isDraft: false,
    terms: { name: '五次卡', priceCents: 990, wasPriceCents: 1_500, rides: 5, days: 30, freeMinutes: 30, stock: 8 },
  })
})

test('the shelf is put in order with buttons', async () => {
  open('?view=order')
  const down = await screen.findByRole('button', { name: '下移“周卡”' })
  const save = screen.getByRole<HTMLButtonElement>('button', { name: '保存货架顺序' })
  expect(save.disabled).toBe(true)
  fireEvent.click(down)
  fireEvent.click(save)
  await waitFor(() => expect(sent).toEqual([{ agentId: 3, ids: [2, 1] }]))
})

test('a version says what it changed', () => {
  expect(differences(week, { ...week, priceCents: 1_200, stock: 50 }, new Map())).toEqual([
    '售价 9.90 → 12.00',
    '总库存 不限 → 50',
  ])
})
