import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { shownPhotoSchema } from '#contract/photos/photo.ts'
import { dayMs } from '#contract/time.ts'

export const certificateKinds = ['student', 'profession'] as const
export type CertificateKind = (typeof certificateKinds)[number]
export const certificateKindLabels: Readonly<Record<CertificateKind, string>> = { student: '学生', profession: '职业' }

export const certificateStates = ['waiting', 'approved', 'refused', 'expired'] as const
export type CertificateState = (typeof certificateStates)[number]
export const certificateStateLabels: Readonly<Record<CertificateState, string>> = {
  waiting: '待审核',
  approved: '已通过',
  refused: '已拒绝',
  expired: '已过期',
}

export const certificateReasonMax = 200
export const organisationMax = 60
export const certificateBatchMax = 100
export const certificatePhotosMax = 3
/** Longest validity of a certificate. */
export const certificateMaxMs = 5 * 366 * dayMs

/** A rider's proof of being a student or of a profession. */
export const certificateSchema = z.object({
  id: answeredIdSchema,
  riderId: answeredIdSchema,
  kind: z.enum(certificateKinds),
  organisation: z.string(),
  /** How many photos came with it. */
  photos: z.int(),
  submittedAt: instantSchema,
  state: z.enum(certificateStates),
  /** Null unless it was approved. */
  expiresAt: instantSchema.nullable(),
  reason: z.string(),
  decidedAt: instantSchema.nullable(),
  decidedBy: z.string().nullable(),
})
export type Certificate = z.infer<typeof certificateSchema>

export const listedCertificateSchema = certificateSchema.extend({
  company: z.string(),
  /** Their middle is hidden. */
  phone: z.string(),
  name: z.string().nullable(),
  certified: z.boolean(),
})
export type ListedCertificate = z.infer<typeof listedCertificateSchema>

export const certificateFilterSchema = z.strictObject({
  states: z.array(z.enum(certificateStates)).min(1).max(certificateStates.length).optional(),
  kinds: z.array(z.enum(certificateKinds)).min(1).max(certificateKinds.length).optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type CertificateFilter = z.output<typeof certificateFilterSchema>

export const certificateFields = fields<ListedCertificate>()({
  riderId: '用户编号',
  phone: '手机号',
  name: '姓名',
  company: '加盟商',
  kind: { title: '认证类型', labels: certificateKindLabels },
  organisation: '学校或单位',
  certified: { title: '实名', labels: { true: '已实名', false: '未实名' } },
  submittedAt: { title: '提交时间', as: 'instant' },
  state: { title: '状态', labels: certificateStateLabels },
  expiresAt: { title: '有效期至', as: 'instant' },
  reason: '原因',
  decidedBy: '审核人',
  decidedAt: { title: '审核时间', as: 'instant' },
})

export const certificateList = list({
  row: listedCertificateSchema,
  filter: certificateFilterSchema,
  sorts: { submitted: 'desc' },
  secret: ['phone'],
})

const rights = { host: 'platform', permission: ['0703'], scope: 'agent' } as const
const path = `${basePath}/user/certificate`
/** Each for itself: what could not be decided does not hold up the rest. */
const decidedAnswer = answerOf(
  z.object({
    decided: z.array(answeredIdSchema),
    refused: z.array(z.object({ id: answeredIdSchema, promot: z.string() })),
  }),
)

export const certificateEndpoints = defineEndpoints({
  listCertificates: { ...rights, ...certificateList.page, path, summary: '专业认证：学生与职业证明，新的在前' },
  decideCertificates: {
    ...rights,
    method: 'POST',
    path,
    idempotency: 'key',
    reverse: 'reopenCertificates',
    summary: '审核专业认证：通过（有效期至某日）或拒绝（写明原因），可批量',
    input: z
      .object({
        ids: z.array(idSchema).min(1).max(certificateBatchMax),
        decision: z.enum(['approved', 'refused']),
        expiresAt: instantSchema.optional(),
        reason: plainTextSchema.trim().max(certificateReasonMax).default(''),
      })
      .refine(({ decision, expiresAt }) => decision !== 'approved' || expiresAt !== undefined, {
        error: '请给出有效期',
      })
      .refine(({ decision, reason }) => decision !== 'refused' || reason !== '', { error: '请写明拒绝的原因' }),
    output: decidedAnswer,
  },
  reopenCertificates: {
    ...rights,
    method: 'PUT',
    path,
    idempotency: 'key',
    summary: '撤回审核：回到待审核，可批量',
    input: z.object({ ids: z.array(idSchema).min(1).max(certificateBatchMax) }),
    output: decidedAnswer,
  },
  certificatePhotos: {
    ...rights,
    method: 'GET',
    path: `${path}/photos`,
    idempotency: 'none',
    summary: '一份专业认证的照片',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ list: z.array(shownPhotoSchema) })),
  },
  exportCertificates: {
    ...rights,
    ...certificateList.file,
    path: `${path}/export`,
    summary: '导出专业认证（CSV）：手机号、姓名只含一部分',
  },
})
