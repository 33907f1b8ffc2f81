import { z } from 'zod'
import { answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'

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

export const commandKinds = ['unlock', 'lock'] as const
export type CommandKind = (typeof commandKinds)[number]
export const commandKindLabels: Readonly<Record<CommandKind, string>> = { unlock: '开锁', lock: '关锁' }

/** A command that no vehicle took up within this time expires. */
export const commandLifetimeMs = 60_000

export const commandSchema = z.object({
  id: idSchema,
  vehicleId: idSchema,
  kind: z.enum(commandKinds),
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

export const commandEndpoints = defineEndpoints({
  lockVehicle: {
    method: 'POST',
    path: `${basePath}/device/lock/v2`,
    host: 'platform',
    permission: ['030101'],
    scope: 'area',
    idempotency: 'key',
    summary: '远程开锁或关锁：返回指令及其真实状态，从不以“已受理”冒充成功',
    input: z.object({
      vehicleId: idSchema,
      kind: z.enum(commandKinds),
      reason: z.string().trim().max(200).default(''),
    }),
    output: answerOf(commandSchema),
  },
  listCommands: {
    method: 'GET',
    path: `${basePath}/device/command`,
    host: 'platform',
    permission: ['0301', '0302'],
    scope: 'area',
    idempotency: 'none',
    summary: '一辆车最近的指令，新的在前',
    input: z.object({ vehicleId: idSchema, limit: z.coerce.number().int().min(1).max(100).default(20) }),
    output: answerOf(z.object({ list: z.array(commandSchema) })),
  },
})
