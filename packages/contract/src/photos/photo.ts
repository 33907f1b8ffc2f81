import { z } from 'zod'
import { instantSchema } from '#contract/answers.ts'

/** Photos travel as base64 inside the calls of whoever owns them, so that they are sealed as everything else is. */

export const photoKinds = ['jpeg', 'png', 'webp'] as const
export type PhotoKind = (typeof photoKinds)[number]

/** Of one file, as it is sent. */
export const photoBytesMax = 400_000
export const photoPixelsMax = 12_000_000
/** In one call: sealed, so many of the largest still fit a body. */
export const photosPerCallMax = 4

/** A photo as it is sent. What the file is, the server finds out by itself. */
export const photoSchema = z
  .string()
  .min(1)
  .max(Math.ceil(photoBytesMax / 3) * 4)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/)

/** Photos that go along with something. */
export const photosSchema = (max: number) => z.array(photoSchema).max(Math.min(max, photosPerCallMax)).default([])

export const photoIdSchema = z.uuid()

/** A photo as it is shown. */
export const shownPhotoSchema = z.object({
  id: photoIdSchema,
  kind: z.enum(photoKinds),
  width: z.int().positive(),
  height: z.int().positive(),
  keptAt: instantSchema,
  base64: z.string(),
})
export type ShownPhoto = z.infer<typeof shownPhotoSchema>
