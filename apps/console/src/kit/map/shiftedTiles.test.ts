import { describe, expect, it } from 'vitest'
import { piecesOf, tileSize } from './shiftedTiles.ts'

describe('piecesOf', () => {
  /** A tile in the middle of a city in China, where the shift is some hundred metres. */
  const tile = { z: 15, x: 27_370, y: 13_380 }

  it('covers the tile with pieces of at most four, once', () => {
    const pieces = piecesOf(tile)
    expect(pieces.length).toBeLessThanOrEqual(4)
    const area = pieces.reduce((sum, { left, top }) => {
      const [width, height] = [left, top].map((at) => Math.min(tileSize, at + tileSize) - Math.max(0, at))
      return sum + (width ?? 0) * (height ?? 0)
    }, 0)
    expect(area).toBe(tileSize * tileSize)
  })

  it('takes a tile that lies outside of China as it is', () => {
    expect(piecesOf({ z: 12, x: 2_074, y: 1_409 })).toEqual([{ x: 2_074, y: 1_409, left: 0, top: 0 }])
  })

  it('goes round at the date line and never beyond the poles', () => {
    for (const { x, y } of piecesOf({ z: 2, x: 3, y: 1 })) {
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x).toBeLessThan(4)
      expect(y).toBeLessThan(4)
    }
  })
})
