import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MemoryRouter } from 'react-router'
import { cardProductEndpoints } from '@saddle/contract/finance/cardProducts.ts'
import { depositSettingEndpoints, type DepositArea } from '@saddle/contract/finance/depositSettings.ts'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { DepositDialog } from './DepositDialog.tsx'
const sent: unknown[] = []
const area: DepositArea = {
  areaId: 31,
  areaName: '老城',
  agentId: 3,
  company: '江城出行',
  source: 'area',
  cents: 9_900,
  freeStudents: true,
  freeProfessions: false,
  freeCardHolders: false,
  freeProductIds: [],
  authorName: '周可',
  createdAt: 0,
}

beforeEach(async () => {
  const platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  platform.on(cardProductEndpoints.listCardProducts, () => ({
    suc: true,
    data: { list: [], nextCursor: null, count: 0, isCountCut: false },
  }))
  platform.on(depositSettingEndpoints.previewDeposit, () => ({
    suc: true,
    data: {
      riders: 20,
      isCut: false,
      now: { exempt: 5, paid: 15, mustPay: 0, missingCents: 0 },
      after: { exempt: 5, paid: 3, mustPay: 12, missingCents: 60_000 },
    },
  }))
  platform.on(depositSettingEndpoints.setDeposit, (input) => {
    sent.push(input)
    return { suc: true, data: { areas: 1 } }
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

test('a deposit above the bound is refused with the reason; below it, it says whom it affects', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <DepositDialog target={{ kind: 'areas', areas: [area] }} maxCents={25_000} onClose={() => {}} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const amount = await screen.findByLabelText('押金')
  expect(screen.getByText('押金 99.00 元')).toBeTruthy()
  fireEvent.change(amount, { target: { value: '300' } })
  fireEvent.blur(amount)
  expect((await screen.findAllByText(/不能超过 250.00 元/)).length).toBeGreaterThan(0)
  fireEvent.change(amount, { target: { value: '150' } })
  fireEvent.click(screen.getByLabelText('通过职业认证的免押金'))
  expect(screen.getByText('免押：学生认证、职业认证')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '看看影响多少人' }))
  expect(await screen.findByText('600.00')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '保存到 1 个服务区' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toMatchObject({ areaIds: [31], cents: 15_000, freeStudents: true, freeProfessions: true })
})
