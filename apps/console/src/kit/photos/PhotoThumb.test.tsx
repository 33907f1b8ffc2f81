import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'
import { queryClient } from '#kit/query.ts'
import { photo } from './photo.fixture.ts'
import { PhotoThumb } from './PhotoThumb.tsx'

/** The environment lays nothing out: the test says what has come into sight. */
let seen: IntersectionObserverCallback | null = null
const disconnect = vi.fn<() => void>()
beforeEach(() => {
  seen = null
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: IntersectionObserverCallback) {
        seen = callback
      }
      observe = () => {}
      disconnect = disconnect
    },
  )
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

const comeIntoSight = (isIntersecting: boolean) =>
  act(() => seen?.([{ isIntersecting } as IntersectionObserverEntry], {} as IntersectionObserver))

it('fetches the photos of a row once it is in sight, and shows the first with how many there are', async () => {
  const load = vi.fn<() => Promise<ShownPhoto[]>>().mockResolvedValue([photo(1), photo(2)])
  render(
    <QueryClientProvider client={queryClient}>
      <PhotoThumb load={load} of={['return', 1]} count={2} />
    </QueryClientProvider>,
  )
  comeIntoSight(false)
  expect(load).not.toHaveBeenCalled()
  comeIntoSight(true)
  expect((await screen.findByRole('img', { name: '2 张照片' })).getAttribute('src')).toBe('data:image/png;base64,AAA1')
  expect(load).toHaveBeenCalledOnce()
  expect(screen.getByText('2')).toBeTruthy()
  expect(disconnect).toHaveBeenCalled()
})
