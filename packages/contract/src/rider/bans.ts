import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'

export const banStates = ['active', 'over'] as const
export type BanState = (typeof banStates)[number]
export const banStateLabels: Readonly<Record<BanState, string>> = { active: '生效中', over: '已解除' }

export const banReasonMax = 200
export const banBatchMax = 100

/** A rider may not ride: since when, until when, why. */
export const banSchema = z.object({
  id: answeredIdSchema,
  riderId: answeredIdSchema,
  reason: z.string(),
  begunAt: instantSchema,
  /** Null: for ever. */
  until: instantSchema.nullable(),
  by: z.string(),
  state: z.enum(banStates),
  /** When it ended, by hand or by its term. */
  liftedAt: instantSchema.nullable(),
  /** Null where its term ended it. */
  liftedBy: z.string().nullable(),
  liftReason: z.string(),
})
export type Ban = z.infer<typeof banSchema>

export const listedBanSchema = banSchema.extend({
  company: z.string(),
  /** Their middle is hidden. */
  phone: z.string(),
  name: z.string().nullable(),
})
export type ListedBan = z.infer<typeof listedBanSchema>

export const banFilterSchema = z.strictObject({
  states: z.array(z.enum(banStates)).min(1).max(banStates.length).optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  /** By the time since when it is in force. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type BanFilter = z.output<typeof banFilterSchema>

export const banFields = fields<ListedBan>()({
  riderId: '用户编号',
  phone: '手机号',
  name: '姓名',
  state: { title: '状态', labels: banStateLabels },
  reason: '原因',
  begunAt: { title: '加入时间', as: 'instant' },
  until: { title: '到期时间', as: 'instant', labels: { null: '永久' } },
  by: '操作人',
  company: '加盟商',
  liftedAt: { title: '解除时间', as: 'instant' },
  liftedBy: '解除人',
  liftReason: '解除原因',
})

export const banList = list({
  row: listedBanSchema,
  filter: banFilterSchema,
  sorts: { begun: 'desc' },
  secret: ['phone'],
})

const rights = { host: 'platform', permission: ['08'], scope: 'agent' } as const
const path = `${basePath}/platform/blacklist`
const user = `${path}/user`
const reason = plainTextSchema.trim().min(1).max(banReasonMax)

export const banEndpoints = defineEndpoints({
  listBans: { ...rights, ...banList.page, path, summary: '黑名单：不能预约和开锁的用户，新的在前' },
  banRiders: {
    ...rights,
    method: 'POST',
    path: user,
    idempotency: 'key',
    reverse: 'liftBans',
    summary: '加入黑名单：按用户或手机号，写明原因与期限；已在名单中的不变',
    input: z
      .object({
        riderIds: z.array(idSchema).min(1).max(banBatchMax).optional(),
        /** Every rider of the scope with this number. */
        phone: z.string().regex(phonePattern).optional(),
        reason,
        /** Absent: for ever. */
        until: instantSchema.optional(),
      })
      .refine(({ riderIds, phone }) => (riderIds === undefined) !== (phone === undefined), {
        error: '请给出用户或手机号之一',
      }),
    output: answerOf(z.object({ banned: z.array(answeredIdSchema) })),
  },
  liftBans: {
    ...rights,
    method: 'DELETE',
    path: user,
    idempotency: 'key',
    summary: '移出黑名单：立即可以重新用车',
    input: z.object({
      riderIds: z.array(idSchema).min(1).max(banBatchMax),
      reason: plainTextSchema.trim().max(banReasonMax).default(''),
    }),
    output: answerOf(z.object({ lifted: z.array(banSchema) })),
  },
  exportBans: {
    ...rights,
    ...banList.file,
    path: `${path}/export`,
    summary: '导出黑名单（CSV）：手机号、姓名只含一部分',
  },
})
