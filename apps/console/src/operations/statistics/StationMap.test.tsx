import type { FeatureCollection } from 'geojson'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import type { Station } from '@saddle/contract/operations/statistics/stations.ts'
import StationMap from './StationMap.tsx'

// The environment has no WebGL: what is given to the map is looked at instead.
interface Given {
  data: FeatureCollection
  onPick?: (properties: Readonly<Record<string, unknown>>) => void
}
const map = vi.hoisted(() => ({ given: null as Given | null }))
vi.mock('#kit/map/FocusMap.tsx', () => ({ default: ({ children }: { children: ReactNode }) => children }))
vi.mock('#kit/map/GeoLayers.tsx', () => ({
  GeoLayers: (given: Given) => {
    map.given = given
    return null
  },
}))
afterEach(cleanup)

const station = (
  fenceId: number,
  capacity: number | null,
  stocks: number[],
  flow: [inflow: number, outflow: number],
): Station => ({
  fenceId,
  name: `${fenceId} 号点`,
  areaId: 31,
  areaName: '城北',
  lat: 31.3,
  lng: 120.6,
  capacity,
  stock: stocks.at(-1) ?? 0,
  inflow: flow[0],
  outflow: flow[1],
  emptyHours: 0,
  overfullHours: 0,
  stocks,
})
const start = Date.UTC(2026, 10, 20, 16)
const shown = () =>
  (map.given?.data.features ?? []).map(({ properties }) => [
    properties?.['fill'],
    properties?.['text'],
    properties?.['flow'],
  ])

it('shows how full each place is at the chosen hour, and which way vehicles flow', () => {
  const onShow = vi.fn<(fenceId: number) => void>()
  const list = [station(1, 4, [0, 5], [6, 1]), station(2, null, [3, 3], [2, 2]), station(3, 10, [1, 0], [0, 1])]
  render(<StationMap list={list} start={start} onShow={onShow} />)
  expect(shown(), 'at first the last hour').toEqual([
    ['over', '5/4', '▲5'],
    ['unknown', '3', ''],
    ['empty', '0/10', '▼1'],
  ])
  const slider = screen.getByRole('slider', { name: /时刻/ })
  expect(slider.getAttribute('aria-valuetext')).toBe('2026-11-21 02:00:00')
  fireEvent.change(slider, { target: { value: '0' } })
  expect(slider.getAttribute('aria-valuetext')).toBe('2026-11-21 01:00:00')
  expect(shown().map(([fill]) => fill)).toEqual(['empty', 'unknown', 'some'])
  map.given?.onPick?.({ fence: 3 })
  expect(onShow).toHaveBeenCalledExactlyOnceWith(3)
})
