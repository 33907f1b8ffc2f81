import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, none } from '#contract/answers.ts'
import { basePath, scopeListMax } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { permissionCodes, type Permission } from '#contract/permissions.ts'
import { companyNameSchema } from './names.ts'
import { enabledStateSchema } from './roles.ts'
import { usesSchema } from './uses.ts'

/** Whether people of a company may log in with any browser, or only with one that an administrator has approved. */
export const devicePolicies = ['open', 'approval'] as const
export const devicePolicySchema = z.enum(devicePolicies)
export type DevicePolicy = z.infer<typeof devicePolicySchema>
export const devicePolicyLabels: Readonly<Record<DevicePolicy, string>> = {
  open: '任何设备均可登录',
  approval: '设备须经管理员授权',
}

/** Companies of one tree. */
export const agentTreeMax = scopeListMax
/** Codes that stay with the platform: a user who opens a company does not hand them on. */
const platformCodes: ReadonlySet<Permission> = new Set(['all', '110101', '030601', '06', '180101'])
/** What the first role of a new company holds, as far as the user who accepts the application holds it too. */
export const firstRoleCodes: readonly Permission[] = permissionCodes.filter((code) => !platformCodes.has(code))
export const firstRoleName = '管理员'

const areaLeafSchema = z.object({ id: answeredIdSchema, name: z.string(), state: enabledStateSchema })

/** A company of the tree. */
export const agentNodeSchema = z.object({
  id: answeredIdSchema,
  /** Null for the root. A parent that the caller does not see is told as well: it is nobody else's name. */
  parentId: answeredIdSchema.nullable(),
  company: z.string(),
  state: enabledStateSchema,
  devicePolicy: devicePolicySchema,
  /** From then on roles that hold codes of finance need a second factor; null: never. */
  financeTotpFrom: instantSchema.nullable(),
  /** Only where they were asked for: counting takes longer than the tree itself. */
  figures: z.object({ areas: z.int(), accounts: z.int(), roles: z.int(), vehicles: z.int() }).nullable(),
  /** Only where they were asked for. */
  areaList: z.array(areaLeafSchema),
  createdAt: instantSchema,
})
export type AgentNode = z.infer<typeof agentNodeSchema>

const tree = { host: 'platform', scope: 'agent', idempotency: 'none', method: 'GET' } as const
const agents = { host: 'platform', permission: ['1101'], scope: 'agent' } as const
const agentPath = `${basePath}/platform/agent`

export const companyEndpoints = defineEndpoints({
  agentTree: {
    ...tree,
    path: `${agentPath}/tree`,
    permission: ['1001', '1002', '1101', '1102', '1103'],
    summary: '本公司及下级加盟商的树，可带服务区与数量',
    input: z.object({ withAreas: z.boolean().default(false), withFigures: z.boolean().default(false) }),
    output: answerOf(z.object({ list: z.array(agentNodeSchema) })),
  },
  adminAgentTree: {
    ...tree,
    path: `${agentPath}/tree/admin`,
    permission: ['110101'],
    summary: '全部加盟商的树（仅平台）',
    input: none,
    output: answerOf(z.object({ list: z.array(agentNodeSchema) })),
  },
  createAgent: {
    ...agents,
    method: 'POST',
    path: `${agentPath}/company`,
    idempotency: 'key',
    summary: '在本公司或下级之下开设加盟商',
    input: z.object({ parentId: idSchema, company: companyNameSchema }),
    output: answerOf(agentNodeSchema),
  },
  changeAgent: {
    ...agents,
    method: 'PUT',
    path: `${agentPath}/company`,
    idempotency: 'none',
    reverse: 'changeAgent',
    summary: '修改加盟商：名称、上级、启停、登录设备策略、财务双因素要求；本公司不能停用或移动本公司',
    input: z.object({
      id: idSchema,
      parentId: idSchema.optional(),
      company: companyNameSchema.optional(),
      state: enabledStateSchema.optional(),
      devicePolicy: devicePolicySchema.optional(),
      financeTotpFrom: instantSchema.nullable().optional(),
    }),
    output: answerOf(agentNodeSchema),
  },
  agentUses: {
    ...agents,
    method: 'GET',
    path: `${agentPath}/company/uses`,
    idempotency: 'none',
    summary: '停用一家加盟商会影响什么',
    input: z.object({ id: idSchema }),
    output: answerOf(usesSchema),
  },
})
