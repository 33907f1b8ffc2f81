import { z } from 'zod'
import { answerOf, idSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { cardTermsSchema } from '#contract/finance/cardTerms.ts'

/** What a card would have done in the past weeks, before it is put on sale. */

/** The newest ones that are looked at. */
export const cardPreviewRidesMax = 20_000
export const cardPreviewWeeksMax = 8

export const cardPreviewSchema = z.object({
  weeks: z.int(),
  rides: z.int(),
  isCut: z.boolean(),
  riders: z.int(),
  /** What they paid, by the price versions in force now. */
  paidCents: z.int(),
  /** Riders for whom the card would have saved more than it costs. */
  gainers: z.int(),
  /** What it would have taken off their rides, and what they would have paid for their cards. */
  savedCents: z.int(),
  cardsCents: z.int(),
  /** Fewest rides of a rider who would have gained; null where nobody would have. */
  ridesToGain: z.int().nullable(),
  /** Riders by how often they rode. */
  groups: z.array(
    z.object({
      from: z.int(),
      /** Null: any number more. */
      to: z.int().nullable(),
      riders: z.int(),
      gainers: z.int(),
      /** On average for a rider of the group. */
      savedCents: z.int(),
      cardsCents: z.int(),
    }),
  ),
})
export type CardPreview = z.infer<typeof cardPreviewSchema>

export const cardPreviewEndpoints = defineEndpoints({
  previewCard: {
    method: 'POST',
    path: `${basePath}/config/cards/preview`,
    host: 'platform',
    permission: ['1703'],
    scope: 'area',
    idempotency: 'none',
    summary: '上架之前：若过去几周就有这张卡，多少骑行者会划算，替他们省多少，按骑行次数分组',
    input: z.object({
      agentId: idSchema,
      terms: cardTermsSchema,
      weeks: z.int().min(1).max(cardPreviewWeeksMax),
    }),
    output: answerOf(cardPreviewSchema),
  },
})
