import type { Ring } from '#contract/organisation/ring.ts'
import { fenceHolesMax, type FenceHours } from './fences.ts'
import { fenceBatchMax, fenceCapacityMax, fenceNameMax, type FenceDraft } from './manage.ts'
import { shapeProblem, shapeProblemLabels, type Shape } from './shape.ts'
import { readXml, type XmlNode } from './xml.ts'

/** Text of a file or a list that may be read in. */
export const fenceFileMaxBytes = 2_000_000

export const readProblemLabels = {
  ...shapeProblemLabels,
  too_large: '文件超过 2 MB',
  too_many: '一次最多导入 500 个围栏，请分批导入',
  empty: '没有内容',
  no_fences: '没有找到围栏',
  no_features: 'GeoJSON 中没有 features',
  geojson: 'GeoJSON 不完整，无法读取',
  kml: 'KML 不完整，无法读取',
  no_shape: '没有图形',
  shape_unknown: '不支持的图形，只能是点、多边形',
  place: '坐标有误',
  many_holes: '挖空部分超过 20 个',
  capacity: '容量须是 0 至 10000 的整数',
  hours: '开放时间须写作 06:00 与 22:00',
} as const satisfies Readonly<Record<string, string>>
export type ReadProblem = keyof typeof readProblemLabels

interface Asked {
  /** Of a place that comes without a radius. */
  readonly radiusM: number
  /** Begins the name of what has none. */
  readonly unnamed: string
}

/** One feature of a file: what it would become, or why it becomes nothing. */
export interface ReadFence {
  /** Place in the file, from 1. */
  readonly n: number
  readonly name: string
  readonly draft: FenceDraft | null
  readonly problem: ReadProblem | null
}
export interface ReadFile {
  readonly fences: readonly ReadFence[]
  /** Why the whole file cannot be read. */
  readonly problem: ReadProblem | null
}

interface Told {
  readonly name: string
  readonly shape: Shape | null
  readonly problem?: ReadProblem
  readonly capacity?: unknown
  readonly radiusM?: unknown
  readonly opens?: unknown
  readonly closes?: unknown
}

/** GeoJSON, KML, or a list with one place in a line, by what the text looks like. */
export function readFences(text: string, asked: Asked): ReadFile {
  if (text.length > fenceFileMaxBytes) return failed('too_large')
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (trimmed === '') return failed('empty')
  const told = trimmed.startsWith('{')
    ? fromGeoJson(trimmed)
    : trimmed.startsWith('<')
      ? fromKml(trimmed)
      : fromList(trimmed)
  if (typeof told === 'string') return failed(told)
  if (told.length === 0) return failed('no_fences')
  if (told.length > fenceBatchMax) return failed('too_many')
  return { fences: told.map((one, index) => readOne(one, index + 1, asked)), problem: null }
}

const failed = (problem: ReadProblem): ReadFile => ({ fences: [], problem })

function readOne(told: Told, n: number, { radiusM, unnamed }: Asked): ReadFence {
  const name = told.name.trim().slice(0, fenceNameMax) || `${unnamed} ${n}`
  const refused = (problem: ReadProblem): ReadFence => ({ n, name, draft: null, problem })
  if (told.problem !== undefined) return refused(told.problem)
  if (told.shape === null) return refused('shape_unknown')
  const given = told.shape
  const radius = numberOf(told.radiusM)
  const shape: Shape =
    'radiusM' in given ? { centre: given.centre, radiusM: radius ?? (given.radiusM || radiusM) } : given
  const wrong = shapeProblem(shape)
  if (wrong !== null) return refused(wrong)
  const capacity = numberOf(told.capacity)
  if (capacity !== null && !(Number.isInteger(capacity) && capacity >= 0 && capacity <= fenceCapacityMax)) {
    return refused('capacity')
  }
  const hours = hoursOf(told.opens, told.closes)
  if (hours === 'wrong') return refused('hours')
  return { n, name, draft: { name, capacity, hours, shape: shapeOnWire(shape) }, problem: null }
}

/** Arrays as the wire's schema has them. */
export function shapeOnWire(shape: Shape): FenceDraft['shape'] {
  if ('radiusM' in shape) return { centre: { ...shape.centre }, radiusM: shape.radiusM }
  const plain = (ring: Ring) => ring.map(([lng, lat]): [number, number] => [lng, lat])
  return { ring: plain(shape.ring), holes: shape.holes.map(plain) }
}

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return null
  return Number(value)
}

function hoursOf(opens: unknown, closes: unknown): FenceHours | null | 'wrong' {
  const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''
  if (isEmpty(opens) && isEmpty(closes)) return null
  const [from, to] = [minuteOf(opens), minuteOf(closes)]
  return from === null || to === null || from === to ? 'wrong' : { opensMinute: from, closesMinute: to }
}

function minuteOf(value: unknown): number | null {
  const [, hour, minute] = /^\s*(\d{1,2})[:：](\d{2})\s*$/.exec(typeof value === 'string' ? value : '') ?? []
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59) return null
  return Number(hour) * 60 + Number(minute)
}

export function clockOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fromGeoJson(text: string): Told[] | ReadProblem {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return 'geojson'
  }
  if (!isRecord(given)) return 'geojson'
  const features = given['type'] === 'FeatureCollection' ? given['features'] : [given]
  if (!Array.isArray(features)) return 'no_features'
  return features.flatMap((feature: unknown): Told[] => {
    const one = isRecord(feature) ? feature : {}
    const geometry = 'geometry' in one ? one['geometry'] : one
    const properties = isRecord(one['properties']) ? one['properties'] : {}
    const name = typeof properties['name'] === 'string' ? properties['name'] : ''
    const { capacity, radiusM, opens, closes } = properties
    return shapesOfGeometry(geometry).map((shape, index, all): Told => {
      const own = { name: all.length === 1 ? name : `${name} ${index + 1}`, capacity, radiusM, opens, closes }
      return Object.assign(own, shape)
    })
  })
}

type ToldShape = Pick<Told, 'shape' | 'problem'>

function shapesOfGeometry(geometry: unknown): ToldShape[] {
  if (!isRecord(geometry)) return [{ shape: null, problem: 'no_shape' }]
  const { type, coordinates } = geometry
  if (type === 'Point') return [pointOf(coordinates)]
  if (type === 'Polygon') return [polygonOf(coordinates)]
  if (type === 'MultiPolygon' && Array.isArray(coordinates)) return coordinates.map(polygonOf)
  return [{ shape: null, problem: 'shape_unknown' }]
}

function pointOf(value: unknown): ToldShape {
  const place = positionOf(value)
  return place === null
    ? { shape: null, problem: 'place' }
    : { shape: { centre: { lng: place[0], lat: place[1] }, radiusM: 0 } }
}

function polygonOf(value: unknown): ToldShape {
  const rings = Array.isArray(value) ? value.map(ringOf) : []
  const [ring, ...holes] = rings
  if (ring === undefined || rings.some((one) => one === null)) return { shape: null, problem: 'place' }
  if (ring === null) return { shape: null, problem: 'place' }
  if (holes.length > fenceHolesMax) return { shape: null, problem: 'many_holes' }
  return { shape: { ring, holes: holes.filter((hole) => hole !== null) } }
}

function ringOf(value: unknown): Ring | null {
  if (!Array.isArray(value)) return null
  const places = value.map(positionOf)
  const ring = places.filter((place) => place !== null)
  return ring.length === places.length ? closed(ring) : null
}

/** Six decimals are a tenth of a metre; a corner that is named twice in a row is one. */
function closed(given: readonly (readonly [number, number])[]): Ring {
  const ring: [number, number][] = []
  for (const [lng, lat] of given) {
    const place: [number, number] = [Math.round(lng * 1e6) / 1e6, Math.round(lat * 1e6) / 1e6]
    const before = ring.at(-1)
    if (before?.[0] !== place[0] || before[1] !== place[1]) ring.push(place)
  }
  const [first, last] = [ring[0], ring.at(-1)]
  if (first !== undefined && (first[0] !== last?.[0] || first[1] !== last[1])) ring.push([...first])
  return ring
}

function positionOf(value: unknown): readonly [number, number] | null {
  if (!Array.isArray(value)) return null
  const [lng, lat]: unknown[] = value
  return typeof lng === 'number' && typeof lat === 'number' && Math.abs(lng) <= 180 && Math.abs(lat) <= 90
    ? [lng, lat]
    : null
}

function fromKml(text: string): Told[] | ReadProblem {
  const root = readXml(text)
  if (root === null) return 'kml'
  return all(root, 'Placemark').flatMap((mark): Told[] => {
    const name = child(mark, 'name')?.text ?? ''
    const data = new Map(
      all(mark, 'Data').map((one) => [one.attributes['name'] ?? '', child(one, 'value')?.text.trim() ?? '']),
    )
    const extra = {
      capacity: data.get('capacity'),
      radiusM: data.get('radiusM'),
      opens: data.get('opens'),
      closes: data.get('closes'),
    }
    const shapes: ToldShape[] = [
      ...all(mark, 'Polygon').map(kmlPolygon),
      ...all(mark, 'Point').map((point) => pointOf(kmlPlaces(point)?.[0])),
    ]
    if (shapes.length === 0) return [{ name, shape: null, problem: 'shape_unknown' }]
    return shapes.map((shape, index): Told =>
      Object.assign({ name: shapes.length === 1 ? name : `${name} ${index + 1}` }, shape, extra),
    )
  })
}

function kmlPolygon(polygon: XmlNode): ToldShape {
  const outer = all(polygon, 'outerBoundaryIs').map(kmlPlaces)
  const inner = all(polygon, 'innerBoundaryIs').map(kmlPlaces)
  return polygonOf([...outer, ...inner])
}

function kmlPlaces(node: XmlNode): number[][] | null {
  const text = all(node, 'coordinates')[0]?.text.trim()
  if (text === undefined || text === '') return null
  return text.split(/\s+/).map((tuple) =>
    tuple
      .split(',')
      .map(Number)
      .map((part) => (Number.isFinite(part) ? part : 999)),
  )
}

const child = (node: XmlNode, name: string): XmlNode | undefined => node.children.find((one) => one.name === name)

function all(node: XmlNode, name: string): XmlNode[] {
  return node.children.flatMap((one) => (one.name === name ? [one] : all(one, name)))
}

const titles: Readonly<Record<string, keyof Told | 'lng' | 'lat'>> = {
  名称: 'name',
  name: 'name',
  经度: 'lng',
  lng: 'lng',
  lon: 'lng',
  longitude: 'lng',
  纬度: 'lat',
  lat: 'lat',
  latitude: 'lat',
  半径: 'radiusM',
  radius: 'radiusM',
  radiusm: 'radiusM',
  容量: 'capacity',
  capacity: 'capacity',
  开放: 'opens',
  opens: 'opens',
  关闭: 'closes',
  closes: 'closes',
}
const usual = ['name', 'lng', 'lat', 'radiusM', 'capacity', 'opens', 'closes'] as const

/** A place in a line: name, longitude, latitude, radius, capacity, from, to; a first line may name them in another order. */
function fromList(text: string): Told[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const cellsOf = (line: string) => line.split(/[,，;；\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))
  const head = cellsOf(lines[0] ?? '').map(
    (cell) =>
      titles[
        cell
          .toLowerCase()
          .replace(/[（(].*/, '')
          .trim()
      ],
  )
  const isHead = head.includes('lng') && head.includes('lat')
  const order = isHead ? head : usual
  return lines.slice(isHead ? 1 : 0).map((line): Told => {
    const cells = new Map(cellsOf(line).map((cell, at) => [order[at], cell]))
    const { lng, lat } = { lng: numberOf(cells.get('lng')), lat: numberOf(cells.get('lat')) }
    const rest = {
      capacity: cells.get('capacity'),
      radiusM: cells.get('radiusM'),
      opens: cells.get('opens'),
      closes: cells.get('closes'),
    }
    return Object.assign({ name: cells.get('name') ?? '' }, pointOf([lng, lat]), rest)
  })
}

export interface WrittenFence {
  readonly name: string
  readonly shape: Shape
  readonly capacity: number | null
  readonly hours: FenceHours | null
}

/** One feature of a collection. */
export function geoJsonOf({ name, shape, capacity, hours }: WrittenFence): string {
  const more = {
    ...(capacity !== null && { capacity }),
    ...(hours !== null && { opens: clockOf(hours.opensMinute), closes: clockOf(hours.closesMinute) }),
  }
  const [properties, geometry] =
    'radiusM' in shape
      ? [
          { name, radiusM: shape.radiusM, ...more },
          { type: 'Point', coordinates: [shape.centre.lng, shape.centre.lat] },
        ]
      : [
          { name, ...more },
          { type: 'Polygon', coordinates: [shape.ring, ...shape.holes] },
        ]
  return JSON.stringify({ type: 'Feature', properties, geometry })
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => entities[one] ?? '')

/** One placemark of a KML document. */
export function kmlOf({ name, shape, capacity, hours }: WrittenFence): string {
  const data = Object.entries({
    ...(capacity !== null && { capacity: String(capacity) }),
    ...('radiusM' in shape && { radiusM: String(shape.radiusM) }),
    ...(hours !== null && { opens: clockOf(hours.opensMinute), closes: clockOf(hours.closesMinute) }),
  }).map(([key, value]) => `<Data name="${key}"><value>${escaped(value)}</value></Data>`)
  const extended = data.length === 0 ? '' : `<ExtendedData>${data.join('')}</ExtendedData>`
  const line = (ring: Ring) =>
    `<LinearRing><coordinates>${ring.map(([lng, lat]) => `${lng},${lat}`).join(' ')}</coordinates></LinearRing>`
  const geometry =
    'radiusM' in shape
      ? `<Point><coordinates>${shape.centre.lng},${shape.centre.lat}</coordinates></Point>`
      : `<Polygon><outerBoundaryIs>${line(shape.ring)}</outerBoundaryIs>${shape.holes
          .map((hole) => `<innerBoundaryIs>${line(hole)}</innerBoundaryIs>`)
          .join('')}</Polygon>`
  return `<Placemark><name>${escaped(name)}</name>${extended}${geometry}</Placemark>\n`
}

export const kmlFrame = {
  head: '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document>\n',
  tail: '</Document></kml>\n',
} as const
export const geoJsonFrame = { head: '{"type":"FeatureCollection","features":[\n', tail: '\n]}\n' } as const
