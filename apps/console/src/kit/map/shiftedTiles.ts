import { addProtocol } from 'maplibre-gl'
import type { LatLng } from '@saddle/geo/earth.ts'
import { gcj02Of } from '@saddle/geo/gcj02.ts'

export const tileSize = 256

interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** A provider's tile and the position of its upper left corner on the composed tile, in pixels. */
export interface Piece {
  readonly x: number
  readonly y: number
  readonly left: number
  readonly top: number
}

/** Pixels from the upper left corner of the world at a zoom. */
function pixelOf({ lng, lat }: LatLng, z: number): [x: number, y: number] {
  const world = tileSize * 2 ** z
  const sine = Math.sin((lat * Math.PI) / 180)
  return [((lng + 180) / 360) * world, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world]
}

function placeOf([x, y]: readonly [number, number], z: number): LatLng {
  const world = tileSize * 2 ** z
  const north = Math.PI * (1 - (2 * y) / world)
  return { lng: (x / world) * 360 - 180, lat: (Math.atan(Math.sinh(north)) * 180) / Math.PI }
}

/**
 * The provider's tiles below one of ours. Within a tile the shift differs by less than a pixel, so the shift
 * of its centre is used for the whole tile.
 */
export function piecesOf({ z, x, y }: Tile): Piece[] {
  const middle = [(x + 0.5) * tileSize, (y + 0.5) * tileSize] as const
  const [east, south] = pixelOf(gcj02Of(placeOf(middle, z)), z)
  const left = Math.round(east - middle[0]) + x * tileSize
  const top = Math.round(south - middle[1]) + y * tileSize
  const count = 2 ** z
  const pieces: Piece[] = []
  for (let row = Math.floor(top / tileSize); row * tileSize < top + tileSize; row += 1) {
    if (row < 0 || row >= count) continue
    for (let column = Math.floor(left / tileSize); column * tileSize < left + tileSize; column += 1) {
      const place = { left: column * tileSize - left, top: row * tileSize - top }
      pieces.push({ x: (column + count) % count, y: row, ...place })
    }
  }
  return pieces
}

/** The URL scheme that `shiftTiles` handles. */
export const shiftedTilesUrl = 'gcj02://{z}/{x}/{y}'

/** Composes our tiles from those of a provider that uses GCJ-02. `template` has {z}, {x} and {y}. */
export function shiftTiles(template: string): void {
  addProtocol('gcj02', async ({ url }, { signal }) => {
    const [z = 0, x = 0, y = 0] = url.slice('gcj02://'.length).split('/').map(Number)
    const canvas = new OffscreenCanvas(tileSize, tileSize)
    const context = canvas.getContext('2d')
    const drawPiece = async (piece: Piece): Promise<void> => {
      const image = await fetchImage(addressOf(template, { z, ...piece }), signal)
      context?.drawImage(image, piece.left, piece.top, tileSize, tileSize)
      image.close()
    }
    await Promise.all(piecesOf({ z, x, y }).map(drawPiece))
    return { data: canvas.transferToImageBitmap() }
  })
}

function addressOf(template: string, { z, x, y }: Tile): string {
  return template.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))
}

async function fetchImage(address: string, signal: AbortSignal): Promise<ImageBitmap> {
  const answer = await fetch(address, { signal, credentials: 'omit' })
  if (!answer.ok) throw new Error(`a map tile was answered with ${answer.status}`)
  return await createImageBitmap(await answer.blob())
}
