import { hash } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '@saddle/contract/errors.ts'
import type { Direction } from '@saddle/contract/list.ts'

/** What a list is ordered by; an instant is written in microseconds since 1970. None of them is ever null. */
export type KeyKind = 'id' | 'instant' | 'day' | 'whole' | 'decimal' | 'text' | 'flag'
export type KeyValue = number | string | boolean
/** The sort keys of the last row of a page, its id last. */
export type Cursor = readonly KeyValue[]

/** The order that a cursor belongs to. */
export interface Order {
  readonly list: string
  readonly sort: string
  readonly direction: Direction
}

const textMax = 60
const values: Readonly<Record<KeyKind, z.ZodType<KeyValue>>> = {
  id: z.int().positive(),
  instant: z.int(),
  day: z.iso.date(),
  whole: z.int(),
  decimal: z.number(),
  // oxlint-disable-next-line no-control-regex -- PostgreSQL takes no NUL
  text: z
    .string()
    .max(textMax)
    .regex(/^[^\0]*$/),
  flag: z.boolean(),
}

/** A cursor carries a short mark of its order, because its values would mean something else in another one. */
const markOf = ({ list, sort, direction }: Order): string =>
  hash('sha256', `${list} ${sort} ${direction}`, 'base64url').slice(0, 6)

export const writeCursor = (order: Order, cursor: Cursor): string =>
  Buffer.from(JSON.stringify([markOf(order), ...cursor])).toString('base64url')

/** Null for no cursor. Throws bad_request on one that this platform did not write for this order. */
export function readCursor(text: string | undefined, order: Order, kinds: readonly KeyKind[]): Cursor | null {
  if (text === undefined) return null
  try {
    const [mark, ...read] = z.array(z.unknown()).parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    if (mark !== markOf(order) || read.length !== kinds.length) throw new RangeError('a cursor of another order')
    return kinds.map((kind, index) => values[kind].parse(read[index]))
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}
