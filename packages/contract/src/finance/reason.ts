import { z } from 'zod'
import { idSchema, plainTextSchema } from '#contract/answers.ts'
import { pageSizeMax } from '#contract/constants.ts'

/** What calls about riders' money share. */

export const moneyReasonMax = 120

/** Why somebody moves a rider's money: the rider reads it. */
export const moneyReasonSchema = plainTextSchema.trim().min(1).max(moneyReasonMax)

/** A page behind an id, for the few rows of one rider. */
export const moneyPage = {
  cursor: idSchema.optional(),
  pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
}
