import type { Ring } from './ring.ts'
import type { Shape } from './shape.ts'
import { readXml, type XmlNode } from './xml.ts'

/** Points and polygons of GeoJSON and KML, with their names and properties, both ways. */
export interface Feature {
  readonly name: string
  /** A point is a circle of radius 0. */
  readonly shape: Shape | null
  /** Why there is no shape. */
  readonly problem?: FeatureProblem
  readonly properties: Readonly<Record<string, unknown>>
}

export type FeatureProblem = 'no_shape' | 'shape_unknown' | 'place'
export type FeatureFileProblem = 'geojson' | 'no_features' | 'kml'

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The features of a GeoJSON text, or why it cannot be read. */
export function readGeoJson(text: string): Feature[] | FeatureFileProblem {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return 'geojson'
  }
  if (!isRecord(given)) return 'geojson'
  const features = given['type'] === 'FeatureCollection' ? given['features'] : [given]
  if (!Array.isArray(features)) return 'no_features'
  return features.flatMap((feature: unknown): Feature[] => {
    const one = isRecord(feature) ? feature : {}
    const geometry = 'geometry' in one ? one['geometry'] : one
    const properties = isRecord(one['properties']) ? one['properties'] : {}
    const name = typeof properties['name'] === 'string' ? properties['name'] : ''
    return featuresOf(shapesOfGeometry(geometry), { name, properties })
  })
}

/** The parts of a geometry of several are numbered. */
const featuresOf = (shapes: readonly FoundShape[], own: Pick<Feature, 'name' | 'properties'>): Feature[] =>
  shapes.map((shape, index) =>
    Object.assign({}, own, shape, shapes.length === 1 ? {} : { name: `${own.name} ${index + 1}` }),
  )

type FoundShape = Pick<Feature, 'shape' | 'problem'>

function shapesOfGeometry(geometry: unknown): FoundShape[] {
  if (!isRecord(geometry)) return [{ shape: null, problem: 'no_shape' }]
  const { type, coordinates } = geometry
  if (type === 'Point') return [pointOf(coordinates)]
  if (type === 'Polygon') return [polygonOf(coordinates)]
  if (type === 'MultiPolygon' && Array.isArray(coordinates)) return coordinates.map(polygonOf)
  return [{ shape: null, problem: 'shape_unknown' }]
}

/** A pair of longitude and latitude as a shape. */
export function pointOf(value: unknown): FoundShape {
  const place = positionOf(value)
  return place === null
    ? { shape: null, problem: 'place' }
    : { shape: { centre: { lng: place[0], lat: place[1] }, radiusM: 0 } }
}

function polygonOf(value: unknown): FoundShape {
  const rings = Array.isArray(value) ? value.map(ringOf) : []
  const [ring, ...holes] = rings
  if (ring === undefined || rings.some((one) => one === null)) return { shape: null, problem: 'place' }
  if (ring === null) return { shape: null, problem: 'place' }
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

/** The placemarks of a KML text, or why it cannot be read. */
export function readKml(text: string): Feature[] | FeatureFileProblem {
  const root = readXml(text)
  if (root === null) return 'kml'
  return all(root, 'Placemark').flatMap((mark): Feature[] => {
    const name = child(mark, 'name')?.text ?? ''
    const properties = Object.fromEntries(
      all(mark, 'Data').map((one) => [one.attributes['name'] ?? '', child(one, 'value')?.text.trim() ?? '']),
    )
    const shapes: FoundShape[] = [
      ...all(mark, 'Polygon').map(kmlPolygon),
      ...all(mark, 'Point').map((point) => pointOf(kmlPlaces(point)?.[0])),
    ]
    if (shapes.length === 0) shapes.push({ shape: null, problem: 'shape_unknown' })
    return featuresOf(shapes, { name, properties })
  })
}

function kmlPolygon(polygon: XmlNode): FoundShape {
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

export interface WrittenFeature {
  readonly name: string
  readonly shape: Shape
  readonly properties: Readonly<Record<string, string | number>>
}

/** One feature of a collection; the radius of a circle stands in its properties. */
export function geoJsonOf({ name, shape, properties }: WrittenFeature): string {
  const isCircle = 'radiusM' in shape
  return JSON.stringify({
    type: 'Feature',
    properties: { name, ...(isCircle && { radiusM: shape.radiusM }), ...properties },
    geometry: isCircle
      ? { type: 'Point', coordinates: [shape.centre.lng, shape.centre.lat] }
      : { type: 'Polygon', coordinates: [shape.ring, ...shape.holes] },
  })
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => entities[one] ?? '')

/** One placemark of a KML document. */
export function kmlOf({ name, shape, properties }: WrittenFeature): string {
  const data = Object.entries({ ...('radiusM' in shape && { radiusM: shape.radiusM }), ...properties }).map(
    ([key, value]) => `<Data name="${escaped(key)}"><value>${escaped(String(value))}</value></Data>`,
  )
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
