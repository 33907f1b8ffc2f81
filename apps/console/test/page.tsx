import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach } from 'vitest'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { queryClient } from '#kit/query.ts'
import type { FakePlatform } from './fakePlatform.ts'
import { logIn, withPlatform } from './session.ts'

/** For the tests of a page: somebody is logged in before each, and nothing is left of the page after it. */
export function pageTests() {
  // On a busy machine the first render takes longer than the default limit of one second.
  configure({ asyncUtilTimeout: 10_000 })
  let platform: FakePlatform | null = null
  const present = (): FakePlatform => {
    if (platform === null) throw new Error('a platform stands from the beginning of a test')
    return platform
  }
  beforeEach(async () => {
    platform = await withPlatform()
    logIn(platform)
  })
  afterEach(() => {
    cleanup()
    queryClient.clear()
  })
  return {
    /** Answers a call from now on. */
    on: (...answer: Parameters<FakePlatform['on']>): void => present().on(...answer),
    /** What the page sent by a call, in order. */
    sent: ({ method, path }: Pick<Endpoint, 'method' | 'path'>): unknown[] =>
      present()
        .heard.filter(({ key }) => key === `${method} ${path}`)
        .map(({ input }) => input),
    show(page: ReactNode, address = '/'): void {
      render(
        <QueryClientProvider client={queryClient}>
          <MemoryRouter initialEntries={[address]}>{page}</MemoryRouter>
        </QueryClientProvider>,
      )
    },
  }
}
