import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MemoryRouter } from 'react-router'
import { splitRuleEndpoints, type SplitPlace } from '@saddle/contract/finance/splitRules.ts'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { logIn, withPlatform } from '#test/session.ts'
import RuleForm from './RuleForm.tsx'
const sent: unknown[] = []
const place: SplitPlace = {
  agentId: 3,
  company: '江城出行',
  areaId: 31,
  areaName: '老城',
  termsId: 1,
  inherits: false,
  terms: {
    feeBasisPoints: 60,
    feeBearer: 'company',
    parties: [{ partyId: 7, name: '平台', share: { of: 'rest', basisPoints: 1_000 } }],
  },
  firstDay: '2026-11-01',
  comingDay: null,
  reserveCents: 0,
  statementPeriod: 'month',
  canChange: true,
}

beforeEach(async () => {
  const platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  platform.on(splitRuleEndpoints.previewSplitTerms, () => ({
    suc: true,
    data: {
      firstDay: '2026-10-22',
      lastDay: '2026-11-20',
      charges: 20,
      paidCents: 10_000,
      refundedCents: 300,
      now: { feeCents: 60, borneCents: 0, parties: [{ name: '平台', cents: 1_000 }], ownerCents: 8_940 },
      after: { feeCents: 60, borneCents: 0, parties: [{ name: '平台', cents: 1_200 }], ownerCents: 8_740 },
    },
  }))
  platform.on(splitRuleEndpoints.saveSplitTerms, (input) => {
    sent.push(input)
    return { suc: true, data: { id: 2, version: 2 } }
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

test('a change says what it would have done, and is sent with its parties, first day and reason', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <RuleForm place={place} firstDay="2026-11-22" onClose={() => {}} />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  expect(await screen.findByText(/加盟商留存 90%/)).toBeTruthy()
  const percent = screen.getByLabelText('比例（%）')
  fireEvent.change(percent, { target: { value: '120' } })
  expect(await screen.findByText(/各方比例之和已超过 100%/)).toBeTruthy()
  fireEvent.change(percent, { target: { value: '12' } })
  fireEvent.click(screen.getByRole('button', { name: '用最近 30 天试算' }))
  expect(await screen.findByText('-2.00')).toBeTruthy()
  expect(screen.getByText(/20 笔收入共 100.00 元/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '合同约定' }))
  fireEvent.click(screen.getByRole('button', { name: '保存新规则' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]).toEqual({
    agentId: 3,
    areaId: 31,
    firstDay: '2026-11-22',
    reason: '合同约定',
    terms: {
      feeBasisPoints: 60,
      feeBearer: 'company',
      parties: [{ name: '平台', share: { of: 'rest', basisPoints: 1_200 } }],
    },
  })
})
