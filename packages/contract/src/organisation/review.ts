import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, plainTextSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { exportAnswer, exportInput } from '#contract/exported.ts'
import { fields, list } from '#contract/list.ts'
import { permissionCodes } from '#contract/permissions.ts'

/** Access review: from a person to everything they may do and where, and from a permission to everybody who has it. */
export const grantSources = ['role', 'everybody'] as const
export const grantSourceLabels = { role: '角色', everybody: '所有登录人员' } as const
/** Why somebody reaches an area: their company's, a company's below it, or named for them. */
export const areaSources = ['company', 'below', 'named'] as const
export const areaSourceLabels = { company: '本公司全部服务区', below: '下级公司全部服务区', named: '单独指定' } as const
/** Why nothing that somebody was given holds now. */
export const accessBlocks = {
  company: '所在公司已停用',
  person: '账号已停用',
  noRole: '没有角色',
  role: '角色已停用',
} as const
/** Why a code that somebody holds has no effect now. */
export const codeBlocks = { account: '资金账户尚未开通', level: '资金账户级别不包含' } as const

/** Somebody whose role holds a permission. */
export const holderSchema = z.object({
  operatorId: answeredIdSchema,
  name: z.string(),
  phone: z.string(),
  agentId: answeredIdSchema,
  company: z.string(),
  roleId: answeredIdSchema,
  roleName: z.string(),
  allAreas: z.boolean(),
  areaCount: z.int(),
  /** Person, role and company are enabled. */
  active: z.boolean(),
})
export type Holder = z.infer<typeof holderSchema>

const reviewedCodeSchema = plainTextSchema
  .max(40)
  .refine((code) => code !== 'all' && permissionCodes.some((known) => known === code), { error: '未知的权限码' })
export const holderFilterSchema = z.strictObject({
  /** Nobody is found without it. */
  code: reviewedCodeSchema.optional(),
  /** Part of a name. */
  keyword: searchTextSchema.max(40).optional(),
})
export const holderFields = fields<Holder>()({
  name: '姓名',
  phone: '手机号',
  company: '公司',
  roleName: '来自角色',
  areaCount: '服务区',
  active: { title: '当前有效', labels: { true: '是', false: '否' } },
})
export const holderList = list({ row: holderSchema, filter: holderFilterSchema, sorts: { name: 'asc' } })

/** A line of the file of one person: a code that they hold, or an area that they reach. */
interface AccessLine {
  readonly name: string
  readonly kind: 'permission' | 'area'
  readonly title: string
  readonly code: string
  readonly source: string
  readonly withheld: string | null
}

export const accessFields = fields<AccessLine>()({
  name: '姓名',
  kind: { title: '类型', labels: { permission: '权限', area: '服务区' } },
  title: '名称',
  code: '编号',
  source: { title: '来源', labels: { ...grantSourceLabels, ...areaSourceLabels } },
  withheld: '未生效的原因',
})

const rights = { host: 'platform', permission: ['1002', '1101'], scope: 'agent' } as const
const reviewPath = `${basePath}/platform/permission/review`

export const reviewEndpoints = defineEndpoints({
  reviewPerson: {
    ...rights,
    method: 'GET',
    path: `${reviewPath}/person`,
    idempotency: 'none',
    summary: '权限审查：一个人的全部权限与服务区，以及各自的来源',
    input: z.object({ operatorId: idSchema }),
    output: answerOf(
      z.object({
        operatorId: answeredIdSchema,
        name: z.string(),
        company: z.string(),
        /** Why nothing of this holds now (disabled person, company or role); null: it holds. */
        blocked: z.string().nullable(),
        permissions: z.array(
          z.object({
            code: z.string(),
            title: z.string(),
            source: z.enum(grantSources),
            roleId: answeredIdSchema.nullable(),
            roleName: z.string().nullable(),
            /** Held but without effect now, e.g. by the state of the financial account; null: in effect. */
            withheld: z.string().nullable(),
          }),
        ),
        areas: z.array(
          z.object({
            id: answeredIdSchema,
            name: z.string(),
            agentId: answeredIdSchema,
            company: z.string(),
            source: z.enum(areaSources),
          }),
        ),
      }),
    ),
  },
  listHolders: {
    ...rights,
    ...holderList.page,
    path: `${reviewPath}/code`,
    summary: '权限审查：谁持有某个权限，来自哪个角色',
  },
  exportHolders: {
    ...rights,
    ...holderList.file,
    path: `${reviewPath}/code/export`,
    summary: '导出权限审查：某个权限的全部持有者（CSV）',
  },
  exportReview: {
    ...rights,
    method: 'POST',
    path: `${reviewPath}/export`,
    idempotency: 'none',
    load: 'file',
    summary: '导出权限审查：一个人的全部权限与服务区（CSV）',
    input: z.object({ operatorId: idSchema, format: exportInput.format, language: exportInput.language }),
    output: exportAnswer,
  },
})
