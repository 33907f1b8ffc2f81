import { z } from 'zod'
import { answeredIdSchema, answerOf, instantSchema, plainTextSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath, pageSizeMax } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { phoneSchema } from '#contract/identity/login.ts'

/** What a tenant may show instead of the product's own name and logo; text only. */
export const brandingSchema = z.object({
  webImg: z.string().nullable(),
  webTitle: z.string().nullable(),
  appTitle: z.string().nullable(),
  company: z.string().nullable(),
})
export type Branding = z.infer<typeof brandingSchema>

export const agentOptionSchema = z.object({ agentId: answeredIdSchema, company: z.string() })
export type AgentOption = z.infer<typeof agentOptionSchema>

export const applicationLimits = { company: 80, contact: 40, city: 40, remark: 500, vehiclesMax: 1_000_000 } as const
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

export const agentEndpoints = defineEndpoints({
  agentByDomain: {
    method: 'GET',
    path: `${basePath}/platform/agent/byDomain`,
    host: 'platform',
    permission: 'public',
    scope: 'none',
    idempotency: 'none',
    summary: '按访问域名查加盟商与其品牌；没有登记的域名没有编号与品牌',
    input: z.object({ apiKey: z.string().max(80), domain: plainTextSchema.max(255) }),
    /** Without an id: nobody has registered the domain, or the key is not the company's. Both look the same. */
    output: answerOf(z.object({ agentId: answeredIdSchema.nullable(), branding: brandingSchema })),
  },
  listAgentAccounts: {
    method: 'GET',
    path: `${basePath}/platform/agent/account/list`,
    host: 'platform',
    permission: 'session',
    scope: 'agent',
    idempotency: 'none',
    summary: '可选加盟商（页头选择器）',
    input: z.object({ keyword: searchTextSchema.max(40).optional() }),
    output: answerOf(z.object({ rows: z.array(agentOptionSchema) })),
  },
  applyToJoin: {
    method: 'POST',
    path: `${basePath}/platform/agent/application`,
    host: 'platform',
    permission: 'public',
    scope: 'none',
    idempotency: 'none',
    summary: '公司申请加盟：登记后由平台审核',
    input: applicationSchema,
    output: answerOf(z.object({ applicationNumber: z.string() })),
  },
  listApplications: {
    method: 'GET',
    path: `${basePath}/platform/agent/application`,
    host: 'platform',
    permission: ['110101'],
    scope: 'none',
    idempotency: 'none',
    summary: '加盟申请列表（仅平台）',
    input: z.object({
      state: applicationStateSchema.optional(),
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
    }),
    output: answerOf(
      z.object({
        list: z.array(applicationRowSchema),
        count: z.int(),
        /** How many wait for a decision, whatever was asked for. */
        waiting: z.int(),
      }),
    ),
  },
})
