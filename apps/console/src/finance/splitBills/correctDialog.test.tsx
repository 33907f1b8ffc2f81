import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { SplitBill } from '@saddle/contract/finance/splitBills.ts'
import { clearToasts, currentToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import { logIn, withPlatform } from '#test/session.ts'
import CorrectDialog from './CorrectDialog.tsx'

const bill = { id: 71, agentId: 3, day: '2026-11-20', areaId: 31, areaName: '城北' } as SplitBill
const sent: unknown[] = []
const onClose = vi.fn<() => void>()

beforeEach(async () => {
  const platform = await withPlatform()
  logIn(platform)
  sent.length = 0
  onClose.mockReset()
  platform.on(endpoints.correctSplitBill, (input) => {
    sent.push(input)
    return { suc: true, data: { actId: 9 } }
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  clearToasts()
})

test('a correction is submitted once, and says that another person has to confirm it', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <CorrectDialog bill={bill} onClose={onClose} />
    </QueryClientProvider>,
  )
  expect(screen.getByText(/确认前不动用资金/)).toBeTruthy()
  fireEvent.change(screen.getByLabelText(/^金额/), { target: { value: '100000.01' } })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^提交/ }).disabled).toBe(true)
  fireEvent.change(screen.getByLabelText(/^金额/), { target: { value: '12.5' } })
  fireEvent.click(screen.getByLabelText('冲减收入'))
  fireEvent.click(screen.getByRole('button', { name: '重复扣费' }))
  const submit = screen.getByRole<HTMLButtonElement>('button', { name: '提交冲减 12.50 元' })
  act(() => {
    submit.click()
    submit.click()
  })
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent).toEqual([{ id: 71, cents: -1_250, reason: '重复扣费' }])
  expect(currentToasts().map(({ text }) => text)).toEqual(['更正已提交，在“更正复核”中待另一人确认'])
})
