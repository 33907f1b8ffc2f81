import type { FeatureCollection } from 'geojson'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { ReturnKind } from '@saddle/contract/riding/price.ts'
import { outcomeOf, ReturnDots } from './ReturnDots.tsx'

// The environment has no WebGL: what is given to the map is looked at instead.
const map = vi.hoisted(() => ({ data: null as FeatureCollection | null }))
vi.mock('#kit/map/GeoLayers.tsx', () => ({
  GeoLayers: ({ data }: { data: FeatureCollection }) => {
    map.data = data
    return null
  },
}))
afterEach(cleanup)

const point = (before: ReturnKind, after: ReturnKind) => ({ lat: 31.3, lng: 120.6, before, after })

it.each([
  ['in_place', 'in_place', 'free'],
  ['unknown', 'in_place', 'free'],
  ['in_place', 'out_of_place', 'charged'],
  ['no_stop', 'in_place', 'freed'],
  ['out_of_place', 'no_stop', 'same'],
] as const)('a return that was %s and would be %s is %s', (before, after, outcome) => {
  expect(outcomeOf(point(before, after))).toBe(outcome)
})

it('names only the colours that are on the map', () => {
  render(<ReturnDots points={[point('in_place', 'out_of_place'), point('in_place', 'in_place')]} />)
  expect(map.data?.features.map(({ properties }) => properties?.['outcome'])).toEqual(['charged', 'free'])
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['仍免费', '变为收费'])
})

it('draws nothing without returns', () => {
  map.data = null
  const { container } = render(<ReturnDots points={[]} />)
  expect([map.data, container.textContent]).toEqual([null, ''])
})
