import { z } from 'zod'
import { answeredIdSchema, idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { fields, list } from '#contract/list.ts'
import { secondMs } from '#contract/time.ts'

/** The test that a vehicle passes before it is delivered: its steps, tests and reworks. */

/**
 * Steps in the order in which they are done. The vehicle is moved while it is locked; the unlocking after that ends the alarm.
 */
export const factorySteps = ['online', 'firmware', 'position', 'battery', 'movement', 'unlock', 'ring', 'lock'] as const
export type FactoryStep = (typeof factorySteps)[number]
export const factoryStepLabels: Readonly<Record<FactoryStep, string>> = {
  online: '上线',
  firmware: '固件版本',
  position: '卫星定位',
  battery: '电量与电压',
  movement: '移动告警',
  unlock: '开锁',
  ring: '寻车铃',
  lock: '关锁',
}
/** Without an expected version the firmware cannot be judged. */
export const usualFactorySteps = factorySteps.filter((step) => step !== 'firmware')

/** From its beginning, a step has so long; a device that is not online within a minute is not tested further. */
export const factoryStepMs: Readonly<Record<FactoryStep, number>> = {
  online: 60 * secondMs,
  firmware: 60 * secondMs,
  position: 90 * secondMs,
  battery: 60 * secondMs,
  movement: 90 * secondMs,
  unlock: 60 * secondMs,
  ring: 60 * secondMs,
  lock: 60 * secondMs,
}

export const factoryStepStates = ['waiting', 'running', 'passed', 'failed', 'skipped'] as const
export type FactoryStepState = (typeof factoryStepStates)[number]
export const factoryStepStateLabels: Readonly<Record<FactoryStepState, string>> = {
  waiting: '等待',
  running: '进行中',
  passed: '合格',
  failed: '不合格',
  skipped: '未检测',
}

export const factoryFailures = [
  'not_online',
  'firmware_unknown',
  'firmware_other',
  'no_position',
  'no_battery',
  'battery_low',
  'voltage_range',
  'no_alarm',
  'not_done',
  'lock_not_seen',
] as const
export type FactoryFailure = (typeof factoryFailures)[number]
export const factoryFailureLabels: Readonly<Record<FactoryFailure, string>> = {
  not_online: '60 秒内没有上线',
  firmware_unknown: '设备没有报告固件版本',
  firmware_other: '固件版本与要求不符',
  no_position: '没有新的定位',
  no_battery: '没有上报电量',
  battery_low: '电量低于要求',
  voltage_range: '电压超出范围',
  no_alarm: '移动车辆后没有告警',
  not_done: '指令没有得到确认',
  lock_not_seen: '上报的锁状态与指令不符',
}

export const factoryTestStates = ['running', 'passed', 'failed', 'cancelled'] as const
export type FactoryTestState = (typeof factoryTestStates)[number]
export const factoryTestStateLabels: Readonly<Record<FactoryTestState, string>> = {
  running: '检测中',
  passed: '合格',
  failed: '不合格',
  cancelled: '已取消',
}

/** A step that failed, and why. */
export const factoryFailedStepSchema = z.object({ step: z.enum(factorySteps), failure: z.enum(factoryFailures) })
export type FactoryFailedStep = z.infer<typeof factoryFailedStepSchema>

/** What a test found, in words; `t` translates them. */
export const wordsOfFailures = (
  failures: readonly FactoryFailedStep[],
  t: (text: string) => string = (text) => text,
): string =>
  failures
    .map(({ step, failure }) => `${t(factoryStepLabels[step])}${t('：')}${t(factoryFailureLabels[failure])}`)
    .join(t('；'))

/** What is tested of a model; a company without terms of its own for it has these. */
export const factoryTermsSchema = z.object({
  steps: z.array(z.enum(factorySteps)).min(1).max(factorySteps.length),
  /** Of the device; needed by the step of that name. */
  firmware: z.string().nullable(),
  batteryMinPercent: z.int().min(1).max(100),
  /** Null: any voltage. */
  voltageMinV: z.number().min(1).max(120).nullable(),
  voltageMaxV: z.number().min(1).max(120).nullable(),
})
export type FactoryTerms = z.output<typeof factoryTermsSchema>
export const usualFactoryTerms: FactoryTerms = {
  steps: [...usualFactorySteps],
  firmware: null,
  batteryMinPercent: 30,
  voltageMinV: null,
  voltageMaxV: null,
}

export const factoryStepSchema = z.object({
  step: z.enum(factorySteps),
  state: z.enum(factoryStepStates),
  begunAt: instantSchema.nullable(),
  endedAt: instantSchema.nullable(),
  failure: z.enum(factoryFailures).nullable(),
  /** What the vehicle said: a version, a percentage, a place. */
  measured: z.string(),
})
export type FactoryStepResult = z.infer<typeof factoryStepSchema>

export const factoryTestSchema = z.object({
  id: answeredIdSchema,
  vehicleId: answeredIdSchema,
  number: z.string(),
  model: z.string(),
  agentId: answeredIdSchema,
  company: z.string(),
  areaId: answeredIdSchema,
  areaName: z.string(),
  state: z.enum(factoryTestStates),
  steps: z.array(factoryStepSchema),
  /** Steps that failed, in words and separated by `、`. */
  failed: z.string(),
  begunAt: instantSchema,
  begunBy: z.string(),
  endedAt: instantSchema.nullable(),
})
export type FactoryTest = z.infer<typeof factoryTestSchema>

export const factoryTestList = list({
  row: factoryTestSchema,
  filter: z.strictObject({
    states: z.array(z.enum(factoryTestStates)).min(1).max(factoryTestStates.length).optional(),
    /** Of the vehicle, whole. */
    number: searchTextSchema.min(1).max(20).optional(),
    vehicleId: idSchema.optional(),
    id: idSchema.optional(),
  }),
  sorts: { begun: 'desc' },
})

export const factoryTestFields = fields<FactoryTest>()({
  id: '编号',
  number: '车辆编号',
  state: { title: '结果', labels: factoryTestStateLabels },
  failed: '不通过的项目',
  model: '型号',
  company: '加盟商',
  areaName: '服务区',
  begunAt: { title: '开始时间', as: 'instant' },
  begunBy: '检测人',
  endedAt: { title: '结束时间', as: 'instant' },
})

export const reworkStates = ['open', 'done'] as const
export type ReworkState = (typeof reworkStates)[number]
export const reworkStateLabels: Readonly<Record<ReworkState, string>> = { open: '待返修', done: '已返修' }

const reworkSchema = z.object({
  id: answeredIdSchema,
  vehicleId: answeredIdSchema,
  number: z.string(),
  model: z.string(),
  agentId: answeredIdSchema,
  company: z.string(),
  areaId: answeredIdSchema,
  areaName: z.string(),
  state: z.enum(reworkStates),
  /** The test that failed; null: a person saw a defect. */
  testId: answeredIdSchema.nullable(),
  /** What the test found; empty where a person saw a defect. */
  failures: z.array(factoryFailedStepSchema),
  /** In words: of a person, or of the failures. */
  reason: z.string(),
  openedAt: instantSchema,
  openedBy: z.string(),
  /** What was done. */
  note: z.string(),
  doneAt: instantSchema.nullable(),
  doneBy: z.string().nullable(),
})
export type Rework = z.infer<typeof reworkSchema>

export const reworkList = list({
  row: reworkSchema,
  filter: z.strictObject({
    states: z.array(z.enum(reworkStates)).min(1).max(reworkStates.length).optional(),
    /** Of the vehicle, whole. */
    number: searchTextSchema.min(1).max(20).optional(),
    vehicleId: idSchema.optional(),
    id: idSchema.optional(),
  }),
  sorts: { opened: 'desc' },
})

export const reworkFields = fields<Rework>()({
  id: '编号',
  number: '车辆编号',
  state: { title: '状态', labels: reworkStateLabels },
  reason: '原因',
  model: '型号',
  company: '加盟商',
  areaName: '服务区',
  openedAt: { title: '转入时间', as: 'instant' },
  openedBy: '转入人',
  note: '处理说明',
  doneAt: { title: '完成时间', as: 'instant' },
  doneBy: '处理人',
})
