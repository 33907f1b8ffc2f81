import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach } from 'vitest'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { clearToasts } from '#kit/notify.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from '#test/fakePlatform.ts'
import { logIn, withPlatform } from '#test/session.ts'

/** What forms have sent, in this test. */
export const sent: unknown[] = []
export const tried: unknown[] = []

/**
 * A person of one company with one area before each test. `answer` gives the further answers of the platform; previews go to
 * `tried`, what is kept to `sent`.
 */
export function withForms(answer: (platform: FakePlatform) => void): void {
  beforeEach(async () => {
    const platform = await withPlatform()
    logIn(platform)
    sent.length = 0
    tried.length = 0
    const centre = { lat: 31, lng: 120 }
    platform.on(areaEndpoints.listServiceAreas, () => ({
      suc: true,
      data: { list: [{ id: 31, name: '老城', agentId: 3, centre }], count: 1 },
    }))
    platform.on(agentEndpoints.listAgentAccounts, () => ({
      suc: true,
      data: { rows: [{ agentId: 3, company: '江城出行' }] },
    }))
    answer(platform)
  })
  afterEach(() => {
    cleanup()
    queryClient.clear()
    clearToasts()
  })
}

/** A page at an address of the console. */
export function renderAt(address: string, page: ReactNode): void {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[address]}>{page}</MemoryRouter>
    </QueryClientProvider>,
  )
}

export const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

/** Chooses an option of a select by its label; the options are drawn while it is open. */
export async function choose(label: string, option: string): Promise<void> {
  fireEvent.mouseDown(screen.getByRole('combobox', { name: label }))
  // The list that was opened last stands last.
  const found = await screen.findAllByTitle(option)
  fireEvent.click(found.at(-1) ?? document.body)
}
