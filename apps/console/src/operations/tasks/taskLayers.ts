import type { FeatureCollection } from 'geojson'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { taskKinds, type TaskKind } from '@saddle/contract/operations/taskWords.ts'
import type { PartLayer } from '#kit/map/GeoLayers.tsx'
import type { MapTheme } from '#kit/map/palette.ts'
import { markStyles } from '#kit/theme/vehicleColours.ts'

/** Where a task is: where its vehicle is now, or was when it was opened. */
export const placeOf = ({ vehicle, from }: Task) => vehicle.position ?? from

export const isLate = ({ dueAt, state }: Task, nowMs: number): boolean =>
  dueAt !== null && dueAt < nowMs && state !== 'done' && state !== 'cancelled'

const marks: Readonly<Record<TaskKind, keyof typeof markStyles>> = {
  battery_swap: 'lowBattery',
  move: 'onTrip',
  repair: 'lost',
  inspect: 'available',
  retrieve: 'reserved',
  relocate: 'inTask',
}
export const colourOf = (kind: TaskKind, theme: MapTheme): string => markStyles[marks[kind]][theme]

export function featuresOf(list: readonly Task[], nowMs: number): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: list.flatMap((task) => {
      const place = placeOf(task)
      if (place === null) return []
      const { id, kind, to, state } = task
      const late = isLate(task, nowMs)
      const point = {
        type: 'Feature' as const,
        id,
        properties: { task: id, kind, late, open: state === 'open', order: late ? 1 : 0 },
        geometry: { type: 'Point' as const, coordinates: [place.lng, place.lat] },
      }
      if (to === null) return [point]
      const way = [
        [place.lng, place.lat],
        [to.lng, to.lat],
      ]
      return [
        point,
        { type: 'Feature' as const, properties: { kind }, geometry: { type: 'LineString' as const, coordinates: way } },
      ]
    }),
  }
}

export function layersOf(theme: MapTheme): readonly PartLayer[] {
  const colour = [
    'match',
    ['get', 'kind'],
    ...taskKinds.flatMap((kind) => [kind, colourOf(kind, theme)]),
    '#888888',
  ] as never
  const edge = theme === 'dark' ? '#0d1218' : '#ffffff'
  return [
    {
      id: 'task-point',
      type: 'circle',
      filter: ['==', ['geometry-type'], 'Point'],
      layout: { 'circle-sort-key': ['get', 'order'] },
      paint: {
        'circle-radius': ['interpolate', ['linear'], ['zoom'], 10, 5, 15, 9],
        'circle-color': colour,
        'circle-opacity': ['case', ['get', 'open'], 0.95, 0.55],
        'circle-stroke-color': ['case', ['get', 'late'], markStyles.fault[theme], edge],
        'circle-stroke-width': ['case', ['get', 'late'], 3, 1.2],
      },
    },
    {
      id: 'task-way',
      type: 'line',
      minzoom: 12,
      filter: ['==', ['geometry-type'], 'LineString'],
      paint: { 'line-color': colour, 'line-width': 1.2, 'line-opacity': 0.5, 'line-dasharray': [2, 2] },
    },
  ]
}

/** The box around the tasks; with their destinations where one task is looked at. */
export function boxOf(list: readonly Task[], withDestinations = false) {
  const places = list.flatMap((task) =>
    [placeOf(task), withDestinations ? task.to : null].filter((place) => place !== null),
  )
  if (places.length === 0) return null
  const [lngs, lats] = [places.map(({ lng }) => lng), places.map(({ lat }) => lat)]
  return { west: Math.min(...lngs), east: Math.max(...lngs), south: Math.min(...lats), north: Math.max(...lats) }
}
