import { describe, expect, it } from 'vitest'
import { shapeProblem } from '@saddle/contract/geography/shape.ts'
import type { Corners } from './corners.ts'
import { merged, splitBy } from './cut.ts'
import {
  areaOf,
  asPolygon,
  centreOf,
  circleTo,
  dragged,
  polygonOf,
  rimOf,
  shapeOf,
  sketchOf,
  withHole,
  withoutCorner,
} from './sketch.ts'
import { snapped } from './snap.ts'

const box = (west: number, south: number, size = 0.01): Corners => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
]
const square = polygonOf(box(120, 31))

describe('a sketch', () => {
  it('goes to a fence and back, holes and circles too', () => {
    const holed = withHole(square, box(120.004, 31.004, 0.002))
    for (const sketch of [square, holed, circleTo([120, 31], [120.001, 31])]) {
      expect(shapeProblem(shapeOf(sketch))).toBeNull()
      expect(sketchOf(shapeOf(sketch))).toEqual(sketch)
    }
    expect(areaOf(holed)).toBeLessThan(areaOf(square))
  })

  it('follows its handles', () => {
    const pulled = dragged(square, { kind: 'middle', line: 0, index: 0 }, [120.005, 30.99])
    expect(pulled.kind === 'polygon' && pulled.lines[0]?.[1]).toEqual([120.005, 30.99])
    const all = dragged(square, { kind: 'centre' }, [121.005, 31.005])
    expect(all.kind === 'polygon' && all.lines[0]).toEqual(polygonOf(box(121, 31)).lines[0])
    const round = circleTo([120, 31], [120.001, 31])
    expect(dragged(round, { kind: 'rim' }, rimOf({ ...round, radiusM: 50 }))).toEqual({ ...round, radiusM: 50 })
    expect(centreOf(dragged(round, { kind: 'centre' }, [120.5, 31]))).toEqual([120.5, 31])
  })

  it('keeps three corners around it, but loses a hole that would have two', () => {
    const holed = withHole(square, box(120.004, 31.004, 0.002).slice(0, 3))
    expect(withoutCorner(holed, { line: 1, index: 0 }).lines).toHaveLength(1)
    const three = withoutCorner(square, { line: 0, index: 0 })
    expect(withoutCorner(three, { line: 0, index: 0 }).lines[0]).toHaveLength(3)
  })
})

describe('drawing to lines', () => {
  const reach = { lng: 0.0005, lat: 0.0005 }
  const line = [...box(120, 31), [120, 31] as const]

  it('prefers a corner to an edge, and leaves what is far where it is', () => {
    expect(snapped([120.0003, 31.0002], [line], reach)).toEqual([120, 31])
    expect(snapped([120.005, 31.0002], [line], reach)).toEqual([120.005, 31])
    expect(snapped([120.005, 31.005], [line], reach)).toEqual([120.005, 31.005])
  })
})

describe('cutting and joining', () => {
  it('cuts in two along a line that need not reach the edge exactly', () => {
    const pieces = splitBy(square, [
      [120.004, 31.002],
      [120.004, 31.008],
    ])
    expect(pieces).toHaveLength(2)
    const sum = pieces.reduce((total, piece) => total + areaOf(piece), 0)
    expect(sum / areaOf(square)).toBeCloseTo(1, 6)
    expect(areaOf(pieces[0]!) / areaOf(square)).toBeCloseTo(0.6, 4)
    expect(pieces.map((piece) => shapeProblem(shapeOf(piece)))).toEqual([null, null])
    expect(
      splitBy(asPolygon(circleTo([120, 31], [120.001, 31])), [
        [119, 31],
        [121, 31.00001],
      ]),
    ).toHaveLength(2)
  })

  it('leaves a shape whole where the line passes beside it', () => {
    const beside: Corners = [
      [120.02, 31],
      [120.02, 31.01],
    ]
    expect(splitBy(square, beside)).toHaveLength(1)
  })

  it('joins what touches, and nothing else', () => {
    const right = polygonOf(box(120.01, 31))
    const both = merged(square, right)
    expect(both === null ? 0 : areaOf(both) / (areaOf(square) + areaOf(right))).toBeCloseTo(1, 6)
    expect(merged(square, polygonOf(box(120.05, 31)))).toBeNull()
  })
})
