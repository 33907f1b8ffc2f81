import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { benefitSchema, skippedBenefitSchema, weathers } from './benefits.ts'
import { chargeLineSchema, priceRulesSchema, returnKinds } from './price.ts'

export const priceVersionSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  areaId: answeredIdSchema,
  areaName: z.string(),
  name: z.string(),
  rules: priceRulesSchema,
  validFrom: instantSchema,
  authorName: z.string(),
  createdAt: instantSchema,
})
export type PriceVersion = z.infer<typeof priceVersionSchema>

export const listedVersionSchema = priceVersionSchema.extend({
  inForce: z.boolean(),
  /** The change of this area that comes next; null where none is planned. */
  next: z.object({ name: z.string(), validFrom: instantSchema }).nullable(),
  /** It was taken back before it began; null otherwise. */
  withdrawn: z.object({ at: instantSchema, by: z.string() }).nullable(),
})
export type ListedVersion = z.infer<typeof listedVersionSchema>

export const priceVersionNameMax = 40
/** Rides that a comparison looks at. */
export const comparedRidesMax = 20_000
/** Areas that one publication may reach. */
export const pricedAreasMax = 200

export const priceEndpoints = defineEndpoints({
  listPriceVersions: {
    method: 'GET',
    path: `${basePath}/config/cost`,
    host: 'platform',
    permission: ['1702', '1601'],
    scope: 'area',
    idempotency: 'none',
    summary: '计价版本：每个服务区现行的；给出服务区则为其全部版本，含将要生效的',
    input: z.object({ areaId: idSchema.optional() }),
    output: answerOf(
      z.object({
        list: z.array(listedVersionSchema),
        /** Areas of the scope where nobody can ride yet; none where one area was asked for. */
        unpriced: z.array(z.object({ areaId: answeredIdSchema, areaName: z.string() })),
      }),
    ),
  },
  publishPriceVersion: {
    method: 'POST',
    path: `${basePath}/config/cost`,
    host: 'platform',
    permission: ['1702'],
    scope: 'area',
    idempotency: 'key',
    summary: '发布计价版本：从此刻或将来某一时刻起生效，旧版本保留',
    input: z.object({
      areaIds: z.array(idSchema).min(1).max(pricedAreasMax),
      name: plainTextSchema.trim().min(1).max(priceVersionNameMax),
      rules: priceRulesSchema,
      /** Absent: from now on. */
      validFrom: instantSchema.optional(),
    }),
    output: answerOf(z.object({ list: z.array(priceVersionSchema) })),
  },
  withdrawPriceVersions: {
    method: 'DELETE',
    path: `${basePath}/config/cost`,
    host: 'platform',
    permission: ['1702'],
    scope: 'area',
    idempotency: 'key',
    reverse: 'publishPriceVersion',
    summary: '撤回计价版本：这些服务区中尚未生效的全部撤回，已生效的不受影响',
    input: z.object({ areaIds: z.array(idSchema).min(1).max(pricedAreasMax) }),
    /** What was taken back; none when all had begun meanwhile. */
    output: answerOf(z.object({ list: z.array(priceVersionSchema) })),
  },
  comparePrices: {
    method: 'POST',
    path: `${basePath}/config/cost/compare`,
    host: 'platform',
    permission: ['1702'],
    scope: 'area',
    idempotency: 'none',
    summary: '发布之前：这些服务区最近一个月的骑行，按现行版本与按新规则各是多少，以及实收多少',
    input: z.object({ areaIds: z.array(idSchema).min(1).max(pricedAreasMax), rules: priceRulesSchema }),
    output: answerOf(
      z.object({
        /** The newest ones, at most `comparedRidesMax`. */
        rides: z.int(),
        isCut: z.boolean(),
        /** What was really charged, after reviews of returns. */
        chargedCents: z.int(),
        /** By the versions in force now; the cap of a day counts a rider's rides together, as it does for the new rules. */
        currentCents: z.int(),
        newCents: z.int(),
        /** By the new rules than by those in force. */
        dearer: z.int(),
        cheaper: z.int(),
        /** The rides whose price would change most. */
        examples: z.array(
          z.object({ orderId: answeredIdSchema, number: z.string(), currentCents: z.int(), newCents: z.int() }),
        ),
      }),
    ),
  },
  itineraryCost: {
    method: 'GET',
    path: `${basePath}/itineraryCost`,
    host: 'platform',
    permission: ['1601', '1702'],
    scope: 'area',
    idempotency: 'none',
    summary: '一次骑行在某个计价版本下的费用：给出订单，或给出服务区与骑行本身；不给版本则用当时现行的',
    input: z
      .object({
        orderId: idSchema.optional(),
        ride: z
          .strictObject({
            areaId: idSchema,
            startedAt: instantSchema,
            endedAt: instantSchema,
            distanceM: z.number().min(0).max(1_000_000).default(0),
            returnKind: z.enum(returnKinds).default('in_place'),
            benefits: z.array(benefitSchema).max(10).default([]),
          })
          .refine(({ startedAt, endedAt }) => endedAt >= startedAt, { error: '结束时间早于开始时间' })
          .optional(),
        versionId: idSchema.optional(),
        /** Rules that are not published yet. */
        rules: priceRulesSchema.optional(),
      })
      .refine(({ orderId, ride }) => (orderId === undefined) !== (ride === undefined), {
        error: '请给出订单或骑行，二者之一',
      }),
    output: answerOf(
      z.object({
        /** Null: the given rules. */
        version: priceVersionSchema.nullable(),
        lines: z.array(chargeLineSchema),
        skipped: z.array(skippedBenefitSchema),
        totalCents: z.int(),
        /** What the order was charged; null without one, or before it was. */
        chargedCents: z.int().nullable(),
      }),
    ),
  },
  tryBenefit: {
    method: 'POST',
    path: `${basePath}/marketing/coupon/try`,
    host: 'platform',
    permission: ['1709'],
    scope: 'area',
    idempotency: 'none',
    bodyLimitBytes: bodyLimits.lists,
    summary: '一项优惠在一次假设的骑行中减免多少：按服务区现行的计价版本',
    input: z.object({
      benefit: benefitSchema,
      ride: z.strictObject({
        areaId: idSchema,
        startedAt: instantSchema,
        minutes: z.int().min(1).max(1_440),
        distanceM: z.int().min(0).max(100_000),
        returnKind: z.enum(returnKinds),
        model: plainTextSchema.max(40).nullable(),
        weather: z.enum(weathers).nullable(),
      }),
    }),
    output: answerOf(
      z.object({
        lines: z.array(chargeLineSchema),
        skipped: z.array(skippedBenefitSchema),
        totalCents: z.int(),
        /** The same ride without it. */
        plainCents: z.int(),
      }),
    ),
  },
})
