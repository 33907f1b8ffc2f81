import { demoAreas } from '@saddle/contract/demo/city.ts'
import type { Feature, Geometry } from 'geojson'
import { cityFrame, type City } from './city.ts'
import { closed, toLngLat, toPoint, type Point } from './geometry.ts'
import type { RoadClass } from './plan.ts'
import type { Street } from './streets.ts'

/** The layers of the tiles, from the bottom to the top, with what their features say. */
export const tileLayers = {
  land: ['kind'],
  campus: ['name'],
  park: ['name'],
  water: ['kind', 'name'],
  building: [],
  railway: ['kind', 'name'],
  road: ['class', 'name'],
  area: ['name'],
  station: ['kind', 'name'],
  place: ['kind', 'name'],
} as const

type TileLayer = keyof typeof tileLayers

/** A shape with its layer and the first zoom at which it is drawn. */
export type MapFeature = { layer: TileLayer; minZoom: number; feature: Feature }

type Tags = { [name: string]: string }

const made = (layer: TileLayer, minZoom: number, geometry: Geometry, properties: Tags): MapFeature => ({
  layer,
  minZoom,
  feature: { type: 'Feature', geometry, properties },
})
const line = (points: readonly Point[]): Geometry => ({ type: 'LineString', coordinates: points.map(toLngLat) })
const dot = (point: Point): Geometry => ({ type: 'Point', coordinates: toLngLat(point) })
const polygon = (ring: readonly Point[], hole?: readonly Point[]): Geometry => ({
  type: 'Polygon',
  coordinates: hole ? [ring.map(toLngLat), hole.toReversed().map(toLngLat)] : [ring.map(toLngLat)],
})

const roadZoom: Record<RoadClass, number> = {
  trunk: 8,
  primary: 9,
  secondary: 11,
  tertiary: 12,
  residential: 13,
  path: 14,
}

/** Pieces of one street that follow each other become one line, so that its name is drawn along it and not per block. */
function joinStreets(streets: readonly Street[]): { points: Point[]; roadClass: RoadClass; name: string }[] {
  const groups = new Map<string, Street[]>()
  for (const street of streets) {
    const key = `${street.line}|${street.roadClass}|${street.name}`
    const group = groups.get(key)
    if (group) group.push(street)
    else groups.set(key, [street])
  }
  return [...groups.values()].flatMap((group) => {
    const joined: { points: Point[]; roadClass: RoadClass; name: string; end: number }[] = []
    for (const street of group.toSorted((a, b) => a.order - b.order)) {
      const last = joined.at(-1)
      if (last && last.end === street.from) {
        last.points.push(...street.points.slice(1))
        last.end = street.to
      } else {
        joined.push({ points: [...street.points], roadClass: street.roadClass, name: street.name, end: street.to })
      }
    }
    return joined
  })
}

const middleOf = (kerbs: readonly (readonly [lng: number, lat: number, headingDeg: number])[]): Point =>
  toPoint({
    lng: kerbs.reduce((sum, [lng]) => sum + lng, 0) / kerbs.length,
    lat: kerbs.reduce((sum, [, lat]) => sum + lat, 0) / kerbs.length,
  })

const placeZoom = { city: 8, district: 10, water: 12, park: 13, campus: 13 } as const

/** Land far around the city, so that no tile is bare at its edge. */
const country: Point[] = cityFrame.map(([x, y]) => [x * 8, y * 8])

/** Everything that is drawn of the city. */
export function cityFeatures(city: City): MapFeature[] {
  const { nature } = city
  return [
    made('land', 8, polygon(country), { kind: 'city' }),
    ...city.blocks.map(({ ring, kind }) => made('land', 12, polygon(ring), { kind })),
    ...city.campuses.map(({ ring, name }) => made('campus', 11, polygon(ring), { name })),
    ...city.parks.map(({ ring, name }) => made('park', 9, polygon(ring), { name })),
    made('water', 8, polygon(nature.river), { kind: 'river', name: '澄江' }),
    ...nature.canals.map(({ ring, hole, kind, name }) =>
      made('water', 11, polygon(ring, hole && closed(hole)), { kind, name }),
    ),
    ...nature.lakes.map(({ ring, kind, name }, index) =>
      made('water', index === 0 ? 8 : 11, polygon(ring), { kind, name }),
    ),
    ...city.buildings.map(({ ring }) => made('building', 14, polygon(ring), {})),
    ...city.railways.map((railway) =>
      made('railway', railway.kind === 'rail' ? 9 : 11, line(railway.line), { kind: railway.kind, name: railway.name }),
    ),
    ...joinStreets(city.net.streets).map(({ points, roadClass, name }) =>
      made('road', roadZoom[roadClass], line(points), name === '' ? { class: roadClass } : { class: roadClass, name }),
    ),
    ...demoAreas.map(({ ring, name }) => made('area', 9, { type: 'LineString', coordinates: ring }, { name })),
    ...demoAreas.map(({ name, kerbs }) =>
      made('place', placeZoom.district, dot(middleOf(kerbs)), { kind: 'district', name: name.replace('服务区', '区') }),
    ),
    ...city.stations.map(({ at, kind, name }) =>
      made('station', kind === 'railway' ? 11 : 12, dot(at), { kind, name }),
    ),
    ...city.places.map(({ at, kind, name }) => made('place', placeZoom[kind], dot(at), { kind, name })),
  ]
}
