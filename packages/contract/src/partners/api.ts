import { z } from 'zod'
import { answeredIdSchema, idSchema, instantSchema } from '#contract/answers.ts'
import { vehicleStates } from '#contract/fleet/vehicles.ts'
import type { PartnerScope } from './keys.ts'

/** What partners' programs call: plain JSON over https, by a key in `Authorization: Bearer …`. */

export const partnerPath = '/partner/v1'
/** Where a person reads of these calls and tries them. */
export const partnerDocsPath = '/docs/partners'
export const partnerPageMax = 500
export const partnerPageDefault = 100
/** An order list reaches over this span at most. */
export const partnerOrderDaysMax = 31

const page = {
  /** `next` of the answer before; absent: from the beginning. */
  cursor: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(partnerPageMax).default(partnerPageDefault),
}
const pageOf = <T extends z.core.$ZodType>(row: T) =>
  z.object({ suc: z.literal(true), data: z.object({ list: z.array(row), next: z.string().nullable() }) })

export const partnerAreaSchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  centre: z.object({ lat: z.number(), lng: z.number() }),
  state: z.enum(['enabled', 'disabled']),
})
export const partnerVehicleSchema = z.object({
  id: answeredIdSchema,
  number: z.string(),
  areaId: answeredIdSchema,
  model: z.string(),
  /** By the states of MDS 2.0. */
  state: z.enum(vehicleStates),
  stateChangedAt: instantSchema,
  position: z.object({ lat: z.number(), lng: z.number(), at: instantSchema }).nullable(),
  batteryPercent: z.number().nullable(),
})
export const partnerOrderSchema = z.object({
  id: answeredIdSchema,
  areaId: answeredIdSchema,
  vehicleNumber: z.string(),
  state: z.string(),
  placedAt: instantSchema,
  startedAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  distanceM: z.number().nullable(),
  chargedCents: z.int().nullable(),
  refundedCents: z.int(),
})

/** A call of partners. */
export interface PartnerCall {
  readonly path: string
  readonly scope: PartnerScope
  readonly summary: string
  readonly input: z.ZodObject
  readonly output: z.ZodType
  readonly example: unknown
}

const at = Date.UTC(2026, 0, 15, 4)

export const partnerCalls = {
  listPartnerAreas: {
    path: `${partnerPath}/areas`,
    scope: 'areas',
    summary: 'Service areas of the company, in the order of their ids.',
    input: z.strictObject(page),
    output: pageOf(partnerAreaSchema),
    example: {
      suc: true,
      data: { list: [{ id: 31, name: '城北', centre: { lat: 31.3, lng: 120.6 }, state: 'enabled' }], next: null },
    },
  },
  listPartnerVehicles: {
    path: `${partnerPath}/vehicles`,
    scope: 'vehicles',
    summary: 'Vehicles with their states, positions and battery levels, in the order of their ids.',
    input: z.strictObject({ ...page, areaId: idSchema.optional(), state: z.enum(vehicleStates).optional() }),
    output: pageOf(partnerVehicleSchema),
    example: {
      suc: true,
      data: {
        list: [
          {
            id: 7,
            number: 'SD000007',
            areaId: 31,
            model: 'SD-E2',
            state: 'available',
            stateChangedAt: at,
            position: { lat: 31.3, lng: 120.6, at },
            batteryPercent: 82,
          },
        ],
        next: '7',
      },
    },
  },
  listPartnerOrders: {
    path: `${partnerPath}/orders`,
    scope: 'orders',
    summary: 'Orders placed in a span of at most 31 days, in the order of their ids, without anything about riders.',
    input: z.strictObject({
      ...page,
      from: z.coerce.number().pipe(instantSchema),
      to: z.coerce.number().pipe(instantSchema),
    }),
    output: pageOf(partnerOrderSchema),
    example: {
      suc: true,
      data: {
        list: [
          {
            id: 9,
            areaId: 31,
            vehicleNumber: 'SD000007',
            state: 'paid',
            placedAt: at,
            startedAt: at,
            endedAt: at + 600_000,
            distanceM: 1_500,
            chargedCents: 200,
            refundedCents: 0,
          },
        ],
        next: null,
      },
    },
  },
} as const satisfies Readonly<Record<string, PartnerCall>>
export type PartnerCallName = keyof typeof partnerCalls
