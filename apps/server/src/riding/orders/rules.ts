import { z } from 'zod'
import { orderStateLabels, type Order } from '@saddle/contract/riding/orders.ts'
import { returnKindLabels } from '@saddle/contract/riding/price.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { yuanOf } from '@saddle/contract/money.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import { businessTime, csvLine } from '#kit/csv.ts'

/** The day it was placed and its id: what a rider reads to somebody on the telephone. */
export function orderNumber({ id, placedAt }: { readonly id: number; readonly placedAt: number }): string {
  return `${businessDayOf(placedAt).slice(2).replaceAll('-', '')}${String(id).padStart(10, '0')}`
}

/** The id within a number; whether its day is right, the order's own number says. */
export const idOfNumber = (number: string): number => Number(number.slice(6))

/** Where a page ended: the time of its last order and its id. */
export type OrderCursor = { readonly placedAt: number; readonly id: number }
const cursorSchema = z.tuple([z.int().nonnegative(), z.int().positive()])

export const writeCursor = ({ placedAt, id }: OrderCursor): string =>
  Buffer.from(JSON.stringify([placedAt, id])).toString('base64url')

/** Throws bad_request on a cursor that this platform did not write. */
export function readCursor(text: string): OrderCursor {
  try {
    const [placedAt, id] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { placedAt, id }
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}

const columns: readonly (readonly [title: string, value: (row: Order) => string | number | null])[] = [
  ['订单编号', (row) => row.number],
  ['手机号', (row) => row.riderPhone],
  ['车辆编号', (row) => row.vehicleNumber],
  ['加盟商', (row) => row.company],
  ['服务区', (row) => row.areaName],
  ['状态', (row) => orderStateLabels[row.state]],
  ['下单时间', (row) => businessTime(row.placedAt)],
  ['开始时间', (row) => businessTime(row.startedAt)],
  ['结束时间', (row) => businessTime(row.endedAt)],
  ['里程(米)', (row) => (row.distanceM === null ? null : Math.round(row.distanceM))],
  ['还车判定', (row) => (row.returnKind === null ? null : returnKindLabels[row.returnKind])],
  ['订单金额(元)', (row) => (row.chargedCents === null ? null : yuanOf(row.chargedCents))],
  ['已退款(元)', (row) => yuanOf(row.refundedCents)],
]

export const orderCsvTitles = columns.map(([title]) => title)
export const orderCsvRow = (row: Order): string => csvLine(columns.map(([, value]) => value(row)))
