import { z } from 'zod'
import { idSchema } from '#contract/answers.ts'

/** Parts that one repair may use, and pieces of each. */
export const usedPartsMax = 20
export const usedPiecesMax = 100

export const usedPartsSchema = z
  .array(z.strictObject({ partId: idSchema, pieces: z.int().min(1).max(usedPiecesMax) }))
  .max(usedPartsMax)
  .default([])
