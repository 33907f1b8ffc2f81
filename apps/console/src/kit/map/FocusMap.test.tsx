import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { MapContext, type MapAccess } from './context.ts'
import { Focus } from './FocusMap.tsx'

afterEach(cleanup)

it('flies to a place that changes, and to the same place when a person asks for it again', () => {
  const fitBounds = vi.fn<(bounds: readonly number[]) => void>()
  const access = { map: { fitBounds } } as unknown as MapAccess
  const road = { west: 120.7, south: 31.25, east: 120.71, north: 31.29 }
  const shown = (asked: number) => (
    <MapContext value={access}>
      <Focus bounds={{ ...road }} asked={asked} />
    </MapContext>
  )
  const { rerender } = render(shown(1))
  rerender(shown(1))
  expect(fitBounds).toHaveBeenCalledTimes(1)
  rerender(shown(2))
  expect(fitBounds).toHaveBeenCalledTimes(2)
})
