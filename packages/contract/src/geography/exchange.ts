import { pointOf, readGeoJson, readKml, type Feature, type WrittenFeature } from '@saddle/geo/features.ts'
import type { Ring } from '@saddle/geo/ring.ts'
import type { Shape } from '@saddle/geo/shape.ts'
import { fenceHolesMax, type FenceHours } from './fences.ts'
import { fenceBatchMax, fenceCapacityMax, fenceNameMax, type FenceDraft } from './manage.ts'
import { shapeProblem, shapeProblemLabels } from './shape.ts'

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

/** GeoJSON, KML, or a list with one place in a line, by what the text looks like. */
export function readFences(text: string, asked: Asked): ReadFile {
  if (text.length > fenceFileMaxBytes) return failed('too_large')
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (trimmed === '') return failed('empty')
  const read = trimmed.startsWith('{')
    ? readGeoJson(trimmed)
    : trimmed.startsWith('<')
      ? readKml(trimmed)
      : fromList(trimmed)
  if (typeof read === 'string') return failed(read)
  if (read.length === 0) return failed('no_fences')
  if (read.length > fenceBatchMax) return failed('too_many')
  return { fences: read.map((one, index) => readOne(one, index + 1, asked)), problem: null }
}

const failed = (problem: ReadProblem): ReadFile => ({ fences: [], problem })

function readOne(feature: Feature, n: number, { radiusM, unnamed }: Asked): ReadFence {
  const { properties } = feature
  const name = feature.name.trim().slice(0, fenceNameMax) || `${unnamed} ${n}`
  const refused = (problem: ReadProblem): ReadFence => ({ n, name, draft: null, problem })
  if (feature.problem !== undefined) return refused(feature.problem)
  if (feature.shape === null) return refused('shape_unknown')
  const given = feature.shape
  if ('ring' in given && given.holes.length > fenceHolesMax) return refused('many_holes')
  const radius = numberOf(properties['radiusM'])
  const shape: Shape =
    'radiusM' in given ? { centre: given.centre, radiusM: radius ?? (given.radiusM || radiusM) } : given
  const wrong = shapeProblem(shape)
  if (wrong !== null) return refused(wrong)
  const capacity = numberOf(properties['capacity'])
  if (capacity !== null && !(Number.isInteger(capacity) && capacity >= 0 && capacity <= fenceCapacityMax)) {
    return refused('capacity')
  }
  const hours = hoursOf(properties['opens'], properties['closes'])
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

/** In the order of a list without titles. */
const columns = ['name', 'lng', 'lat', 'radiusM', 'capacity', 'opens', 'closes'] as const
const titles: Readonly<Record<string, (typeof columns)[number]>> = {
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

/** A place in a line: name, longitude, latitude, radius, capacity, from, to; a first line may name them in another order. */
function fromList(text: string): Feature[] {
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
  const order = isHead ? head : columns
  return lines.slice(isHead ? 1 : 0).map((line): Feature => {
    const cells = new Map(cellsOf(line).map((cell, at) => [order[at], cell]))
    const { lng, lat } = { lng: numberOf(cells.get('lng')), lat: numberOf(cells.get('lat')) }
    const properties = Object.fromEntries(cells)
    return Object.assign(pointOf([lng, lat]), { name: cells.get('name') ?? '', properties })
  })
}

export interface WrittenFence {
  readonly name: string
  readonly shape: Shape
  readonly capacity: number | null
  readonly hours: FenceHours | null
}

/** A fence as a feature of a file that `readFences` reads again. */
export const featureOf = ({ name, shape, capacity, hours }: WrittenFence): WrittenFeature => ({
  name,
  shape,
  properties: {
    ...(capacity !== null && { capacity }),
    ...(hours !== null && { opens: clockOf(hours.opensMinute), closes: clockOf(hours.closesMinute) }),
  },
})
