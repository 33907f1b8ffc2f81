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

test('late writes of its own lead nothing, and none of them brings an earlier vehicle back', () => {
  location.hash = `#${path}`
  const states: MapLinkState[] = []
  const element = <Probe told={(state) => states.push(state)} />
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] })
  render(<RouterProvider router={router} />)
  const first = states.at(-1)?.outside
  act(() => {
    states.at(-1)?.change({ vehicle: 'SD100001' })
    states.at(-1)?.change({ vehicle: 'SD100002' })
    // Built from what is wanted, not from what is shown.
    states.at(-1)?.edit((now) => new URLSearchParams([...now, ['layers', 'fences']]))
  })
  expect(router.state.location.search).toBe('?vehicle=SD100002&layers=fences')
  expect(states.at(-1)?.outside).toBe(first)
  act(() => void router.navigate(`${path}?vehicle=SD100009`))
  expect(states.at(-1)?.outside.vehicle).toBe('SD100009')
  act(() => states.at(-1)?.change({ view: { lng: 120, lat: 31, zoom: 14 } }))
  expect(router.state.location.search).toContain('vehicle=SD100009')
})
