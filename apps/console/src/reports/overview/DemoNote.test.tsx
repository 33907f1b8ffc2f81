import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { overviewEndpoints } from '@saddle/contract/reports/overview.ts'
import { overrideConfig } from '#kit/config.ts'
import { queryClient } from '#kit/query.ts'
import { logIn, withPlatform } from '#test/session.ts'
import { DemoNote } from './DemoNote.tsx'

afterEach(() => {
  cleanup()
  queryClient.clear()
})

async function show(demo: boolean): Promise<{ turnTo(percent: number | null): Promise<void>; asks(): number }> {
  const platform = await withPlatform()
  logIn(platform)
  overrideConfig({ serverKey: platform.serverKey, demo })
  let now: number | null = 42
  platform.on(overviewEndpoints.readDemoProgress, () => ({ suc: true, data: { percent: now } }))
  render(
    <QueryClientProvider client={queryClient}>
      <DemoNote />
    </QueryClientProvider>,
  )
  return {
    turnTo: async (percent) => {
      now = percent
      await queryClient.refetchQueries()
    },
    asks: () => platform.heard.length,
  }
}

test('the demo says how far its past is, and nothing once it is there', async () => {
  const demo = await show(true)
  expect(await screen.findByText(/^演示数据正在生成：42%/)).not.toBeNull()
  await demo.turnTo(null)
  await waitFor(() => expect(screen.queryByText(/^演示数据正在生成/)).toBeNull())
})

test('outside of the demo nothing is asked', async () => {
  const platform = await show(false)
  expect(platform.asks()).toBe(0)
})
