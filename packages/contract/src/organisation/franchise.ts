import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, none, searchTextSchema } from '#contract/answers.ts'
import { basePath, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { ringSchema } from '#contract/geography/fences.ts'
import { fields, list } from '#contract/list.ts'
import { areaOptionSchema } from './areas.ts'
import { permissionCodes, type Permission } from '#contract/permissions.ts'
import { areaNameSchema, companyNameSchema } from './names.ts'
import { ringProblems } from './ring.ts'
import { enabledStateLabels, enabledStateSchema } from './roles.ts'

/** Whether people of a company may log in with any browser, or only with one that an administrator has approved. */
export const devicePolicies = ['open', 'approval'] as const
export const devicePolicySchema = z.enum(devicePolicies)
export type DevicePolicy = z.infer<typeof devicePolicySchema>
export const devicePolicyLabels: Readonly<Record<DevicePolicy, string>> = {
  open: '任何设备均可登录',
  approval: '设备须经管理员授权',
}

/** Companies of one tree, and areas of one company. */
export const agentTreeMax = scopeListMax
export const areasPerCompanyMax = 500
/** Codes that stay with the platform: whoever opens a franchise does not hand them on. */
const platformCodes: ReadonlySet<Permission> = new Set(['all', '110101', '030601', '06', '180101'])
/** What the first role of a new franchise holds, as far as who accepts it holds it too. */
export const franchiseCodes: readonly Permission[] = permissionCodes.filter((code) => !platformCodes.has(code))
export const franchiseRoleName = '管理员'

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

export const areaRowSchema = areaOptionSchema.extend({
  company: z.string(),
  state: enabledStateSchema,
  ring: ringSchema,
  areaKm2: z.number(),
  vehicles: z.int(),
  /** People who are held to named areas, this one among them. */
  people: z.int(),
  createdAt: instantSchema,
})
export type AreaRow = z.infer<typeof areaRowSchema>

export const areaFilterSchema = z.strictObject({
  /** Part of a name. */
  keyword: searchTextSchema.max(40).optional(),
  states: z.array(enabledStateSchema).min(1).max(2).optional(),
  agentId: idSchema.optional(),
  /** One area alone. */
  areaId: idSchema.optional(),
})
export type AreaFilter = z.output<typeof areaFilterSchema>
export const areaFields = fields<AreaRow>()({
  name: '名称',
  company: '加盟商',
  state: { title: '状态', labels: enabledStateLabels },
  areaKm2: { title: '面积', as: 'count', unit: 'km²' },
  vehicles: { title: '车辆', as: 'count' },
  people: { title: '仅限本区人员', as: 'count' },
  createdAt: { title: '建立时间', as: 'instant' },
})
export const areaList = list({
  row: areaRowSchema,
  filter: areaFilterSchema,
  sorts: { company: 'asc', name: 'asc', created: 'desc' },
})

/** What hangs on a company or an area. */
export const franchiseUses = [
  'accounts',
  'sessions',
  'companies',
  'areas',
  'vehicles',
  'rides',
  'tasks',
  'fences',
  'people',
  'records',
] as const
export type FranchiseUse = (typeof franchiseUses)[number]
export const franchiseUseLabels: Readonly<Record<FranchiseUse, string>> = {
  accounts: '启用的账号',
  sessions: '登录中的会话',
  companies: '下级加盟商',
  areas: '服务区',
  vehicles: '车辆',
  rides: '进行中的骑行',
  tasks: '未完成的任务',
  fences: '围栏',
  people: '限定在此的人员',
  records: '历史记录',
}
export const usesSchema = z.object({
  list: z.array(z.object({ kind: z.enum(franchiseUses), count: z.int() })),
  /** Why it cannot be done, in the user's language; null: it can. */
  refusal: z.string().nullable(),
})
export type Uses = z.infer<typeof usesSchema>

/** What a boundary would mean, before it is saved. */
export const ringPreviewSchema = z.object({
  problem: z.enum(ringProblems).nullable(),
  areaKm2: z.number(),
  /** Areas that the caller sees and that share ground with it; a warning, no refusal. */
  overlaps: z.array(z.object({ id: answeredIdSchema, name: z.string(), company: z.string() })),
  /** Vehicles of the area that would stand outside of it. */
  vehiclesOutside: z.int(),
})
export type RingPreview = z.infer<typeof ringPreviewSchema>
export const ringOverlapsMax = 50

const tree = { host: 'platform', scope: 'agent', idempotency: 'none', method: 'GET' } as const
const agents = { host: 'platform', permission: ['1101'], scope: 'agent' } as const
const areas = { host: 'platform', permission: ['1103'], scope: 'area' } as const
const agentPath = `${basePath}/platform/agent`

export const franchiseEndpoints = defineEndpoints({
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
  areasOfOperator: {
    ...tree,
    scope: 'area',
    path: `${agentPath}/serviceArea/opMan`,
    permission: 'session',
    summary: '某人可及的服务区；缺省为本人',
    input: z.object({ operatorId: idSchema.optional() }),
    output: answerOf(z.object({ allAreas: z.boolean(), list: z.array(areaOptionSchema) })),
  },
  areasOfAgent: {
    ...areaList.page,
    host: 'platform',
    scope: 'area',
    path: `${agentPath}/serviceArea/belongToAgent`,
    permission: ['1103', '1101', '1002'],
    summary: '一家加盟商的服务区，带边界与数量',
  },
  exportAreas: {
    ...areaList.file,
    host: 'platform',
    scope: 'area',
    path: `${agentPath}/serviceArea/export`,
    permission: ['1103', '1101', '1002'],
    summary: '导出服务区（CSV）',
  },
  createArea: {
    ...areas,
    scope: 'agent',
    method: 'POST',
    path: `${agentPath}/serviceArea`,
    idempotency: 'key',
    bodyLimitBytes: bodyLimits.shape,
    summary: '为加盟商新增服务区',
    input: z.object({ agentId: idSchema, name: areaNameSchema, ring: ringSchema }),
    output: answerOf(areaRowSchema),
  },
  changeArea: {
    ...areas,
    method: 'PUT',
    path: `${agentPath}/serviceArea`,
    idempotency: 'none',
    bodyLimitBytes: bodyLimits.shape,
    reverse: 'changeArea',
    summary: '修改服务区的名称、边界与启停',
    input: z.object({
      id: idSchema,
      name: areaNameSchema.optional(),
      ring: ringSchema.optional(),
      state: enabledStateSchema.optional(),
    }),
    output: answerOf(areaRowSchema),
  },
  removeArea: {
    ...areas,
    method: 'DELETE',
    path: `${agentPath}/serviceArea`,
    idempotency: 'none',
    summary: '删除服务区；仍有车辆、任务或人员时拒绝并列出',
    input: z.object({ id: idSchema }),
    output: answerOf(none),
  },
  previewArea: {
    ...areas,
    method: 'POST',
    path: `${agentPath}/serviceArea/preview`,
    idempotency: 'none',
    bodyLimitBytes: bodyLimits.shape,
    summary: '保存边界之前：是否成立、面积、与哪些服务区重叠、会有多少车辆落在外面',
    input: z.object({ id: idSchema.optional(), ring: ringSchema }),
    output: answerOf(ringPreviewSchema),
  },
  areaUses: {
    ...areas,
    method: 'GET',
    path: `${agentPath}/serviceArea/uses`,
    idempotency: 'none',
    summary: '删除一个服务区会影响什么',
    input: z.object({ id: idSchema }),
    output: answerOf(usesSchema),
  },
})
