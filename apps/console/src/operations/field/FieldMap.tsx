import type { FeatureCollection } from 'geojson'
import { useMemo, type ReactNode } from 'react'
import type { Task } from '@saddle/contract/operations/taskCalls.ts'
import { clientConfig } from '#kit/config.ts'
import { t } from '#kit/i18n/index.ts'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import { MapControls } from '#kit/map/MapControls.tsx'
import { MapView } from '#kit/map/MapView.tsx'
import { textFontStrong } from '#kit/map/style.ts'
import { useTheme } from '#kit/theme/settings.ts'
import type { Shown } from './FieldPage.tsx'
import { placeOf, type Point } from './rules.ts'

interface Props {
  /** In the order of the way. */
  readonly mine: readonly Shown[]
  readonly open: readonly Shown[]
  readonly here: Point | null
  readonly onChoose: (task: Task) => void
}

const empty: FeatureCollection = { type: 'FeatureCollection', features: [] }

/** My way through my tasks, and what else is to be done around. */
export default function FieldMap({ mine, open, here, onChoose }: Props): ReactNode {
  const theme = useTheme().appearance
  const { city } = clientConfig()
  const start = here ?? firstPlace([...mine, ...open]) ?? { lng: city?.centre.lng ?? 105, lat: city?.centre.lat ?? 35 }
  const data = useMemo(() => dotsOf(mine, open), [mine, open])
  const way = useMemo(() => wayOf(mine, here), [mine, here])
  const [dots, line, self] = useMemo(() => layersOf(theme === 'dark'), [theme])
  const me = useMemo(
    () => (here === null ? empty : { type: 'FeatureCollection' as const, features: [pointOf(here, {})] }),
    [here],
  )
  const known = [...mine, ...open]
  return (
    <div className="field-map">
      <MapView label={t('任务地图')} theme={theme} initial={{ lng: start.lng, lat: start.lat, zoom: 14 }}>
        <GeoLayers id="field-way" data={way} layers={line} />
        <GeoLayers
          id="field-tasks"
          data={data}
          layers={dots}
          onPick={(properties) => {
            const found = known.find(({ task }) => task.id === properties['task'])
            if (found !== undefined) onChoose(found.task)
          }}
        />
        <GeoLayers id="field-me" data={me} layers={self} />
        <MapControls home={null} />
      </MapView>
    </div>
  )
}

const firstPlace = (list: readonly Shown[]): Point | null =>
  list.map(({ task }) => placeOf(task)).find((place) => place !== null) ?? null

const pointOf = (at: Point, properties: Record<string, unknown>) => ({
  type: 'Feature' as const,
  properties,
  geometry: { type: 'Point' as const, coordinates: [at.lng, at.lat] },
})

function dotsOf(mine: readonly Shown[], open: readonly Shown[]): FeatureCollection {
  const dots = (list: readonly Shown[], isMine: boolean) =>
    list.flatMap(({ task }, index) => {
      const place = placeOf(task)
      return place === null
        ? []
        : [pointOf(place, { task: task.id, mine: isMine, stop: isMine ? String(index + 1) : '' })]
    })
  return { type: 'FeatureCollection', features: [...dots(open, false), ...dots(mine, true)] }
}

function wayOf(mine: readonly Shown[], here: Point | null): FeatureCollection {
  const places = [here, ...mine.map(({ task }) => placeOf(task))].filter((place) => place !== null)
  if (places.length < 2) return empty
  const coordinates = places.map(({ lng, lat }) => [lng, lat])
  return {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } }],
  }
}

function layersOf(isDark: boolean): [PartLayer[], PartLayer[], PartLayer[]] {
  const [accent, quiet, paper] = isDark ? ['#5c9bff', '#93a1b3', '#161c25'] : ['#0958d9', '#5c697b', '#ffffff']
  return [
    [
      {
        id: 'field-dots',
        type: 'circle',
        paint: {
          'circle-radius': ['case', ['get', 'mine'], 14, 9],
          'circle-color': ['case', ['get', 'mine'], accent, quiet],
          'circle-stroke-color': paper,
          'circle-stroke-width': 2,
        },
      },
      {
        id: 'field-stops',
        type: 'symbol',
        layout: {
          'text-field': ['get', 'stop'],
          'text-font': textFontStrong,
          'text-size': 13,
          'text-allow-overlap': true,
        },
        paint: { 'text-color': isDark ? '#0b1420' : '#ffffff' },
      },
    ],
    [
      {
        id: 'field-way-line',
        type: 'line',
        paint: { 'line-color': accent, 'line-width': 3, 'line-opacity': 0.6, 'line-dasharray': [2, 1.5] },
      },
    ],
    [
      {
        id: 'field-me-dot',
        type: 'circle',
        paint: {
          'circle-radius': 7,
          'circle-color': '#12805c',
          'circle-stroke-color': '#ffffff',
          'circle-stroke-width': 3,
        },
      },
    ],
  ]
}
