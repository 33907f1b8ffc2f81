import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath, pageSizeMax, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { exportAnswer, exportInput, pagedAnswer } from '#contract/exported.ts'
import { shownPhotoSchema } from '#contract/photos/photo.ts'
import { dayMs } from '#contract/time.ts'

export const proofKinds = ['student', 'profession'] as const
export type ProofKind = (typeof proofKinds)[number]
export const proofKindLabels: Readonly<Record<ProofKind, string>> = { student: '学生', profession: '职业' }

export const proofStates = ['waiting', 'approved', 'refused', 'expired'] as const
export type ProofState = (typeof proofStates)[number]
export const proofStateLabels: Readonly<Record<ProofState, string>> = {
  waiting: '待审核',
  approved: '已通过',
  refused: '已拒绝',
  expired: '已过期',
}

export const proofReasonMax = 200
export const organisationMax = 60
export const proofBatchMax = 100
export const proofPhotosMax = 3
/** So long a proof holds at most. */
export const proofMaxMs = 5 * 366 * dayMs

/** A rider's proof of being a student or of a profession. */
export const proofSchema = z.object({
  id: answeredIdSchema,
  riderId: answeredIdSchema,
  kind: z.enum(proofKinds),
  organisation: z.string(),
  /** How many photos came with it. */
  photos: z.int(),
  submittedAt: instantSchema,
  state: z.enum(proofStates),
  /** Null unless it was approved. */
  expiresAt: instantSchema.nullable(),
  reason: z.string(),
  decidedAt: instantSchema.nullable(),
  decidedBy: z.string().nullable(),
})
export type Proof = z.infer<typeof proofSchema>

export const listedProofSchema = proofSchema.extend({
  company: z.string(),
  /** Their middle is hidden. */
  phone: z.string(),
  name: z.string().nullable(),
  certified: z.boolean(),
})
export type ListedProof = z.infer<typeof listedProofSchema>

export const proofFilterSchema = z.strictObject({
  states: z.array(z.enum(proofStates)).min(1).max(proofStates.length).optional(),
  kinds: z.array(z.enum(proofKinds)).min(1).max(proofKinds.length).optional(),
  phone: z.string().regex(phonePattern).optional(),
  riderId: idSchema.optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type ProofFilter = z.output<typeof proofFilterSchema>

const proofs = { host: 'platform', permission: ['0703'], scope: 'agent' } as const
const path = `${basePath}/user/certificate`

export const proofEndpoints = defineEndpoints({
  listProofs: {
    ...proofs,
    method: 'GET',
    path,
    idempotency: 'none',
    summary: '专业认证：学生与职业证明，新的在前',
    input: z.object({
      filter: proofFilterSchema.default({}),
      direction: z.enum(['asc', 'desc']).default('desc'),
      cursor: z.string().max(200).optional(),
      pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
    }),
    output: pagedAnswer(listedProofSchema),
  },
  decideProofs: {
    ...proofs,
    method: 'POST',
    path,
    idempotency: 'key',
    summary: '审核专业认证：通过（有效期至某日）或拒绝（写明原因），可批量',
    input: z
      .object({
        ids: z.array(idSchema).min(1).max(proofBatchMax),
        decision: z.enum(['approved', 'refused']),
        expiresAt: instantSchema.optional(),
        reason: plainTextSchema.trim().max(proofReasonMax).default(''),
      })
      .refine(({ decision, expiresAt }) => decision !== 'approved' || expiresAt !== undefined, {
        error: '请给出有效期',
      })
      .refine(({ decision, reason }) => decision !== 'refused' || reason !== '', { error: '请写明拒绝的原因' }),
    output: answerOf(
      z.object({
        decided: z.array(answeredIdSchema),
        /** Each for itself: what could not be decided does not hold up the rest. */
        refused: z.array(z.object({ id: answeredIdSchema, promot: z.string() })),
      }),
    ),
  },
  reopenProof: {
    ...proofs,
    method: 'PUT',
    path,
    idempotency: 'key',
    summary: '撤回一次审核：回到待审核',
    input: z.object({ id: idSchema }),
    output: answerOf(proofSchema),
  },
  proofPhotos: {
    ...proofs,
    method: 'GET',
    path: `${path}/photos`,
    idempotency: 'none',
    summary: '一份专业认证的照片',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ list: z.array(shownPhotoSchema) })),
  },
  exportProofs: {
    ...proofs,
    method: 'POST',
    path: `${path}/export`,
    idempotency: 'none',
    load: 'file',
    summary: '导出专业认证（CSV）：手机号、姓名只含一部分',
    input: z.object({
      filter: proofFilterSchema.default({}),
      direction: z.enum(['asc', 'desc']).default('desc'),
      ...exportInput,
    }),
    output: exportAnswer,
  },
})
