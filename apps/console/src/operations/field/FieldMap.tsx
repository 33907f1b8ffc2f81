import type { FeatureCollection } from 'geojson'
import { useMemo, useState, type ReactNode } from 'react'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { taskKindLabels } from '@saddle/contract/operations/taskWords.ts'
import { type LatLng } from '@saddle/geo/earth.ts'
import { t } from '#kit/i18n/index.ts'
import { GeoLayers, type PartLayer } from '#kit/map/GeoLayers.tsx'
import FocusMap from '#kit/map/FocusMap.tsx'
import { textFontStrong } from '#kit/map/style.ts'
import type { MapBounds } from '#kit/map/view.ts'
import { useTheme } from '#kit/theme/settings.ts'
import type { ShownTask } from './shownTask.ts'
import { groupsOf, placeOf } from './rules.ts'
import { TaskCard } from './TaskCard.tsx'

interface Props {
  /** In the order of the way. */
  readonly mine: readonly ShownTask[]
  readonly open: readonly ShownTask[]
  readonly here: LatLng | null
  readonly now: number
  readonly onChoose: (task: Task) => void
}

const empty: FeatureCollection = { type: 'FeatureCollection', features: [] }

/** My way through my tasks, and what else is to be done around. */
export default function FieldMap({ mine, open, here, now, onChoose }: Props): ReactNode {
  const theme = useTheme().appearance
  const [start, setStart] = useState<MapBounds | null>(null)
  const around = start ?? boxAround(here, mine.length > 0 ? mine : open)
  if (start === null && around !== null) setStart(around)
  const spots = useMemo(() => spotsOf(mine, open), [mine, open])
  const data = useMemo(() => dotsOf(spots), [spots])
  const [pickedId, pick] = useState<number | null>(null)
  const picked = spots.find((spot) => spot.list.some(({ task }) => task.id === pickedId))
  const way = useMemo(() => wayOf(mine, here), [mine, here])
  const [dots, line, self] = useMemo(() => layersOf(theme === 'dark'), [theme])
  const me = useMemo(
    () => (here === null ? empty : { type: 'FeatureCollection' as const, features: [pointOf(here, {})] }),
    [here],
  )
  return (
    <div className="field-map">
      <FocusMap label={t('任务地图')} focus={around}>
        <GeoLayers id="field-way" data={way} layers={line} />
        <GeoLayers
          id="field-tasks"
          data={data}
          layers={dots}
          onPick={(properties) => {
            const [first, second] = spots[Number(properties['spot'])]?.list ?? []
            if (second !== undefined) pick(second.task.id)
            else if (first !== undefined) onChoose(first.task)
          }}
        />
        <GeoLayers id="field-me" data={me} layers={self} />
      </FocusMap>
      {picked !== undefined && (
        <section className="field-sheet" aria-label={t('此处的任务')}>
          <header>
            <h2>{t('此处的任务')}</h2>
            <button type="button" className="field-back" aria-label={t('关闭')} onClick={() => pick(null)}>
              ×
            </button>
          </header>
          <ol className="field-cards">
            {picked.list.map((shown) => (
              <TaskCard key={shown.task.id} shown={shown} now={now} onChoose={onChoose} />
            ))}
          </ol>
        </section>
      )}
    </div>
  )
}

/** So many of the nearest are enough to begin with. */
const firstSeen = 12

/** What is seen first: where I am, and my way or what is near. Later moves are the person's. */
function boxAround(here: LatLng | null, list: readonly ShownTask[]): MapBounds | null {
  const places = list.flatMap(({ task }) => placeOf(task) ?? []).slice(0, firstSeen)
  const all = here === null ? places : [here, ...places]
  if (all.length === 0) return null
  const [lngs, lats] = [all.map(({ lng }) => lng), all.map(({ lat }) => lat)]
  return { west: Math.min(...lngs), south: Math.min(...lats), east: Math.max(...lngs), north: Math.max(...lats) }
}

const pointOf = (at: LatLng, properties: Record<string, unknown>) => ({
  type: 'Feature' as const,
  properties,
  geometry: { type: 'Point' as const, coordinates: [at.lng, at.lat] },
})

/** The kind of a task as one sign: colours alone are hard to see in sunlight. */
const signOf = ({ kind }: Task): string => t(taskKindLabels[kind]).slice(0, 1)

interface Spot {
  readonly place: LatLng
  readonly isMine: boolean
  readonly word: string
  readonly list: readonly ShownTask[]
}

/** Tasks that stand on top of each other are one dot, so that none of them is out of reach. */
function spotsOf(mine: readonly ShownTask[], open: readonly ShownTask[]): Spot[] {
  const placed = (list: readonly ShownTask[], isMine: boolean) =>
    list.flatMap((shown, index) => {
      const place = placeOf(shown.task)
      return place === null ? [] : [{ place, shown, isMine, stop: index + 1 }]
    })
  return groupsOf([...placed(mine, true), ...placed(open, false)]).map((group): Spot => {
    const stops = group.filter(({ isMine }) => isMine).map(({ stop }) => String(stop))
    const [first] = group
    const signs = group.length === 1 ? signOf(first.shown.task) : `×${group.length}`
    return {
      place: first.place,
      isMine: stops.length > 0,
      word: stops.length > 0 ? stops.slice(0, 2).join('·') : signs,
      list: group.map(({ shown }) => shown),
    }
  })
}

function dotsOf(spots: readonly Spot[]): FeatureCollection {
  const features = spots.map(({ place, isMine, word }, spot) => pointOf(place, { spot, mine: isMine, word }))
  // Mine are drawn last, on top.
  return { type: 'FeatureCollection', features: features.toReversed() }
}

function wayOf(mine: readonly ShownTask[], here: LatLng | null): FeatureCollection {
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
