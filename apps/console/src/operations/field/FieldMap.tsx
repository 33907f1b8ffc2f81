import type { FeatureCollection } from 'geojson'
import { useMemo, useState, type ReactNode } from 'react'
import type { Task } from '@saddle/contract/operations/taskCalls.ts'
import { taskKindLabels } from '@saddle/contract/operations/tasks.ts'
import { t } from '#kit/i18n/index.ts'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import FocusMap from '#kit/map/FocusMap.tsx'
import { textFontStrong } from '#kit/map/style.ts'
import type { MapBounds } from '#kit/map/view.ts'
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
  const [start, setStart] = useState<MapBounds | null>(null)
  const around = start ?? boxAround(here, mine.length > 0 ? mine : open)
  if (start === null && around !== null) setStart(around)
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
      <FocusMap label={t('任务地图')} focus={around}>
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
      </FocusMap>
    </div>
  )
}

/** So many of the nearest are enough to begin with. */
const firstSeen = 12

/** What is seen first: where I am, and my way or what is near. Later moves are the person's. */
function boxAround(here: Point | null, list: readonly Shown[]): MapBounds | null {
  const places = list.flatMap(({ task }) => placeOf(task) ?? []).slice(0, firstSeen)
  const all = here === null ? places : [here, ...places]
  if (all.length === 0) return null
  const [lngs, lats] = [all.map(({ lng }) => lng), all.map(({ lat }) => lat)]
  return { west: Math.min(...lngs), south: Math.min(...lats), east: Math.max(...lngs), north: Math.max(...lats) }
}

const pointOf = (at: Point, properties: Record<string, unknown>) => ({
  type: 'Feature' as const,
  properties,
  geometry: { type: 'Point' as const, coordinates: [at.lng, at.lat] },
})

/** The kind of a task in one sign: a colour alone says nothing in the sun. */
const signOf = ({ kind }: Task): string => t(taskKindLabels[kind]).slice(0, 1)

function dotsOf(mine: readonly Shown[], open: readonly Shown[]): FeatureCollection {
  const dots = (list: readonly Shown[], isMine: boolean) =>
    list.flatMap(({ task }, index) => {
      const place = placeOf(task)
      return place === null
        ? []
        : [pointOf(place, { task: task.id, mine: isMine, word: isMine ? String(index + 1) : signOf(task) })]
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
          'circle-radius': ['case', ['get', 'mine'], 16, 13],
          'circle-color': ['case', ['get', 'mine'], accent, quiet],
          'circle-stroke-color': paper,
          'circle-stroke-width': 2,
        },
      },
      {
        id: 'field-stops',
        type: 'symbol',
        layout: {
          'text-field': ['get', 'word'],
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
