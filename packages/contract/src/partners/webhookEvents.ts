import { z } from 'zod'
import { alarmKindLabels, vehicleStates } from '#contract/fleet/vehicles.ts'
import { answeredIdSchema, instantSchema } from '#contract/answers.ts'

/** What webhooks tell partners' programs of: one row per event, with what its message has. The database writes these columns. */

const id = answeredIdSchema
const at = instantSchema.nullable()
const coordinate = z.number().nullable()
const cents = z.int()

const ride = z.object({
  id,
  areaId: id,
  vehicleId: id,
  vehicleNumber: z.string(),
  state: z.string(),
  startedAt: at,
  endedAt: at,
  startLat: coordinate,
  startLng: coordinate,
  endLat: coordinate,
  endLng: coordinate,
  distanceM: z.number().nullable(),
})
const order = z.object({
  id,
  areaId: id,
  vehicleNumber: z.string(),
  state: z.string(),
  placedAt: instantSchema,
  startedAt: at,
  endedAt: at,
  distanceM: z.number().nullable(),
  chargedCents: cents.nullable(),
  refundedCents: cents,
})
const refund = z.object({ id, orderId: id, areaId: id, cents, refundedAt: instantSchema })
const alarm = z.object({
  id,
  areaId: id,
  vehicleId: id,
  kind: z.string(),
  openedAt: instantSchema,
  closedAt: at,
})
const command = z.object({
  id,
  areaId: id,
  vehicleId: id,
  kind: z.string(),
  state: z.string(),
  queuedAt: instantSchema,
  sentAt: at,
  finishedAt: at,
})
const task = z.object({
  id,
  areaId: id,
  vehicleId: id,
  kind: z.string(),
  state: z.string(),
  source: z.string(),
  openedAt: instantSchema,
  doneAt: at,
})
const vehicle = z.object({
  id,
  areaId: id,
  number: z.string(),
  model: z.string(),
  state: z.enum(vehicleStates),
  stateChangedAt: instantSchema,
})
const statement = z.object({
  id,
  firstDay: z.iso.date(),
  lastDay: z.iso.date(),
  bills: z.int(),
  lines: z.int(),
  paidCents: cents,
  feeCents: cents,
  borneCents: cents,
  partiesCents: cents,
  ownerCents: cents,
  correctionsCents: cents,
  sealedAt: instantSchema,
})

export interface WebhookEvent {
  readonly title: string
  /** When it is told of. */
  readonly about: string
  readonly data: z.ZodObject
  readonly example: Readonly<Record<string, unknown>>
}

const noon = Date.UTC(2026, 0, 15, 4)
const later = noon + 600_000
const place = { areaId: 31, vehicleId: 7 } as const
const [anyAlarm = ''] = Object.keys(alarmKindLabels)

export const webhookEvents = {
  ride: {
    title: '骑行开始或结束',
    about: 'A ride has begun or ended.',
    data: ride,
    example: {
      id: 9,
      ...place,
      vehicleNumber: 'SD000007',
      state: 'due',
      startedAt: noon,
      endedAt: later,
      startLat: 31.3,
      startLng: 120.6,
      endLat: 31.31,
      endLng: 120.61,
      distanceM: 1_500,
    },
  },
  order: {
    title: '订单变化',
    about: 'An order has been placed, or its state, charge or refunds have changed.',
    data: order,
    example: {
      id: 9,
      areaId: 31,
      vehicleNumber: 'SD000007',
      state: 'paid',
      placedAt: noon,
      startedAt: noon,
      endedAt: later,
      distanceM: 1_500,
      chargedCents: 200,
      refundedCents: 0,
    },
  },
  refund: {
    title: '订单退款',
    about: 'An order has been refunded, wholly or in part.',
    data: refund,
    example: { id: 3, orderId: 9, areaId: 31, cents: 100, refundedAt: later },
  },
  alarm: {
    title: '告警出现或解除',
    about: 'An alarm of a vehicle has begun or ended.',
    data: alarm,
    example: { id: 12, ...place, kind: anyAlarm, openedAt: noon, closedAt: null },
  },
  command: {
    title: '指令变化',
    about: 'A command to a vehicle has been queued, or its state has changed.',
    data: command,
    example: { id: 5, ...place, kind: 'ring', state: 'confirmed', queuedAt: noon, sentAt: noon, finishedAt: later },
  },
  task: {
    title: '任务变化',
    about: 'A task has been opened, or its state has changed.',
    data: task,
    example: { id: 8, ...place, kind: 'battery_swap', state: 'done', source: 'rule', openedAt: noon, doneAt: later },
  },
  vehicle: {
    title: '车辆状态变化',
    about: 'A vehicle has been added, or its state by MDS 2.0 has changed.',
    data: vehicle,
    example: {
      id: 7,
      areaId: 31,
      number: 'SD000007',
      model: 'SD-E2',
      state: 'available',
      stateChangedAt: noon,
    },
  },
  statement: {
    title: '结算对账单',
    about: 'A statement of how income was divided has been sealed.',
    data: statement,
    example: {
      id: 1_001,
      firstDay: '2026-01-01',
      lastDay: '2026-01-31',
      bills: 31,
      lines: 900,
      paidCents: 90_000,
      feeCents: 540,
      borneCents: 0,
      partiesCents: 9_000,
      ownerCents: 80_460,
      correctionsCents: 0,
      sealedAt: later,
    },
  },
} as const satisfies Readonly<Record<string, WebhookEvent>>

export type WebhookEventName = keyof typeof webhookEvents
export const webhookEventNames = Object.keys(webhookEvents) as [WebhookEventName, ...WebhookEventName[]]
/** What is sent beside events: a trial that a person asked for. */
export const sentEventNames = [...webhookEventNames, 'test'] as const
export type SentEventName = (typeof sentEventNames)[number]
export const sentEventLabels: Readonly<Record<SentEventName, string>> = {
  ...(Object.fromEntries(webhookEventNames.map((name) => [name, webhookEvents[name].title])) as Readonly<
    Record<WebhookEventName, string>
  >),
  test: '测试',
}

/** The body of a message. */
export const webhookMessageSchema = (data: z.ZodType) =>
  z.object({
    /** The same in every attempt and replay: what has come already is told by it. */
    id: z.string(),
    event: z.enum(sentEventNames),
    /** What is told of one thing arrives in order. */
    subject: z.string(),
    at: instantSchema,
    data,
  })
