import { fenceExportPartRows, type FenceFileFormat, type ManagedFence } from '@saddle/contract/geography/manage.ts'
import { clockOf, featureOf } from '@saddle/contract/geography/exchange.ts'
import { geoJsonFrame, geoJsonOf, kmlFrame, kmlOf } from '@saddle/geo/features.ts'
import { businessTime, csvLine, csvPart } from '#kit/csv.ts'
import { shapeOf } from '../fences/rows.ts'

const titles = [
  '名称',
  '服务区',
  '经度',
  '纬度',
  '半径',
  '容量',
  '开放',
  '关闭',
  '面积（平方米）',
  '当前车辆',
  '近 7 天还车',
  '版本',
  '生效时间',
  '修改人',
]

const row = (fence: ManagedFence): string =>
  csvLine([
    fence.name,
    fence.areaName,
    Math.round(fence.centre.lng * 1e6) / 1e6,
    Math.round(fence.centre.lat * 1e6) / 1e6,
    fence.radiusM,
    fence.capacity,
    fence.hours === null ? '' : clockOf(fence.hours.opensMinute),
    fence.hours === null ? '' : clockOf(fence.hours.closesMinute),
    fence.areaM2,
    fence.standing,
    fence.returns,
    fence.version,
    businessTime(fence.validFrom),
    fence.authorName,
  ])

const extensions: Readonly<Record<FenceFileFormat, string>> = { csv: 'csv', geojson: 'geojson', kml: 'kml' }

type Asked = {
  readonly list: readonly ManagedFence[]
  readonly format: FenceFileFormat
  /** Rows before this part. */
  readonly from: number
  readonly exportId: string
  readonly operatorName: string
  readonly atMs: number
}

/** One piece of the file; pieces one after the other are the whole. */
export function exportPart({ list, format, from, exportId, operatorName, atMs }: Asked) {
  const part = list.slice(from, from + fenceExportPartRows)
  const next = from + part.length
  const isLast = next >= list.length
  const fileName = `fences-${businessTime(atMs).slice(0, 10)}-${exportId.slice(0, 8)}.${extensions[format]}`
  const whole = { exportId, fileName, rows: part.length, nextCursor: isLast ? null : String(next) }
  if (format === 'csv') {
    const origin = { exportId, operatorName }
    return { ...whole, text: csvPart({ origin, titles, isFirst: from === 0, lines: part.map(row) }) }
  }
  const written = part.map((fence) => featureOf({ ...fence, shape: shapeOf(fence) }))
  if (format === 'kml') {
    const body = written.map(kmlOf).join('')
    return { ...whole, text: `${from === 0 ? kmlFrame.head : ''}${body}${isLast ? kmlFrame.tail : ''}` }
  }
  const body = written.map(geoJsonOf).join(',\n')
  const start = from === 0 ? geoJsonFrame.head : ',\n'
  return { ...whole, text: `${start}${body}${isLast ? geoJsonFrame.tail : ''}` }
}
