import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, none, searchTextSchema } from '#contract/answers.ts'
import { basePath, pageSizeMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { ringSchema } from '#contract/geography/fences.ts'
import { fields, list } from '#contract/list.ts'
import { boundaryProblems } from './boundary.ts'
import { areaNameSchema } from './names.ts'
import { enabledStateLabels, enabledStateSchema } from './roles.ts'
import { usesSchema } from './uses.ts'

/** Areas of one company. */
export const areasPerCompanyMax = 500

export const areaOptionSchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  agentId: answeredIdSchema,
  /** A point inside, WGS-84; the map flies there. */
  centre: z.object({ lat: z.number(), lng: z.number() }),
})
export type AreaOption = z.infer<typeof areaOptionSchema>

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
  vehicles: { title: '车辆数', as: 'count' },
  people: { title: '仅限本区人员', as: 'count' },
  createdAt: { title: '建立时间', as: 'instant' },
})
export const areaList = list({
  row: areaRowSchema,
  filter: areaFilterSchema,
  sorts: { company: 'asc', name: 'asc', created: 'desc' },
})

/** What a boundary would mean, before it is saved. */
export const boundaryPreviewSchema = z.object({
  problem: z.enum(boundaryProblems).nullable(),
  areaKm2: z.number(),
  /** Areas that the caller sees and that share ground with it; a warning, no refusal. */
  overlaps: z.array(z.object({ id: answeredIdSchema, name: z.string(), company: z.string() })),
  /** Vehicles of the area that would stand outside of it. */
  vehiclesOutside: z.int(),
})
export type BoundaryPreview = z.infer<typeof boundaryPreviewSchema>
export const boundaryOverlapsMax = 50

const pages = { host: 'platform', scope: 'area' } as const
const areas = { ...pages, permission: ['1103'] } as const
const agentPath = `${basePath}/platform/agent`

export const areaEndpoints = defineEndpoints({
  listServiceAreas: {
    method: 'GET',
    path: `${agentPath}/serviceArea`,
    host: 'platform',
    permission: 'session',
    scope: 'area',
    idempotency: 'none',
    summary: '可选服务区（页头选择器与服务区列表）',
    input: z.object({
      agentId: idSchema.optional(),
      keyword: searchTextSchema.max(40).optional(),
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(pageSizeMax),
    }),
    output: answerOf(z.object({ list: z.array(areaOptionSchema), count: z.int() })),
  },
  areasOfOperator: {
    ...pages,
    method: 'GET',
    idempotency: 'none',
    path: `${agentPath}/serviceArea/opMan`,
    permission: 'session',
    summary: '某人可及的服务区；缺省为本人',
    input: z.object({ operatorId: idSchema.optional() }),
    output: answerOf(z.object({ allAreas: z.boolean(), list: z.array(areaOptionSchema) })),
  },
  areasOfAgent: {
    ...pages,
    ...areaList.page,
    path: `${agentPath}/serviceArea/belongToAgent`,
    permission: ['1103', '1101', '1002'],
    summary: '一家加盟商的服务区，带边界与数量',
  },
  exportAreas: {
    ...pages,
    ...areaList.file,
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
    output: answerOf(boundaryPreviewSchema),
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
