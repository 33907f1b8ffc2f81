import { z } from 'zod'
import { answerOf, idSchema, instantSchema, plainTextSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { vehicleReaders } from '#contract/fleet/access.ts'
import { minuteMs } from '#contract/time.ts'

/** A command's life; the last three are final. `confirmed` needs word from the vehicle itself. */
export const commandStates = ['queued', 'sent', 'acknowledged', 'confirmed', 'expired', 'failed'] as const
export type CommandState = (typeof commandStates)[number]
export const commandStateLabels: Readonly<Record<CommandState, string>> = {
  queued: '排队中',
  sent: '已发送',
  acknowledged: '设备已应答',
  confirmed: '已确认',
  expired: '已过期',
  failed: '失败',
}
export const isFinalCommandState = (state: CommandState): boolean =>
  state === 'confirmed' || state === 'expired' || state === 'failed'

export const commandKinds = [
  'unlock',
  'lock',
  'ring',
  'open_battery',
  'power_off',
  'restart',
  'locate',
  'ask_version',
  'set_parameters',
] as const
export type CommandKind = (typeof commandKinds)[number]
export const commandKindLabels: Readonly<Record<CommandKind, string>> = {
  unlock: '开锁',
  lock: '关锁',
  ring: '寻车铃',
  open_battery: '打开电池仓',
  power_off: '断电',
  restart: '重启',
  locate: '立即定位',
  ask_version: '读取固件版本',
  set_parameters: '设置参数',
}

/** What `set_parameters` may set; each protocol translates it, and refuses what its devices do not know. */
export const commandParametersSchema = z
  .strictObject({
    /** Pause between two positions while riding, and between two signs of life while parked. */
    reportSeconds: z.int().min(5).max(3_600).optional(),
    heartbeatSeconds: z.int().min(10).max(3_600).optional(),
    speedLimitKmh: z.int().min(5).max(60).optional(),
    headlight: z.boolean().optional(),
  })
  .refine((given) => Object.values(given).some((value) => value !== undefined), { error: '没有要设置的参数' })
export type CommandParameters = z.output<typeof commandParametersSchema>

/** A command that no vehicle took up within this time expires. */
export const commandLifetimeMs = minuteMs

export const commandSchema = z.object({
  id: idSchema,
  vehicleId: idSchema,
  kind: z.enum(commandKinds),
  /** Only of `set_parameters`. */
  parameters: commandParametersSchema.nullable(),
  /** Commands that were given together; null for one that was given alone. */
  batchId: z.string().nullable(),
  state: z.enum(commandStates),
  reason: z.string(),
  operatorName: z.string().nullable(),
  /** Why it failed, in the user's language; null otherwise. */
  failure: z.string().nullable(),
  queuedAt: instantSchema,
  sentAt: instantSchema.nullable(),
  acknowledgedAt: instantSchema.nullable(),
  finishedAt: instantSchema.nullable(),
})
export type Command = z.infer<typeof commandSchema>

/** Vehicles that one batch may command. */
export const commandBatchMax = 500

const reasonSchema = plainTextSchema.trim().max(200).default('')
const order = {
  kind: z.enum(commandKinds),
  reason: reasonSchema,
  parameters: commandParametersSchema.optional(),
}
const isWhole = (given: { kind: CommandKind; parameters?: unknown }): boolean =>
  (given.kind === 'set_parameters') === (given.parameters !== undefined)
const wholeError = { error: '只有设置参数指令带参数，且必须带参数' }
const batchVehiclesSchema = z
  .array(idSchema)
  .min(1)
  .max(commandBatchMax)
  .refine((ids) => new Set(ids).size === ids.length, { error: '车辆重复' })

/** What a command would meet: it goes out at once, waits for the vehicle to come online, or cannot be given. */
export const commandOutlooks = ['now', 'when_online', 'refused'] as const
export type CommandOutlook = (typeof commandOutlooks)[number]
export const commandOutlookLabels: Readonly<Record<CommandOutlook, string>> = {
  now: '立即下发',
  when_online: '离线，等待上线后下发',
  refused: '不能下发',
}

export const commandPreviewSchema = z.object({
  vehicleId: idSchema,
  number: z.string(),
  outlook: z.enum(commandOutlooks),
  /** Why it is refused, in the user's language; null otherwise. */
  refusal: z.string().nullable(),
})
export type CommandPreview = z.infer<typeof commandPreviewSchema>

const batchResultSchema = z.object({
  batchId: z.string(),
  commands: z.array(commandSchema),
  refused: z.array(commandPreviewSchema),
})

export const commandEndpoints = defineEndpoints({
  lockVehicle: {
    method: 'POST',
    path: `${basePath}/device/lock/v2`,
    host: 'platform',
    permission: ['030101'],
    scope: 'area',
    idempotency: 'key',
    summary:
      '向一辆车下发指令（开关锁、寻车铃、开仓、断电、重启、定位、参数）：返回指令及其真实状态，从不以“已受理”冒充成功',
    input: z.object({ vehicleId: idSchema, ...order }).refine(isWhole, wholeError),
    output: answerOf(commandSchema),
  },
  turnLock: {
    method: 'POST',
    path: `${basePath}/api/lock`,
    host: 'platform',
    permission: ['030101'],
    scope: 'area',
    idempotency: 'key',
    summary: '按车辆编号或 IMEI 开锁或关锁',
    input: z
      .object({
        number: searchTextSchema.max(40).optional(),
        imei: searchTextSchema.max(20).optional(),
        locked: z.boolean(),
        reason: reasonSchema,
      })
      .refine((by) => by.number !== undefined || by.imei !== undefined, { error: '缺少车辆标识' }),
    output: answerOf(commandSchema),
  },
  openBatteryCompartment: {
    method: 'POST',
    path: `${basePath}/api/batteryCompartment`,
    host: 'platform',
    permission: ['030101'],
    scope: 'area',
    idempotency: 'key',
    summary: '打开一辆车的电池仓',
    input: z
      .object({
        number: searchTextSchema.max(40).optional(),
        imei: searchTextSchema.max(20).optional(),
        reason: reasonSchema,
      })
      .refine((by) => by.number !== undefined || by.imei !== undefined, { error: '缺少车辆标识' }),
    output: answerOf(commandSchema),
  },
  previewCommands: {
    method: 'POST',
    path: `${basePath}/device/command/preview`,
    host: 'platform',
    permission: ['030101'],
    scope: 'area',
    idempotency: 'none',
    summary: '批量指令的预览：逐辆说明会发生什么，不下发任何指令',
    input: z.object({ vehicleIds: batchVehiclesSchema, ...order }).refine(isWhole, wholeError),
    output: answerOf(z.object({ list: z.array(commandPreviewSchema) })),
  },
  commandVehicles: {
    method: 'POST',
    path: `${basePath}/device/command/batch`,
    host: 'platform',
    permission: ['030101'],
    scope: 'area',
    idempotency: 'key',
    summary: '批量指令：逐辆下发，不能下发的逐辆说明原因',
    input: z.object({ vehicleIds: batchVehiclesSchema, ...order }).refine(isWhole, wholeError),
    output: answerOf(batchResultSchema),
  },
  commandBatch: {
    method: 'GET',
    path: `${basePath}/device/command/batch`,
    host: 'platform',
    permission: ['030101'],
    scope: 'area',
    idempotency: 'none',
    summary: '一批指令的进度',
    input: z.object({ batchId: z.uuid() }),
    output: answerOf(z.object({ commands: z.array(commandSchema) })),
  },
  listCommands: {
    method: 'GET',
    path: `${basePath}/device/command`,
    host: 'platform',
    permission: vehicleReaders,
    scope: 'area',
    idempotency: 'none',
    summary: '一辆车最近的指令，新的在前',
    input: z.object({ vehicleId: idSchema, limit: z.coerce.number().int().min(1).max(100).default(20) }),
    output: answerOf(z.object({ list: z.array(commandSchema) })),
  },
})
