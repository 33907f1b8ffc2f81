import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { MapContext, type MapAccess } from './context.ts'
import { MapControls, MapScale } from './MapControls.tsx'

afterEach(cleanup)

function fakeMap(zoom: number) {
  const listeners = new Map<string, () => void>()
  const map = {
    zoomIn: vi.fn<() => void>(),
    zoomOut: vi.fn<() => void>(),
    fitBounds: vi.fn<(bounds: unknown, options: unknown) => void>(),
    getCenter: () => ({ lat: 30, lng: 120 }),
    getZoom: () => zoom,
    on: (event: string, listener: () => void) => void listeners.set(event, listener),
    off: (event: string) => void listeners.delete(event),
  }
  const access = { map, holder: {} } as unknown as MapAccess
  return { map, access, listeners, zoomTo: (next: number) => void (zoom = next) }
}

it('zooms and shows the whole city', async () => {
  const { map, access } = fakeMap(12)
  render(
    <MapContext value={access}>
      <MapControls home={{ west: 119, south: 29, east: 121, north: 31 }} />
    </MapContext>,
  )
  await userEvent.click(screen.getByRole('button', { name: '放大' }))
  await userEvent.click(screen.getByRole('button', { name: '缩小' }))
  await userEvent.click(screen.getByRole('button', { name: '显示全城' }))
  expect([map.zoomIn, map.zoomOut].map((call) => call.mock.calls.length)).toEqual([1, 1])
  expect(map.fitBounds.mock.calls[0]?.[0]).toEqual([119, 29, 121, 31])
})

it('has nothing to control before the map is there, and no city without bounds', () => {
  const { container } = render(<MapControls home={null} />)
  expect(container.textContent).toBe('')
  expect(container.querySelector('button')).toBeNull()
  render(
    <MapContext value={fakeMap(12).access}>
      <MapControls home={null} />
    </MapContext>,
  )
  expect(screen.queryByRole('button', { name: '显示全城' })).toBeNull()
})

it('shows a scale of a round distance that follows the zoom, and lets the map go', () => {
  const { access, listeners, zoomTo } = fakeMap(16)
  const { container, unmount } = render(
    <MapContext value={access}>
      <MapScale />
    </MapContext>,
  )
  const near = container.textContent
  expect(near).toMatch(/^\d+ m$/)
  act(() => {
    zoomTo(8)
    listeners.get('zoom')?.()
  })
  expect(container.textContent).toMatch(/^\d+ km$/)
  unmount()
  expect([...listeners.keys()]).toEqual([])
})
