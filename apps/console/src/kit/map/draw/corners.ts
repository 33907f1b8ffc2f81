import { cornersOfCircle, type LatLng } from '@saddle/geo/earth.ts'
import type { Ring } from '@saddle/geo/ring.ts'
import type { MapBounds } from '#kit/map/view.ts'

/** A boundary during drawing: its corners in order, without repeating the first at the end. WGS-84. */
export type Corner = readonly [lng: number, lat: number]
export type Corners = readonly Corner[]

export const cornersMin = 3
/** Six decimals are a tenth of a metre. */
const decimals = 1e6

const rounded = ([lng, lat]: Corner): Corner => [
  Math.round(lng * decimals) / decimals,
  Math.round(lat * decimals) / decimals,
]

export function ringOf(corners: Corners): [number, number][] {
  const [first] = corners
  return first === undefined ? [] : [...corners, first].map(([lng, lat]) => [lng, lat])
}

export function cornersOf(ring: Ring): Corners {
  return ring.slice(0, -1)
}

export function moved(corners: Corners, index: number, to: Corner): Corners {
  return corners.with(index, rounded(to))
}

/** Adds a corner after the one with that index. */
export function inserted(corners: Corners, index: number, at: Corner): Corners {
  return corners.toSpliced(index + 1, 0, rounded(at))
}

/** Removes a corner; unchanged if no area would be left. */
export function removed(corners: Corners, index: number): Corners {
  return corners.length <= cornersMin ? corners : corners.toSpliced(index, 1)
}

/** The middles of the sides, each after the corner of its index: dragging one adds a corner. */
export function middlesOf(corners: Corners): Corners {
  return corners.map(([lng, lat], index) => {
    const [nextLng, nextLat] = corners[(index + 1) % corners.length] ?? [lng, lat]
    return [(lng + nextLng) / 2, (lat + nextLat) / 2]
  })
}

/** An initial outline: eight corners around a place. */
export const draftAround = (centre: LatLng, radiusM: number): Corners =>
  cornersOfCircle(centre, radiusM, 8).map(rounded)

/** An initial outline that fills the middle of the visible map. */
export function draftIn({ west, south, east, north }: MapBounds): Corners {
  const [lng, lat] = [(east - west) / 5, (north - south) / 5]
  const corners: Corners = [
    [west + lng, south + lat],
    [east - lng, south + lat],
    [east - lng, north - lat],
    [west + lng, north - lat],
  ]
  return corners.map(rounded)
}

export function boundsOf(corners: Corners): MapBounds {
  const [lngs, lats] = [corners.map(([lng]) => lng), corners.map(([, lat]) => lat)]
  return { west: Math.min(...lngs), south: Math.min(...lats), east: Math.max(...lngs), north: Math.max(...lats) }
}

export function textOf(corners: Corners): string {
  return corners.map(([lng, lat]) => `${lng},${lat}`).join('\n')
}

const pair = /^\s*\[?\s*(-?\d{1,3}(?:\.\d+)?)\s*[,，\s]\s*(-?\d{1,2}(?:\.\d+)?)\s*\]?\s*[,;]?\s*$/

/** Parses pasted corners: one `lng,lat` per line, or a GeoJSON polygon; null if it is neither. */
export function parseCorners(text: string): Corners | null {
  const trimmed = text.trim()
  const corners = trimmed.startsWith('{') ? fromGeoJson(trimmed) : fromLines(trimmed)
  if (corners === null) return null
  const [first, last] = [corners[0], corners.at(-1)]
  const open = first?.[0] === last?.[0] && first?.[1] === last?.[1] ? corners.slice(0, -1) : corners
  return open.length < cornersMin ? null : open.map(rounded)
}

function fromLines(text: string): Corners | null {
  const corners: Corner[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [, lng, lat] = pair.exec(line) ?? []
    if (lng === undefined || lat === undefined) return null
    corners.push([Number(lng), Number(lat)])
  }
  return corners
}

function fromGeoJson(text: string): Corners | null {
  try {
    const given: unknown = JSON.parse(text)
    const shape = field(given, 'geometry') ?? given
    const rings = field(shape, 'type') === 'Polygon' ? field(shape, 'coordinates') : undefined
    const ring: unknown = Array.isArray(rings) ? rings[0] : undefined
    return Array.isArray(ring) && ring.every(isPosition) ? ring.map(([lng, lat]) => [lng, lat]) : null
  } catch {
    return null
  }
}

function isPosition(value: unknown): value is [number, number] {
  return Array.isArray(value) && typeof value[0] === 'number' && typeof value[1] === 'number'
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
