import { z } from 'zod'
import { answeredIdSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { curveFaultLabels, curvePointsMax, curveVoltageMaxV, faultOfCurve } from '#contract/fleet/batteryCurve.ts'
import { deviceProtocols } from '#contract/fleet/protocols.ts'
import { dayMs } from '#contract/time.ts'

/** What is said of voltage schemes: a pack of batteries, and versions of its curve. */

/** `waiting`: its time has not come. */
export const voltageStates = ['draft', 'waiting', 'in_force', 'ended'] as const
export type VoltageState = (typeof voltageStates)[number]
export const voltageStateLabels: Readonly<Record<VoltageState, string>> = {
  draft: '草稿',
  waiting: '待生效',
  in_force: '生效中',
  ended: '已结束',
}

export const replayStates = ['waiting', 'running', 'done', 'failed'] as const
export type ReplayState = (typeof replayStates)[number]
export const replayStateLabels: Readonly<Record<ReplayState, string>> = {
  waiting: '等待回放',
  running: '回放中',
  done: '回放完成',
  failed: '回放失败',
}

export const voltageLimits = {
  schemes: 200,
  versions: 200,
  models: 50,
  /** A version counts this long after it was decided at the earliest, so that every server knows it by then. */
  leadMs: 60_000,
  /** And this long at the latest. */
  aheadMs: 90 * dayMs,
  /** What a replay counts, and what it reads before that to know where each vehicle stood. */
  replayMs: 7 * dayMs,
  warmUpMs: dayMs,
  examples: 20,
  trackPoints: 600,
} as const

export const voltageTermsSchema = z.object({
  points: z
    .array(z.object({ voltageV: z.number().min(1).max(curveVoltageMaxV), percent: z.int().min(0).max(100) }))
    .max(curvePointsMax)
    .superRefine((points, context) => {
      const wrong = faultOfCurve(points)
      if (wrong !== null) context.addIssue({ code: 'custom', message: curveFaultLabels[wrong.fault], path: [wrong.at] })
    }),
  /** A percentage that differs by less from the one shown is not shown. */
  hysteresisPercent: z.int().min(0).max(20),
  /** By how much the voltage falls under load: it is added while the lock is open. */
  loadDropV: z.number().min(0).max(10).multipleOf(0.01),
  /** By how much the voltage rises while the pack is charged: it is taken off then. */
  chargeRiseV: z.number().min(0).max(10).multipleOf(0.01),
  models: z
    .array(z.object({ model: plainTextSchema.trim().min(1).max(40), protocol: z.enum(deviceProtocols) }))
    .min(1, { error: '请选择车型' })
    .max(voltageLimits.models)
    .refine((models) => new Set(models.map(({ model, protocol }) => `${protocol} ${model}`)).size === models.length, {
      error: '车型重复',
    }),
})
export type VoltageTerms = z.output<typeof voltageTermsSchema>

export const voltageVersionSchema = voltageTermsSchema.extend({
  id: answeredIdSchema,
  number: z.int(),
  /** Counts the changes of the draft. */
  revision: z.int(),
  state: z.enum(voltageStates),
  from: instantSchema.nullable(),
  until: instantSchema.nullable(),
  changedAt: instantSchema,
  /** The platform's people alone are told. */
  changedBy: z.string().nullable(),
  decidedBy: z.string().nullable(),
  /** Vehicles of the scope whose percentage it made last. */
  vehicles: z.int(),
  replay: z.enum(replayStates).nullable(),
  /** The replay is of the terms as they are now. */
  isReplayed: z.boolean(),
})
export type VoltageVersion = z.infer<typeof voltageVersionSchema>

const replayExampleSchema = z.object({
  vehicleId: answeredIdSchema,
  number: z.string(),
  model: z.string(),
  readings: z.int(),
  changed: z.int(),
  /** Mean of the differences, replayed less shown, in points. */
  meanDifference: z.number(),
  maxDifference: z.number(),
  alarmsShown: z.int(),
  alarmsReplayed: z.int(),
  lastShown: z.number().nullable(),
  lastReplayed: z.number().nullable(),
})
export type ReplayExample = z.infer<typeof replayExampleSchema>

/** Borders of the mean difference of a vehicle, in points. */
export const differenceBands = [-20, -10, -5, -1, 1, 5, 10, 20] as const

export const voltageReplaySchema = z.object({
  versionId: answeredIdSchema,
  state: z.enum(replayStates),
  isCurrent: z.boolean(),
  from: instantSchema,
  until: instantSchema,
  /** Of all vehicles that follow the version's models. */
  progressPercent: z.int(),
  startedAt: instantSchema,
  /** Of the scope from here on. */
  vehicles: z.int(),
  readings: z.int(),
  changed: z.int(),
  vehiclesChanged: z.int(),
  alarmsShown: z.int(),
  alarmsReplayed: z.int(),
  /** Vehicles that are below the low-battery threshold at the end: as shown, and as replayed. */
  lowShown: z.int(),
  lowReplayed: z.int(),
  bands: z.array(z.int()),
  examples: z.array(replayExampleSchema),
})
export type VoltageReplay = z.infer<typeof voltageReplaySchema>

export const replayTrackSchema = z.object({
  number: z.string(),
  readings: z.int(),
  /** Below this the company of the vehicle counts it as low on battery. */
  lowBatteryBelow: z.number(),
  points: z.array(
    z.object({
      at: instantSchema,
      voltageV: z.number().nullable(),
      shown: z.number().nullable(),
      replayed: z.number().nullable(),
    }),
  ),
})
