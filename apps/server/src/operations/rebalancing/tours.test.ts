import { expect, it } from 'vitest'
import { stopsOf } from './tours.ts'

const place = (id: number) => ({ id, name: `place ${id}`, lat: 31, lng: 120 + id / 100 })
const area = { places: [place(10), place(11), place(12)] } as unknown as Parameters<typeof stopsOf>[0]['area']
const moves = [
  { from: 0, to: 1, carried: [1, 2, 3] },
  { from: 0, to: 2, carried: [4, 5] },
] as unknown as Parameters<typeof stopsOf>[0]['chosen']['moves']

it('gives each stop its vehicles, a place that is come back to those that are left of it', () => {
  const stops = [
    { place: 0, load: 3 },
    { place: 1, load: -3 },
    { place: 0, load: 2 },
    { place: 2, load: -2 },
  ]
  const made = stopsOf({ area, chosen: { moves }, route: { stops }, carried: new Set([1, 2, 3, 4, 5]) })
  expect(made.map(({ fenceId, load, vehicleIds }) => [fenceId, load, vehicleIds])).toEqual([
    [10, 3, [1, 2, 3]],
    [11, -3, [1, 2, 3]],
    [10, 2, [4, 5]],
    [12, -2, [4, 5]],
  ])
})

it('leaves out what got no task, and a stop without anything to do', () => {
  const stops = [
    { place: 0, load: 5 },
    { place: 1, load: -3 },
    { place: 2, load: -2 },
  ]
  const made = stopsOf({ area, chosen: { moves }, route: { stops }, carried: new Set([2, 3]) })
  expect(made.map(({ fenceId, load, vehicleIds }) => [fenceId, load, vehicleIds])).toEqual([
    [10, 2, [2, 3]],
    [11, -2, [2, 3]],
  ])
})
