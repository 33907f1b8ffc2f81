import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { pageInput } from './roles.ts'

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
/** People in one piece of an export. */
export const reviewExportRows = 2_000

export const reviewEndpoints = defineEndpoints({
  reviewPerson: {
    method: 'GET',
    path: `${basePath}/platform/permission/review/person`,
    host: 'platform',
    permission: ['1002', '1101'],
    scope: 'agent',
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
  reviewPermission: {
    method: 'GET',
    path: `${basePath}/platform/permission/review/code`,
    host: 'platform',
    permission: ['1002', '1101'],
    scope: 'agent',
    idempotency: 'none',
    summary: '权限审查：谁持有某个权限，来自哪个角色',
    input: z.object({ ...pageInput, code: plainTextSchema.min(1).max(40) }),
    output: answerOf(
      z.object({
        count: z.int(),
        list: z.array(
          z.object({
            operatorId: answeredIdSchema,
            name: z.string(),
            phone: z.string(),
            agentId: answeredIdSchema,
            company: z.string(),
            roleId: answeredIdSchema,
            roleName: z.string(),
            allAreas: z.boolean(),
            areaCount: z.int(),
            active: z.boolean(),
          }),
        ),
      }),
    ),
  },
  exportReview: {
    method: 'GET',
    path: `${basePath}/platform/permission/review/export`,
    host: 'platform',
    permission: ['1002', '1101'],
    scope: 'agent',
    idempotency: 'none',
    load: 'file',
    summary: '导出权限审查：一个人的，或某个权限的全部持有者（分段）',
    input: z.union([
      z.object({ operatorId: idSchema, exportId: z.uuid().optional() }),
      z.object({
        code: plainTextSchema.min(1).max(40),
        cursor: z
          .string()
          .regex(/^\d{1,15}$/)
          .optional(),
        exportId: z.uuid().optional(),
      }),
    ]),
    output: answerOf(
      z.object({
        exportId: z.string(),
        fileName: z.string(),
        text: z.string(),
        rows: z.int(),
        nextCursor: z.string().nullable(),
      }),
    ),
  },
})
