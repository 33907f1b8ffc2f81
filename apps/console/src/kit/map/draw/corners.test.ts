import { describe, expect, it } from 'vitest'
import { boundaryProblem } from '@saddle/contract/organisation/boundary.ts'
import { areaKm2Of } from '@saddle/geo/ring.ts'
import {
  boundsOf,
  cornersOf,
  draftAround,
  draftIn,
  inserted,
  middlesOf,
  moved,
  parseCorners,
  removed,
  ringOf,
  textOf,
  type Corners,
} from './corners.ts'

const triangle: Corners = [
  [120, 31],
  [120.1, 31],
  [120.1, 31.1],
]

describe('a boundary while it is drawn', () => {
  it('is closed for the server and opened for the editor', () => {
    expect(ringOf(triangle)).toEqual([
      [120, 31],
      [120.1, 31],
      [120.1, 31.1],
      [120, 31],
    ])
    expect(cornersOf(ringOf(triangle))).toEqual(triangle)
    expect(ringOf([])).toEqual([])
  })

  it('gains, moves and loses corners, but never its last three', () => {
    const four = inserted(triangle, 2, [120.0500001234, 31.1])
    expect(four[3]).toEqual([120.05, 31.1])
    expect(moved(four, 3, [120.04, 31.09])[3]).toEqual([120.04, 31.09])
    expect(removed(four, 3)).toEqual(triangle)
    expect(removed(triangle, 0)).toEqual(triangle)
    expect(middlesOf(triangle)[2]).toEqual([120.05, 31.05])
  })

  it('begins as a draft that could be saved', () => {
    const round = draftAround({ lng: 120, lat: 31 }, 1_500)
    expect(boundaryProblem(ringOf(round))).toBeNull()
    expect(areaKm2Of(ringOf(round))).toBeCloseTo(2 * Math.SQRT2 * 1.5 ** 2, 2)
    const box = draftIn({ west: 120, south: 31, east: 120.1, north: 31.1 })
    expect(boundsOf(box)).toEqual({ west: 120.02, south: 31.02, east: 120.08, north: 31.08 })
  })
})

describe('corners as text', () => {
  it('come back as they were', () => {
    expect(parseCorners(textOf(triangle))).toEqual(triangle)
    expect(parseCorners(`${textOf(triangle)}\n120,31\n`)).toEqual(triangle)
    expect(parseCorners('[120, 31],\n[120.1, 31],\n[120.1, 31.1]')).toEqual(triangle)
    expect(parseCorners('120 31\n120.1，31\n120.1,31.1')).toEqual(triangle)
  })

  it('may be a GeoJSON polygon, bare or in a feature', () => {
    const geometry = { type: 'Polygon', coordinates: [ringOf(triangle)] }
    expect(parseCorners(JSON.stringify(geometry))).toEqual(triangle)
    expect(parseCorners(JSON.stringify({ type: 'Feature', geometry }))).toEqual(triangle)
  })

  it('that are none are refused whole', () => {
    const wrong = ['', 'x', '120,31', '120,31\n120.1,31\nthere', '{', '{"type":"Point","coordinates":[1,2]}']
    expect(wrong.map(parseCorners)).toEqual(wrong.map(() => null))
  })
})
