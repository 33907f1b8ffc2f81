import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { taskKinds, taskPriorities, taskTriggers } from './taskWords.ts'
import { targetMinutesMax } from './taskTargets.ts'

export const taskRulesMax = 20
/** What somebody has just done is not asked for again at once: batteries and places tell of it a little later. */
export const taskRestHours = 2
/** What somebody has decided against stays so for a while. */
export const taskCancelledHours = 12
/** Days that a dry run goes back. */
export const dryRunDays = 7

/** What every rule says: which work it asks for, how urgent, by when, and how much of it at most at one time. */
const asked = {
  enabled: z.boolean().default(true),
  kind: z.enum(taskKinds),
  priority: z.literal(taskPriorities),
  /** Null: as the area's target says. */
  dueMinutes: z.int().min(5).max(targetMinutesMax).nullable(),
  /** Unfinished tasks of this rule in the area. */
  atMost: z.int().min(1).max(2_000).default(200),
}

export const taskRuleSchema = z.discriminatedUnion('trigger', [
  z.strictObject({ trigger: z.literal('low_battery'), belowPercent: z.int().min(1).max(90), ...asked }),
  z.strictObject({ trigger: z.literal('idle'), hours: z.int().min(1).max(720), ...asked }),
  z.strictObject({
    trigger: z.literal('alarm'),
    alarms: z.array(plainTextSchema.trim().min(1).max(40)).min(1).max(20),
    ...asked,
  }),
  z.strictObject({ trigger: z.literal('fault'), reports: z.int().min(1).max(20), ...asked }),
  z.strictObject({ trigger: z.literal('outside_area'), minutes: z.int().min(0).max(1_440), ...asked }),
  z.strictObject({ trigger: z.literal('overfull_place'), percent: z.int().min(100).max(500), ...asked }),
  z.strictObject({ trigger: z.literal('empty_place'), below: z.int().min(1).max(50), ...asked }),
])
export type TaskRule = z.output<typeof taskRuleSchema>

export const taskRulesSchema = z.array(taskRuleSchema).max(taskRulesMax)

/** What most areas want; an area begins without any. */
export const suggestedTaskRules: readonly TaskRule[] = [
  {
    trigger: 'low_battery',
    belowPercent: 20,
    enabled: true,
    kind: 'battery_swap',
    priority: 2,
    dueMinutes: null,
    atMost: 200,
  },
  { trigger: 'outside_area', minutes: 15, enabled: true, kind: 'retrieve', priority: 1, dueMinutes: null, atMost: 100 },
  {
    trigger: 'alarm',
    alarms: ['fall', 'tamper', 'illegal_movement'],
    enabled: true,
    kind: 'inspect',
    priority: 2,
    dueMinutes: null,
    atMost: 200,
  },
  { trigger: 'fault', reports: 1, enabled: true, kind: 'repair', priority: 2, dueMinutes: null, atMost: 200 },
  { trigger: 'idle', hours: 48, enabled: true, kind: 'move', priority: 3, dueMinutes: null, atMost: 50 },
  { trigger: 'overfull_place', percent: 150, enabled: true, kind: 'move', priority: 2, dueMinutes: null, atMost: 50 },
]

const versionSchema = z.object({
  id: answeredIdSchema,
  areaId: answeredIdSchema,
  version: z.int(),
  rules: taskRulesSchema,
  note: z.string(),
  authorName: z.string(),
  createdAt: instantSchema,
})
export type TaskRuleVersion = z.infer<typeof versionSchema>

const kindCountSchema = z.object({ kind: z.enum(taskKinds), trigger: z.enum(taskTriggers), tasks: z.int() })

const path = `${basePath}/platform/task/rule`
const calls = { host: 'platform', permission: ['090903'], scope: 'area' } as const

export const taskRuleEndpoints = defineEndpoints({
  listTaskRules: {
    ...calls,
    permission: ['0909'],
    idempotency: 'none',
    method: 'GET',
    path,
    summary: '各服务区现行的任务规则；给出服务区时附上以往各版',
    input: z.object({ areaId: idSchema.optional() }),
    output: answerOf(
      z.object({
        list: z.array(
          z.object({
            areaId: answeredIdSchema,
            areaName: z.string(),
            /** Null: nobody has given the area rules yet. */
            current: versionSchema.nullable(),
          }),
        ),
        /** Newest first; only of the area that was asked for. */
        history: z.array(versionSchema),
      }),
    ),
  },
  saveTaskRules: {
    ...calls,
    idempotency: 'key',
    method: 'POST',
    path,
    bodyLimitBytes: bodyLimits.shape,
    summary: '发布一批服务区的任务规则，作为各自的下一版',
    input: z.object({
      areas: z
        .array(
          z.strictObject({
            areaId: idSchema,
            /** The version that was looked at; 0: there was none. */
            version: z.int().min(0),
          }),
        )
        .min(1)
        .max(scopeListMax),
      rules: taskRulesSchema,
      note: plainTextSchema.trim().max(200).default(''),
    }),
    output: answerOf(z.object({ versionIds: z.array(answeredIdSchema) })),
  },
  dryRunTaskRules: {
    ...calls,
    idempotency: 'none',
    method: 'POST',
    path: `${path}/try`,
    bodyLimitBytes: bodyLimits.shape,
    summary: '试算：这些规则在过去一周会产生多少任务，其中多少与实际做过的重合，多少原因会自行消失',
    input: z.object({ areaId: idSchema, rules: taskRulesSchema }),
    output: answerOf(
      z.object({
        from: instantSchema,
        to: instantSchema,
        vehicles: z.int(),
        tasks: z.int(),
        /** Of those: the same work on the same vehicle was really done while the reason lasted, or within a day after. */
        done: z.int(),
        /** Of those: the reason went by itself before the time was over, so that nobody would have had to go. */
        vanished: z.int(),
        kinds: z.array(kindCountSchema),
        days: z.array(z.object({ day: z.string(), tasks: z.int() })),
        /** What was really done in that time, for comparison. */
        real: z.int(),
        /** The newest ones. */
        examples: z.array(
          z.object({
            vehicleId: answeredIdSchema,
            number: z.string(),
            kind: z.enum(taskKinds),
            trigger: z.enum(taskTriggers),
            value: z.number().nullable(),
            openedAt: instantSchema,
            endedAt: instantSchema.nullable(),
            isDone: z.boolean(),
          }),
        ),
      }),
    ),
  },
})
