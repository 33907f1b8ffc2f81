import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, none, plainTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { ringSchema } from '#contract/geography/fences.ts'
import { phoneSchema } from '#contract/identity/login.ts'
import { fields, list } from '#contract/list.ts'
import { areaNameSchema, companyNameMax, companyNameSchema } from './names.ts'

export const applicationLimits = {
  company: companyNameMax,
  contact: 40,
  city: 40,
  remark: 500,
  vehiclesMax: 1_000_000,
} as const
export const applicationSchema = z.object({
  company: plainTextSchema.trim().min(2).max(applicationLimits.company),
  contact: plainTextSchema.trim().min(2).max(applicationLimits.contact),
  phone: phoneSchema,
  city: plainTextSchema.trim().min(2).max(applicationLimits.city),
  plannedVehicles: z.int().min(1).max(applicationLimits.vehiclesMax),
  remark: plainTextSchema.trim().max(applicationLimits.remark).default(''),
})
export type Application = z.input<typeof applicationSchema>
export const applicationStates = ['submitted', 'accepted', 'refused'] as const
export const applicationStateSchema = z.enum(applicationStates)
export type ApplicationState = z.infer<typeof applicationStateSchema>
export const applicationStateLabels: Readonly<Record<ApplicationState, string>> = {
  submitted: '待审核',
  accepted: '已通过',
  refused: '已拒绝',
}
export const applicationRowSchema = z.object({
  applicationNumber: z.string(),
  company: z.string(),
  contact: z.string(),
  phone: z.string(),
  city: z.string(),
  plannedVehicles: z.int(),
  remark: z.string(),
  state: applicationStateSchema,
  createdAt: instantSchema,
  /** Who decided it, when, why not, and which company came of it; null while it waits. */
  decidedBy: z.string().nullable(),
  decidedAt: instantSchema.nullable(),
  refusal: z.string().nullable(),
  agentId: answeredIdSchema.nullable(),
})
export type ApplicationRow = z.infer<typeof applicationRowSchema>

export const applicationFilterSchema = z.strictObject({
  states: z.array(applicationStateSchema).min(1).max(applicationStates.length).optional(),
})
export const applicationFields = fields<ApplicationRow>()({
  applicationNumber: '申请编号',
  company: '公司',
  city: '城市',
  plannedVehicles: { title: '计划车辆', as: 'count' },
  contact: '联系人',
  phone: '手机号',
  remark: '备注',
  createdAt: { title: '申请时间', as: 'instant' },
  state: { title: '状态', labels: applicationStateLabels },
  decidedBy: '审核人',
  decidedAt: { title: '审核时间', as: 'instant' },
  refusal: '原因',
})
export const applicationList = list({
  row: applicationRowSchema,
  filter: applicationFilterSchema,
  sorts: { created: 'desc' },
})

const agentPath = `${basePath}/platform/agent`
/** The platform's alone. */
const rights = { host: 'platform', permission: ['110101'], scope: 'none' } as const

export const applicationEndpoints = defineEndpoints({
  applyToJoin: {
    method: 'POST',
    path: `${agentPath}/application`,
    host: 'platform',
    permission: 'public',
    scope: 'none',
    idempotency: 'none',
    summary: '公司申请加盟：登记后由平台审核',
    input: applicationSchema,
    output: answerOf(z.object({ applicationNumber: z.string() })),
  },
  listApplications: {
    ...rights,
    ...applicationList.page,
    path: `${agentPath}/application`,
    summary: '加盟申请列表（仅平台）',
  },
  exportApplications: {
    ...rights,
    ...applicationList.file,
    path: `${agentPath}/application/export`,
    summary: '导出加盟申请（CSV，仅平台）：手机号只含一部分',
  },
  acceptApplication: {
    host: 'platform',
    permission: ['110101'],
    scope: 'none',
    method: 'POST',
    path: `${agentPath}/application/accept`,
    idempotency: 'key',
    bodyLimitBytes: bodyLimits.shape,
    summary: '通过加盟申请：一步建立加盟商、首个账号与服务区（仅平台）',
    input: z.object({
      applicationNumber: plainTextSchema.max(40),
      parentId: idSchema,
      company: companyNameSchema,
      manager: z.object({ phone: phoneSchema, name: plainTextSchema.trim().min(1).max(40) }),
      area: z.object({ name: areaNameSchema, ring: ringSchema }),
    }),
    output: answerOf(
      z.object({
        agentId: answeredIdSchema,
        areaId: answeredIdSchema,
        operatorId: answeredIdSchema,
        roleId: answeredIdSchema,
      }),
    ),
  },
  refuseApplication: {
    host: 'platform',
    permission: ['110101'],
    scope: 'none',
    method: 'POST',
    path: `${agentPath}/application/refuse`,
    idempotency: 'none',
    summary: '拒绝加盟申请并说明原因（仅平台）',
    input: z.object({
      applicationNumber: plainTextSchema.max(40),
      reason: plainTextSchema.trim().min(2).max(200),
    }),
    output: answerOf(none),
  },
})
