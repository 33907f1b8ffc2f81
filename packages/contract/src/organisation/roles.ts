import { z } from 'zod'
import {
  answerOf,
  answeredIdSchema,
  idSchema,
  instantSchema,
  none,
  plainTextSchema,
  searchTextSchema,
  versionSchema,
} from '#contract/answers.ts'
import { basePath, pageSizeMax } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { permissionCodes } from '#contract/permissions.ts'

/**
 * Roles in two places of the product: those of the caller's own company (`/platform/permission/…`), and those of the
 * franchisees below it (`/platform/agent/…`). A role belongs to one company and names codes of the permission tree.
 */
export const enabledStates = ['enabled', 'disabled'] as const
export const enabledStateSchema = z.enum(enabledStates)
export type EnabledState = z.infer<typeof enabledStateSchema>
export const enabledStateLabels: Readonly<Record<EnabledState, string>> = { enabled: '已启用', disabled: '已停用' }

export const roleLimits = { name: 40, description: 200, perCompany: 500 } as const

/** A page of a list by number: such lists are short. */
export const pageInput = {
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
}

export const roleRowSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  name: z.string(),
  description: z.string(),
  state: enabledStateSchema,
  codeCount: z.int(),
  /** People who have it. */
  userCount: z.int(),
  /** The caller has it: then it cannot be changed, disabled or deleted by the caller. */
  isOwn: z.boolean(),
  /** It holds codes that the caller does not: then the caller can neither change it nor give it to anybody. */
  exceeds: z.boolean(),
  updatedAt: instantSchema,
  updatedBy: z.string().nullable(),
  /** Goes up with each change; a change names the one it was made from. */
  version: z.int(),
})
export type RoleRow = z.infer<typeof roleRowSchema>

const roleUserSchema = z.object({
  operatorId: answeredIdSchema,
  name: z.string(),
  /** Masked. */
  phone: z.string(),
  state: enabledStateSchema,
})
export const roleUsersMax = 200

export const roleDetailSchema = roleRowSchema.extend({
  codes: z.array(z.string()),
  /** The first of those who have it, by name. */
  users: z.array(roleUserSchema),
})
export type RoleDetail = z.infer<typeof roleDetailSchema>

const permissionCodeSchema = z
  .string()
  .max(32)
  .refine((code) => permissionCodes.some((known) => known === code), {
    error: '未知的权限码',
  })
const roleContent = {
  name: plainTextSchema.trim().min(1).max(roleLimits.name),
  description: plainTextSchema.trim().max(roleLimits.description).default(''),
  codes: z.array(permissionCodeSchema).max(permissionCodes.length),
}

const stateChange = z.object({ id: idSchema, state: enabledStateSchema, version: versionSchema.optional() })

export const roleFilterSchema = z.strictObject({
  /** Part of name or description. */
  keyword: searchTextSchema.max(40).optional(),
  states: z.array(enabledStateSchema).min(1).max(enabledStates.length).optional(),
  agentId: idSchema.optional(),
  /** Only roles with this code. */
  code: plainTextSchema.max(40).optional(),
})
export type RoleFilter = z.output<typeof roleFilterSchema>

export const roleFields = fields<RoleRow>()({
  name: '角色',
  company: '加盟商',
  description: '说明',
  state: { title: '状态', labels: enabledStateLabels },
  codeCount: { title: '权限', as: 'count', unit: '项' },
  userCount: { title: '使用者', as: 'count', unit: '人' },
  updatedAt: { title: '最近修改', as: 'instant' },
  updatedBy: '修改人',
})

export const roleList = list({
  row: roleRowSchema,
  filter: roleFilterSchema,
  sorts: { company: 'asc', name: 'asc', updated: 'desc' },
})

/** A line of the permission tree, as the caller may hand it out. */
export const grantRowSchema = z.object({
  code: z.string(),
  title: z.string(),
  parent: z.string().nullable(),
  /** The caller holds it: nobody grants what they do not hold. */
  grantable: z.boolean(),
})
export type GrantRow = z.infer<typeof grantRowSchema>

const own = { host: 'platform', permission: ['1001'], scope: 'agent' } as const
const below = { host: 'platform', permission: ['1102'], scope: 'agent' } as const
const rolePath = `${basePath}/platform/permission/role`
const agentRolePath = `${basePath}/platform/agent/role`

export const roleEndpoints = defineEndpoints({
  permissionTree: {
    method: 'GET',
    path: `${basePath}/platform/permission/tree`,
    host: 'platform',
    permission: ['1001', '1102'],
    scope: 'agent',
    idempotency: 'none',
    summary: '权限树，并注明本人可授予的权限',
    input: none,
    output: answerOf(z.object({ list: z.array(grantRowSchema) })),
  },
  permissionTreeOfOperator: {
    method: 'GET',
    path: `${basePath}/platform/permission/tree/opMan`,
    host: 'platform',
    permission: ['1001', '1002', '1101'],
    scope: 'agent',
    idempotency: 'none',
    summary: '某人的权限树：持有哪些、来自哪个角色、被什么挡住',
    input: z.object({ operatorId: idSchema }),
    output: answerOf(
      z.object({
        role: z.object({ id: answeredIdSchema, name: z.string(), state: enabledStateSchema }).nullable(),
        list: z.array(grantRowSchema.extend({ held: z.boolean() })),
      }),
    ),
  },
  listRoles: { ...own, ...roleList.page, path: rolePath, summary: '本公司的角色' },
  exportRoles: { ...own, ...roleList.file, path: `${rolePath}/export`, summary: '导出本公司的角色（CSV）' },
  createRole: {
    ...own,
    method: 'POST',
    path: rolePath,
    idempotency: 'key',
    summary: '新增角色；只能授予本人持有的权限',
    input: z.object(roleContent),
    output: answerOf(roleDetailSchema),
  },
  changeRole: {
    ...own,
    method: 'PUT',
    path: rolePath,
    idempotency: 'none',
    summary: '修改角色；本人的角色不可由本人修改',
    input: z.object({ id: idSchema, version: versionSchema, ...roleContent }),
    output: answerOf(roleDetailSchema),
  },
  removeRole: {
    ...own,
    method: 'DELETE',
    path: rolePath,
    idempotency: 'none',
    reverse: 'createRole',
    summary: '删除角色；仍有人使用时拒绝并列出',
    input: z.object({ id: idSchema }),
    output: answerOf(none),
  },
  setRoleState: {
    ...own,
    method: 'POST',
    path: `${rolePath}/state`,
    idempotency: 'none',
    reverse: 'setRoleState',
    summary: '启用或停用角色',
    input: stateChange,
    output: answerOf(roleRowSchema),
  },
  enabledRoles: {
    method: 'GET',
    path: `${rolePath}/enable`,
    host: 'platform',
    permission: ['1001', '1002', '1101', '1102'],
    scope: 'agent',
    idempotency: 'none',
    summary: '可选的启用角色',
    input: z.object({ agentId: idSchema.optional() }),
    output: answerOf(
      z.object({
        list: z.array(
          z.object({
            id: answeredIdSchema,
            name: z.string(),
            agentId: answeredIdSchema,
            /** False where it holds codes that the caller does not: then the caller cannot give it to anybody. */
            grantable: z.boolean(),
          }),
        ),
      }),
    ),
  },
  roleInfo: {
    ...own,
    method: 'GET',
    path: `${rolePath}/info`,
    idempotency: 'none',
    summary: '角色详情：权限与使用者',
    input: z.object({ id: idSchema }),
    output: answerOf(roleDetailSchema),
  },
  listAgentRoles: { ...below, ...roleList.page, path: agentRolePath, summary: '下级加盟商的角色' },
  exportAgentRoles: {
    ...below,
    ...roleList.file,
    path: `${agentRolePath}/export`,
    summary: '导出下级加盟商的角色（CSV）',
  },
  createAgentRole: {
    ...below,
    method: 'POST',
    path: agentRolePath,
    idempotency: 'key',
    summary: '为下级加盟商新增角色',
    input: z.object({ agentId: idSchema, ...roleContent }),
    output: answerOf(roleDetailSchema),
  },
  changeAgentRole: {
    ...below,
    method: 'PUT',
    path: agentRolePath,
    idempotency: 'none',
    reverse: 'changeAgentRole',
    summary: '修改下级加盟商的角色，包括启停',
    input: z.object({ id: idSchema, version: versionSchema, state: enabledStateSchema.optional(), ...roleContent }),
    output: answerOf(roleDetailSchema),
  },
  removeAgentRole: {
    ...below,
    method: 'DELETE',
    path: agentRolePath,
    idempotency: 'none',
    reverse: 'createAgentRole',
    summary: '删除下级加盟商的角色；仍有人使用时拒绝并列出',
    input: z.object({ id: idSchema }),
    output: answerOf(none),
  },
  agentRole: {
    ...below,
    method: 'GET',
    path: `${agentRolePath}/{id}`,
    idempotency: 'none',
    summary: '下级加盟商的角色详情',
    input: z.object({ id: idSchema }),
    output: answerOf(roleDetailSchema),
  },
})
