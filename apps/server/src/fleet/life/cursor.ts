import { z } from 'zod'
import { AppError } from '@saddle/contract/errors.ts'
import { lifeKinds } from '@saddle/contract/fleet/life.ts'

/** Where a page ended: the instant (µs) of its last entry, its kind and its id. */
const cursorSchema = z.tuple([z.string().regex(/^\d{1,17}$/), z.enum(lifeKinds), z.int()])
export type LifeCursor = z.infer<typeof cursorSchema>

export const writeCursor = (cursor: LifeCursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

export function readCursor(text: string): LifeCursor {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}
