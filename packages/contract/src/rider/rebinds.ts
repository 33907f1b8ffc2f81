import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { shownPhotoSchema } from '#contract/photos/photo.ts'

export const rebindKinds = ['phone', 'certificate'] as const
export type RebindKind = (typeof rebindKinds)[number]
export const rebindKindLabels: Readonly<Record<RebindKind, string>> = {
  phone: '更换手机号',
  certificate: '换绑实名证件',
}

export const rebindStates = ['waiting', 'approved', 'refused'] as const
export type RebindState = (typeof rebindStates)[number]
export const rebindStateLabels: Readonly<Record<RebindState, string>> = {
  waiting: '待审核',
  approved: '已换绑',
  refused: '已拒绝',
}

export const rebindReasonMax = 200
export const rebindPhotosMax = 3

/** A rider asks for another phone number, or for the certificate that an older account of theirs holds. */
export const rebindSchema = z.object({
  id: answeredIdSchema,
  riderId: answeredIdSchema,
  kind: z.enum(rebindKinds),
  /** The number that is asked for; its middle is hidden. */
  wanted: z.string(),
  /** Who holds the certificate; null with phones. */
  holderId: answeredIdSchema.nullable(),
  claim: z.string(),
  /** How many photos came with it. */
  photos: z.int(),
  askedAt: instantSchema,
  state: z.enum(rebindStates),
  reason: z.string(),
  decidedAt: instantSchema.nullable(),
  decidedBy: z.string().nullable(),
})
export type Rebind = z.infer<typeof rebindSchema>

export const listedRebindSchema = rebindSchema.extend({
  company: z.string(),
  /** Their middle is hidden. */
  phone: z.string(),
  name: z.string().nullable(),
  /** The name on the certificate that is asked for. */
  wantedName: z.string().nullable(),
  holderPhone: z.string().nullable(),
  holderName: z.string().nullable(),
})
export type ListedRebind = z.infer<typeof listedRebindSchema>

export const rebindFilterSchema = z.strictObject({
  states: z.array(z.enum(rebindStates)).min(1).max(rebindStates.length).optional(),
  kinds: z.array(z.enum(rebindKinds)).min(1).max(rebindKinds.length).optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type RebindFilter = z.output<typeof rebindFilterSchema>

export const rebindFields = fields<ListedRebind>()({
  riderId: '用户编号',
  phone: '手机号',
  name: '姓名',
  company: '加盟商',
  kind: { title: '换绑类型', labels: rebindKindLabels },
  wanted: '申请换绑',
  wantedName: '申请人姓名',
  holderId: '原持有用户编号',
  holderPhone: '原持有人手机号',
  holderName: '原持有人姓名',
  claim: '说明',
  askedAt: { title: '申请时间', as: 'instant' },
  state: { title: '状态', labels: rebindStateLabels },
  reason: '原因',
  decidedBy: '审核人',
  decidedAt: { title: '审核时间', as: 'instant' },
})

export const rebindList = list({
  row: listedRebindSchema,
  filter: rebindFilterSchema,
  sorts: { asked: 'desc' },
  secret: ['phone'],
})

const rights = { host: 'platform', permission: ['0704'], scope: 'agent' } as const
const path = `${basePath}/user/rebind`

export const rebindEndpoints = defineEndpoints({
  listRebinds: { ...rights, ...rebindList.page, path, summary: '实名换绑申请，新的在前' },
  decideRebind: {
    ...rights,
    method: 'POST',
    path,
    idempotency: 'key',
    summary: '审核换绑：通过即换绑手机号或实名证件，拒绝须写明原因',
    input: z
      .object({
        id: idSchema,
        decision: z.enum(['approved', 'refused']),
        reason: plainTextSchema.trim().max(rebindReasonMax).default(''),
      })
      .refine(({ decision, reason }) => decision !== 'refused' || reason !== '', { error: '请写明拒绝的原因' }),
    output: answerOf(rebindSchema),
  },
  rebindPhotos: {
    ...rights,
    method: 'GET',
    path: `${path}/photos`,
    idempotency: 'none',
    summary: '一份换绑申请的照片',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ list: z.array(shownPhotoSchema) })),
  },
  exportRebinds: {
    ...rights,
    ...rebindList.file,
    path: `${path}/export`,
    summary: '导出实名换绑申请（CSV）：手机号、姓名只含一部分',
  },
})
