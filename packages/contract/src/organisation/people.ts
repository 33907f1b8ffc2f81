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
import { basePath, operatorLevels, phonePattern, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { phoneSchema } from '#contract/identity/login.ts'
import { enabledStateLabels, enabledStateSchema } from './roles.ts'

export const operatorLevelSchema = z.literal([
  operatorLevels.admin,
  operatorLevels.operator,
  operatorLevels.maintenance,
  operatorLevels.production,
])
export const operatorLevelLabels: Readonly<Record<z.infer<typeof operatorLevelSchema>, string>> = {
  1: '管理员',
  2: '运营',
  4: '运维',
  8: '生产',
}

const levelsMax = Object.keys(operatorLevels).length

/** Somebody who logs in: a user of the own company, or an account of a franchisee. */
export const personSchema = z.object({
  operatorId: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  name: z.string(),
  /** Masked in lists and for somebody just added, whole in the other answers that are about one person. */
  phone: z.string(),
  level: operatorLevelSchema,
  state: enabledStateSchema,
  role: z.object({ id: answeredIdSchema, name: z.string(), state: enabledStateSchema }).nullable(),
  allAreas: z.boolean(),
  /** Named areas; empty where `allAreas`. */
  areas: z.array(z.object({ id: answeredIdSchema, name: z.string() })),
  lastLoginAt: instantSchema.nullable(),
  createdAt: instantSchema,
  /** Name of the account at the service desk; null without one. */
  supportAccount: z.string().nullable(),
  hasTotp: z.boolean(),
  isSelf: z.boolean(),
  /** Reaches further than the caller, by codes or areas: then the caller cannot change, disable or delete them. */
  exceeds: z.boolean(),
  version: z.int(),
})
export type Person = z.infer<typeof personSchema>

const personContent = {
  name: plainTextSchema.trim().min(1).max(40),
  level: operatorLevelSchema,
  roleId: idSchema.nullable(),
  allAreas: z.boolean(),
  /** Areas that the caller does not see stay as they are. Ignored with `allAreas`. */
  areaIds: z.array(idSchema).max(scopeListMax).default([]),
}
const byVersion = { operatorId: idSchema, version: versionSchema }
const stateChange = z.object({ operatorId: idSchema, state: enabledStateSchema })

export const personFilterSchema = z.strictObject({
  /** Part of a name. */
  keyword: searchTextSchema.max(40).optional(),
  /** Whole. */
  phone: z.string().regex(phonePattern).optional(),
  levels: z.array(operatorLevelSchema).min(1).max(levelsMax).optional(),
  states: z.array(enabledStateSchema).min(1).max(2).optional(),
  roleId: idSchema.optional(),
  agentId: idSchema.optional(),
  areaId: idSchema.optional(),
})
export type PersonFilter = z.output<typeof personFilterSchema>

export const personFields = fields<Person>()({
  name: '姓名',
  phone: '手机号',
  company: '公司',
  level: { title: '级别', labels: operatorLevelLabels },
  role: '角色',
  areas: '服务区',
  state: { title: '状态', labels: enabledStateLabels },
  hasTotp: { title: '双因素验证', labels: { true: '已绑定', false: '未绑定' } },
  supportAccount: '客服坐席账号',
  lastLoginAt: { title: '最近登录', as: 'instant' },
  createdAt: { title: '开通时间', as: 'instant' },
})

export const personList = list({
  row: personSchema,
  filter: personFilterSchema,
  sorts: { created: 'desc', name: 'asc' },
  secret: ['phone'],
})

/** What happens to a person's things when they are disabled or deleted. */
export const personUsesSchema = z.object({
  sessions: z.int(),
  devices: z.int(),
  screenings: z.int(),
  pendingCommands: z.int(),
  /** Why it cannot be done, in the user's language; null: it can. */
  refusal: z.string().nullable(),
})
export type PersonUses = z.infer<typeof personUsesSchema>

const own = { host: 'platform', permission: ['1002'], scope: 'agent' } as const
const below = { host: 'platform', permission: ['1101'], scope: 'agent' } as const
const userPath = `${basePath}/platform/permission/user`
const accountPath = `${basePath}/platform/agent/account`

export const personEndpoints = defineEndpoints({
  listUsers: { ...own, ...personList.page, path: userPath, summary: '本公司的用户，可按级别筛选' },
  exportUsers: {
    ...own,
    ...personList.file,
    path: `${userPath}/export`,
    summary: '导出本公司的用户（CSV）：手机号只含一部分',
  },
  userLevels: {
    ...own,
    method: 'GET',
    path: `${userPath}/levels`,
    idempotency: 'none',
    summary: '本公司各级别的用户数',
    input: none,
    output: answerOf(z.object({ list: z.array(z.object({ level: operatorLevelSchema, count: z.int() })) })),
  },
  personInfo: {
    method: 'GET',
    path: `${userPath}/info`,
    host: 'platform',
    permission: ['1002', '1101'],
    scope: 'agent',
    idempotency: 'none',
    summary: '一个人的详情，含完整手机号',
    input: z.object({ operatorId: idSchema }),
    output: answerOf(personSchema),
  },
  createUser: {
    ...own,
    method: 'POST',
    path: userPath,
    idempotency: 'key',
    bodyLimitBytes: bodyLimits.lists,
    summary: '新增用户；角色与服务区不能超出本人的',
    input: z.object({ phone: phoneSchema, ...personContent }),
    output: answerOf(personSchema),
  },
  changeUser: {
    ...own,
    method: 'PUT',
    path: userPath,
    idempotency: 'none',
    bodyLimitBytes: bodyLimits.lists,
    summary: '修改用户的姓名、级别、角色与服务区；不能修改本人',
    input: z.object({ ...byVersion, ...personContent }),
    output: answerOf(personSchema),
  },
  setUserState: {
    ...own,
    method: 'POST',
    path: `${userPath}/state`,
    idempotency: 'none',
    reverse: 'setUserState',
    summary: '启用或停用用户；停用立即结束其所有会话',
    input: stateChange,
    output: answerOf(personSchema),
  },
  removeUser: {
    ...own,
    method: 'DELETE',
    path: `${userPath}/{phone}`,
    idempotency: 'none',
    summary: '按手机号删除用户；不能删除本人与最后一名管理员',
    input: z.object({ phone: phoneSchema }),
    output: answerOf(none),
  },
  userUses: {
    method: 'GET',
    path: `${userPath}/uses`,
    host: 'platform',
    permission: ['1002', '1101'],
    scope: 'agent',
    idempotency: 'none',
    summary: '停用或删除某人会影响什么',
    input: z.object({ operatorId: idSchema }),
    output: answerOf(personUsesSchema),
  },
  resetSecondFactor: {
    method: 'POST',
    path: `${userPath}/secondFactor`,
    host: 'platform',
    permission: ['1002', '1101'],
    scope: 'agent',
    idempotency: 'none',
    summary: '为丢失验证器的人解除动态验证码，其会话随之结束；不能用于本人',
    input: z.object({ operatorId: idSchema }),
    output: answerOf(none),
  },
  createSupportAccount: {
    ...own,
    method: 'POST',
    path: `${userPath}/bangwo8`,
    idempotency: 'key',
    summary: '为用户开通客服坐席账号',
    input: z.object({ operatorId: idSchema }),
    output: answerOf(z.object({ supportAccount: z.string() })),
  },
  agentAccounts: { ...below, ...personList.page, path: accountPath, summary: '下级加盟商的账号' },
  exportAgentAccounts: {
    ...below,
    ...personList.file,
    path: `${accountPath}/export`,
    summary: '导出下级加盟商的账号（CSV）：手机号只含一部分',
  },
  createAgentAccount: {
    ...below,
    method: 'POST',
    path: accountPath,
    idempotency: 'key',
    bodyLimitBytes: bodyLimits.lists,
    summary: '为下级加盟商开通账号',
    input: z.object({ agentId: idSchema, phone: phoneSchema, ...personContent }),
    output: answerOf(personSchema),
  },
  changeAgentAccount: {
    ...below,
    method: 'PUT',
    path: accountPath,
    idempotency: 'none',
    bodyLimitBytes: bodyLimits.lists,
    summary: '修改下级加盟商的账号',
    input: z.object({ ...byVersion, ...personContent }),
    output: answerOf(personSchema),
  },
  removeAgentAccount: {
    ...below,
    method: 'DELETE',
    path: accountPath,
    idempotency: 'none',
    summary: '删除下级加盟商的账号',
    input: z.object({ operatorId: idSchema }),
    output: answerOf(none),
  },
  setAgentAccountState: {
    ...below,
    method: 'POST',
    path: `${accountPath}/state`,
    idempotency: 'none',
    reverse: 'setAgentAccountState',
    summary: '启用或停用下级加盟商的账号；停用立即结束其所有会话',
    input: stateChange,
    output: answerOf(personSchema),
  },
})
