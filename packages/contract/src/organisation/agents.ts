import { z } from 'zod'
import { answeredIdSchema, answerOf, plainTextSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'

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
})
