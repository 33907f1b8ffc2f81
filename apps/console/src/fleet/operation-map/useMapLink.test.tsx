import { act, cleanup, render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useMapLink, type MapLinkState } from './useMapLink.ts'

const path = '/vehicle/operation-map'

function Probe({ told }: { readonly told: (state: MapLinkState) => void }) {
  told(useMapLink())
  return null
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  cleanup()
  location.hash = ''
})

test('a late write of the link does not undo leaving the map', () => {
  location.hash = `#${path}`
  const states: MapLinkState[] = []
  const element = <Probe told={(state) => states.push(state)} />
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] })
  render(<RouterProvider router={router} />)
  const write = (vehicle: string): void => {
    act(() => states.at(-1)?.change({ vehicle }, 400))
  }
  write('SD100001')
  // The address has moved on; the next page is still being fetched.
  location.hash = '#/account'
  act(() => void vi.advanceTimersByTime(400))
  expect(router.state.location.search).toBe('')
  location.hash = `#${path}`
  write('SD100002')
  act(() => void vi.advanceTimersByTime(400))
  expect(router.state.location.search).toBe('?vehicle=SD100002')
})
