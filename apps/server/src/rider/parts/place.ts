import { z } from 'zod'
import { AppError } from '@saddle/contract/errors.ts'

/** Where a page ended: the time by which its last row is sorted, and its id. */
export type Place = { readonly at: number; readonly id: number }
const placeSchema = z.tuple([z.int().nonnegative(), z.int().positive()])

export const writePlace = ({ at, id }: Place): string => Buffer.from(JSON.stringify([at, id])).toString('base64url')

/** Null for no cursor. Throws bad_request on one that this platform did not write. */
export function readPlace(text: string | undefined): Place | null {
  if (text === undefined) return null
  try {
    const [at, id] = placeSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { at, id }
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}
