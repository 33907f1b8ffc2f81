import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { roadNearMaxM, roadsFoundMax } from '@saddle/contract/geography/fences.ts'
import { metresPerDegree, metresPerDegreeLng, type Box, type LatLng } from '@saddle/geo/earth.ts'
import type { Kit } from '#kit/kit.ts'

/** Streets with names, WGS-84, beside the offline tiles: whoever runs another city puts its own file there. */
const streetsSchema = z.object({
  features: z.array(
    z.object({
      properties: z.object({ name: z.string().min(1).max(60) }),
      geometry: z.object({ type: z.literal('LineString'), coordinates: z.array(z.tuple([z.number(), z.number()])) }),
    }),
  ),
})

export type Road = { readonly name: string; readonly distanceM: number }
type Piece = { readonly name: string; readonly from: LatLng; readonly to: LatLng }
type Street = { readonly name: string; readonly line: readonly (readonly [number, number])[] }
export type RoadIndex = (place: LatLng) => Road | null
export type RoadSearch = (keyword: string) => { readonly name: string; readonly bounds: Box }[]
/** What is known of a city's roads. */
export type Roads = { readonly near: RoadIndex; readonly named: RoadSearch }

/** Cells at least as wide as the farthest road that is told, so that a place looks at its own and the eight around it. */
const cellDegrees = 0.003

/** Which road is nearest to a place, of streets given as lines. */
export function createRoadIndex(streets: readonly Street[]): RoadIndex {
  const cells = new Map<string, Piece[]>()
  const cell = (lat: number, lng: number): [number, number] => [
    Math.floor(lat / cellDegrees),
    Math.floor(lng / cellDegrees),
  ]
  const put = (piece: Piece): void => {
    const [south, west] = cell(Math.min(piece.from.lat, piece.to.lat), Math.min(piece.from.lng, piece.to.lng))
    const [north, east] = cell(Math.max(piece.from.lat, piece.to.lat), Math.max(piece.from.lng, piece.to.lng))
    for (let row = south; row <= north; row += 1) {
      for (let column = west; column <= east; column += 1) {
        const key = `${row} ${column}`
        const list = cells.get(key)
        if (list === undefined) cells.set(key, [piece])
        else list.push(piece)
      }
    }
  }
  for (const { name, line } of streets) {
    for (let at = 1; at < line.length; at += 1) {
      const [from, to] = [line[at - 1], line[at]]
      if (from === undefined || to === undefined) continue
      put({ name, from: { lng: from[0], lat: from[1] }, to: { lng: to[0], lat: to[1] } })
    }
  }
  return (place) => {
    const [row, column] = cell(place.lat, place.lng)
    let found: Road | null = null
    for (let y = row - 1; y <= row + 1; y += 1) {
      for (let x = column - 1; x <= column + 1; x += 1) {
        for (const piece of cells.get(`${y} ${x}`) ?? []) {
          const distanceM = metresTo(place, piece)
          if (distanceM <= roadNearMaxM && (found === null || distanceM < found.distanceM))
            found = { name: piece.name, distanceM }
        }
      }
    }
    return found
  }
}

function metresTo(place: LatLng, { from, to }: Piece): number {
  const perLng = metresPerDegreeLng(place.lat)
  const [x, y] = [(from.lng - place.lng) * perLng, (from.lat - place.lat) * metresPerDegree]
  const [dx, dy] = [(to.lng - from.lng) * perLng, (to.lat - from.lat) * metresPerDegree]
  const length = dx * dx + dy * dy
  const part = length === 0 ? 0 : Math.min(1, Math.max(0, -(x * dx + y * dy) / length))
  return Math.hypot(x + part * dx, y + part * dy)
}

/** Roads whose name has the words, those that begin with them first; pieces of one name are one road. */
export function createRoadSearch(streets: readonly Street[]): RoadSearch {
  const roads = new Map<string, Box>()
  for (const { name, line } of streets) {
    for (const [lng, lat] of line) {
      const known = roads.get(name) ?? { west: lng, south: lat, east: lng, north: lat }
      roads.set(name, {
        west: Math.min(known.west, lng),
        south: Math.min(known.south, lat),
        east: Math.max(known.east, lng),
        north: Math.max(known.north, lat),
      })
    }
  }
  const order = (name: string, keyword: string): number => (name.startsWith(keyword) ? 0 : 1)
  return (keyword) =>
    [...roads]
      .filter(([name]) => name.includes(keyword))
      .toSorted(
        ([one], [other]) =>
          order(one, keyword) - order(other, keyword) || one.length - other.length || (one < other ? -1 : 1),
      )
      .slice(0, roadsFoundMax)
      .map(([name, bounds]) => ({ name, bounds }))
}

const noRoads: Roads = { near: () => null, named: () => [] }

/** The roads of the file beside the tiles, read when they are first asked for; without the file no road is known. */
export function createRoads({ config, log }: Pick<Kit, 'config' | 'log'>): () => Promise<Roads> {
  let known: Promise<Roads> | null = null
  const read = async (): Promise<Roads> => {
    const file = join(config.tilesDir ?? join(config.dataDir, 'tiles'), 'streets.geojson')
    if (!existsSync(file)) return noRoads
    try {
      const { features } = streetsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
      const streets = features.map(({ properties, geometry }) => ({
        name: properties.name,
        line: geometry.coordinates,
      }))
      return { near: createRoadIndex(streets), named: createRoadSearch(streets) }
    } catch (error) {
      log.error({ err: error, file }, 'the streets could not be read: roads are not told')
      return noRoads
    }
  }
  return () => (known ??= read())
}
