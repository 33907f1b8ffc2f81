import { z } from 'zod'
import type { VehicleRow, VehicleSort } from '@saddle/contract/fleet/search.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { alarmKindLabels, vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import { taskKindLabels } from '@saddle/contract/operations/taskWords.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { businessTime, csvLine } from '#kit/csv.ts'

/** Where a page ended: the sorted value of its last row and its id, and what it was sorted by. */
const cursorSchema = z.tuple([z.string(), z.enum(['asc', 'desc']), z.union([z.string(), z.number()]), z.int()])
export type SearchCursor = { readonly value: string | number; readonly id: number }
type Order = { readonly by: VehicleSort; readonly direction: 'asc' | 'desc' }

export function writeCursor(order: Order, at: SearchCursor): string {
  return Buffer.from(JSON.stringify([order.by, order.direction, at.value, at.id])).toString('base64url')
}

/** Throws bad_request on a cursor that was not written for this order: it would skip or repeat rows. */
export function readCursor(order: Order, text: string): SearchCursor {
  try {
    const [by, direction, value, id] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    if (by !== order.by || direction !== order.direction) throw new RangeError('another order')
    if (typeof value !== (by === 'number' || by === 'state' ? 'string' : 'number')) throw new RangeError('another type')
    return { value, id }
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}

const columns: readonly (readonly [title: string, value: (row: VehicleRow) => string | number | null])[] = [
  ['车辆编号', (row) => row.number],
  ['IMEI', (row) => row.imei],
  ['型号', (row) => row.model],
  ['协议', (row) => deviceProtocolLabels[row.protocol]],
  ['固件', (row) => row.firmware],
  ['加盟商', (row) => row.company],
  ['服务区', (row) => row.areaName],
  ['状态', (row) => vehicleStateLabels[row.state]],
  ['在线', (row) => (row.online ? '是' : '否')],
  ['电量(%)', (row) => row.batteryPercent],
  ['信号', (row) => row.signal],
  ['纬度', (row) => row.position?.lat ?? null],
  ['经度', (row) => row.position?.lng ?? null],
  ['最近上报', (row) => businessTime(row.heardAt)],
  ['闲置自', (row) => businessTime(row.idleSince)],
  ['未关闭告警', (row) => row.openAlarms.map((kind) => alarmKindLabels[kind] ?? kind).join(' ')],
  ['未完成任务', (row) => row.openTasks.map((kind) => taskKindLabels[kind]).join(' ')],
]

export const csvTitles: readonly string[] = columns.map(([title]) => title)
export const csvRow = (row: VehicleRow): string => csvLine(columns.map(([, value]) => value(row)))
