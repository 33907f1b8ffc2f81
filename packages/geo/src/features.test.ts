import { describe, expect, it } from 'vitest'
import { geoJsonFrame, geoJsonOf, kmlFrame, kmlOf, readGeoJson, readKml, type WrittenFeature } from './features.ts'

const ring = [
  [120, 31],
  [120.1, 31],
  [120.1, 31.1],
  [120, 31],
] as const
const hole = [
  [120.05, 31.01],
  [120.06, 31.01],
  [120.06, 31.02],
  [120.05, 31.01],
] as const
const written: WrittenFeature[] = [
  { name: 'A & <B>', shape: { ring, holes: [hole] }, properties: { capacity: 3 } },
  { name: '停车点', shape: { centre: { lat: 31.5, lng: 120.5 }, radiusM: 20 }, properties: {} },
]
/** The radius travels as a property; a point has none of its own. */
const read = [
  { name: 'A & <B>', shape: { ring, holes: [hole] } },
  { name: '停车点', shape: { centre: { lat: 31.5, lng: 120.5 }, radiusM: 0 } },
]

describe('GeoJSON', () => {
  it('reads what it writes', () => {
    const text = geoJsonFrame.head + written.map(geoJsonOf).join(',\n') + geoJsonFrame.tail
    expect(readGeoJson(text)).toMatchObject(read)
    expect(readGeoJson(text)).toMatchObject([{ properties: { capacity: 3 } }, { properties: { radiusM: 20 } }])
  })

  it('numbers the parts of a geometry, closes rings and rounds to a tenth of a metre', () => {
    const open = [
      [120.00000004, 31],
      [120.1, 31],
      [120.1, 31],
      [120.1, 31.1],
    ]
    const text = JSON.stringify({
      type: 'Feature',
      properties: { name: 'a' },
      geometry: { type: 'MultiPolygon', coordinates: [[open], [hole]] },
    })
    expect(readGeoJson(text)).toMatchObject([
      { name: 'a 1', shape: { ring, holes: [] } },
      { name: 'a 2', shape: { ring: hole } },
    ])
  })

  it.each([
    ['{', 'geojson'],
    ['[1]', 'geojson'],
    ['{"type":"FeatureCollection"}', 'no_features'],
  ])('cannot read %s', (text, problem) => {
    expect(readGeoJson(text)).toBe(problem)
  })

  it('says of each feature why it has no shape', () => {
    const features = [
      {},
      null,
      { geometry: { type: 'LineString', coordinates: [] } },
      { geometry: { type: 'Point', coordinates: [181, 0] } },
      { geometry: { type: 'Polygon', coordinates: [[['x', 1]]] } },
      { geometry: { type: 'Polygon', coordinates: [] } },
    ]
    const found = readGeoJson(JSON.stringify({ type: 'FeatureCollection', features }))
    expect(found).toMatchObject(
      ['shape_unknown', 'shape_unknown', 'shape_unknown', 'place', 'place', 'place'].map((problem) => ({ problem })),
    )
  })
})

describe('KML', () => {
  it('reads what it writes', () => {
    const text = kmlFrame.head + written.map(kmlOf).join('') + kmlFrame.tail
    expect(readKml(text)).toMatchObject(read)
    expect(readKml(text)).toMatchObject([{ properties: { capacity: '3' } }, { properties: { radiusM: '20' } }])
  })

  it('says of each placemark why it has no shape', () => {
    const text = '<kml><Placemark/><Placemark><Point><coordinates>x,1</coordinates></Point></Placemark></kml>'
    expect(readKml(text)).toMatchObject([{ problem: 'shape_unknown' }, { problem: 'place' }])
    expect(readKml('<kml>')).toBe('kml')
    expect(readKml('<kml/>')).toEqual([])
  })
})
