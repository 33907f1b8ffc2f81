import { z } from 'zod'
import { plainTextSchema } from '#contract/answers.ts'

/** How the money of a ride is divided. */

export const splitPartiesMax = 10
export const wholeBasisPoints = 10_000
const splitFixedMaxCents = 100_000

/** Who pays the fee of the payment channel: the company alone, or everybody, before anything is divided. */
export const splitFeeBearers = ['company', 'shared'] as const
export const splitFeeBearerLabels: Readonly<Record<(typeof splitFeeBearers)[number], string>> = {
  company: '由加盟商承担',
  shared: '先扣除再分账',
}

export const splitShareSchema = z.discriminatedUnion('of', [
  /** A fixed sum for each ride, as far as there is enough. */
  z.strictObject({ of: z.literal('ride'), cents: z.int().min(1).max(splitFixedMaxCents) }),
  /** A part of what fixed sums leave. */
  z.strictObject({ of: z.literal('rest'), basisPoints: z.int().min(1).max(wholeBasisPoints) }),
])
export type SplitShare = z.output<typeof splitShareSchema>

export const splitTermsSchema = z
  .strictObject({
    /** What the channel keeps of a payment, in hundredths of a percent. */
    feeBasisPoints: z.int().min(0).max(1_000).default(60),
    feeBearer: z.enum(splitFeeBearers).default('company'),
    /** In the order in which fixed sums are taken. The company that owns the rides keeps the rest. */
    parties: z
      .array(
        z.strictObject({
          partyId: z.int().min(1),
          name: plainTextSchema.trim().min(1).max(40),
          share: splitShareSchema,
        }),
      )
      .max(splitPartiesMax),
  })
  .refine(({ parties }) => new Set(parties.map(({ partyId }) => partyId)).size === parties.length, {
    error: '同一分账方只能出现一次',
    path: ['parties'],
  })
  .refine(
    ({ parties }) =>
      parties.reduce((sum, { share }) => sum + (share.of === 'rest' ? share.basisPoints : 0), 0) <= wholeBasisPoints,
    { error: '各方比例之和不能超过 100%', path: ['parties'] },
  )
export type SplitTerms = z.output<typeof splitTermsSchema>
