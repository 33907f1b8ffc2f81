import { z } from 'zod'
import type { Order, OrderDetail, ReturnCheck } from '@saddle/contract/riding/orders.ts'
import {
  benefitConditionsSchema,
  benefitSchema,
  skippedBenefitSchema,
  type Benefit,
  type SkippedBenefit,
} from '@saddle/contract/riding/benefits.ts'
import type { ChargeLine } from '@saddle/contract/riding/price.ts'
import type { Riders } from '#rider/public.ts'
import { orderNumber } from './rules.ts'
import {
  presentCheck,
  presentLine,
  presentOrder,
  presentReview,
  type CheckRow,
  type LineRow,
  type OrderRow,
  type ReviewRow,
} from './store.ts'

export function orderOf(row: OrderRow, riders: Pick<Riders, 'maskedPhone'>): Order {
  const order = presentOrder(row)
  return { ...order, number: orderNumber(order), riderPhone: riders.maskedPhone(row) }
}

export const placeOf = (lat: number | null, lng: number | null): OrderDetail['start'] =>
  lat === null || lng === null ? null : { lat, lng }

const benefitsSchema = z.array(benefitSchema)
export const benefitsOf = (value: unknown): Benefit[] => benefitsSchema.parse(value)

const skippedSchema = z.array(skippedBenefitSchema)
export const skippedOf = (value: unknown): SkippedBenefit[] => skippedSchema.parse(value)

const noConditions = benefitConditionsSchema.parse({})
/** Benefits that a charge had, for a trial of other rules on it: they held, so their conditions are not asked again. */
export const heldBenefitsOf = (value: unknown): Benefit[] =>
  benefitsOf(value).map((benefit) => Object.assign(benefit, { conditions: noConditions }))

export const lineOf = (row: LineRow): ChargeLine & { n: number } => presentLine(row)

export function checkOf(row: CheckRow): ReturnCheck {
  const { lat, lng, ...check } = presentCheck(row)
  return { ...check, place: placeOf(lat, lng) }
}

export const reviewOf = (row: ReviewRow): NonNullable<OrderDetail['review']> => presentReview(row)
