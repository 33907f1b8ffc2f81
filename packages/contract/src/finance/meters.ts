import { z } from 'zod'
import { answeredIdSchema, answerOf, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { defineEndpoints } from '#contract/endpoint.ts'

/** What companies use of the platform, counted by business day, and what it costs. */

export const meters = ['vehicle_day', 'device_data', 'sms', 'map_call', 'certification'] as const
export type Meter = (typeof meters)[number]
export const meterLabels: Readonly<Record<Meter, string>> = {
  vehicle_day: '车辆服务',
  device_data: '设备数据',
  sms: '短信',
  map_call: '地图服务',
  certification: '用户认证',
}
export const meterUnits: Readonly<Record<Meter, string>> = {
  vehicle_day: '车·天',
  device_data: '条消息',
  sms: '条短信',
  map_call: '次调用',
  certification: '次审核',
}

/** A fee for the service itself, or for what was used of it. */
export const meterGroups = ['service', 'usage'] as const
export type MeterGroup = (typeof meterGroups)[number]
export const metersOf: Readonly<Record<MeterGroup, readonly Meter[]>> = {
  service: ['vehicle_day'],
  usage: ['device_data', 'sms', 'map_call', 'certification'],
}

/** What one company used on a business day; areaId is null for what belongs to no area. */
export interface MeterCount {
  readonly agentId: number
  readonly areaId: number | null
  readonly quantity: number
}

/** One thing that was counted. */
export const meterEventSchema = z.object({
  subject: z.string(),
  /** Null: it lasted the whole day. */
  at: instantSchema.nullable(),
  quantity: z.int(),
})
export type MeterEvent = z.infer<typeof meterEventSchema>
export const meterEventsMax = 200

/** Where the events of a day are looked for. */
export interface MeterDay {
  readonly agentId: number
  readonly areaId: number | null
  readonly from: Date
  readonly to: Date
}

export const meterPriceMaxCents = 1_000_000
export const meterPerMax = 1_000_000
export const meterReasonMax = 200
const daySchema = z.iso.date()

export const meterPriceSchema = z.object({
  id: answeredIdSchema,
  meter: z.enum(meters),
  version: z.int(),
  /** The first business day that it holds for. */
  firstDay: z.string(),
  /** For so many units: 300 cents for 10,000 calls. */
  priceCents: z.int(),
  perQuantity: z.int(),
  reason: z.string(),
  madeAt: instantSchema,
  madeBy: z.string(),
})
export type MeterPrice = z.infer<typeof meterPriceSchema>

const rights = { host: 'finance', permission: ['financial_03'], scope: 'agent', method: 'POST' } as const

export const meterEndpoints = defineEndpoints({
  meterPrices: {
    ...rights,
    idempotency: 'none',
    path: '/Business/meter-price/list',
    summary: '各计量项的单价版本，新的在前；所有加盟商可见，谁在何时改过一目了然',
    input: z.object({}),
    output: answerOf(z.object({ list: z.array(meterPriceSchema), maySet: z.boolean() })),
  },
  setMeterPrice: {
    ...rights,
    idempotency: 'key',
    path: '/Business/meter-price/put',
    summary: '平台发布一个计量项的新单价，自今天之后的某天起生效；已过去的日子不变',
    input: z.object({
      meter: z.enum(meters),
      firstDay: daySchema,
      priceCents: z.int().min(0).max(meterPriceMaxCents),
      perQuantity: z.int().min(1).max(meterPerMax),
      reason: plainTextSchema.trim().min(1).max(meterReasonMax),
    }),
    output: answerOf(meterPriceSchema),
  },
})
