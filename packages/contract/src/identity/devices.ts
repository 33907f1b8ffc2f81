import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, none, searchTextSchema } from '#contract/answers.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { devicePolicySchema } from '#contract/organisation/companies.ts'

/** Browsers with which operators log in. A company may ask that an administrator approves each (python host). */
export const operatorDeviceStates = ['unknown', 'requested', 'approved'] as const
export type OperatorDeviceState = (typeof operatorDeviceStates)[number]
export const operatorDeviceStateLabels: Readonly<Record<OperatorDeviceState, string>> = {
  unknown: '未授权',
  requested: '申请中',
  approved: '已授权',
}

export const operatorDeviceSchema = z.object({
  id: answeredIdSchema,
  operatorId: answeredIdSchema,
  operatorName: z.string(),
  /** Masked. */
  phone: z.string(),
  agentId: answeredIdSchema,
  company: z.string(),
  name: z.string(),
  userAgent: z.string(),
  state: z.enum(operatorDeviceStates),
  firstSeenAt: instantSchema,
  lastSeenAt: instantSchema,
  requestedAt: instantSchema.nullable(),
  decidedAt: instantSchema.nullable(),
  decidedBy: z.string().nullable(),
  /** The browser of this call. */
  isThis: z.boolean(),
})
export type OperatorDevice = z.infer<typeof operatorDeviceSchema>

export const operatorDeviceFields = fields<OperatorDevice>()({
  operatorName: '姓名',
  phone: '手机号',
  company: '公司',
  name: '设备',
  state: { title: '状态', labels: operatorDeviceStateLabels },
  firstSeenAt: { title: '首次使用', as: 'instant' },
  lastSeenAt: { title: '最近使用', as: 'instant' },
  requestedAt: { title: '申请时间', as: 'instant' },
  decidedBy: '处理人',
  decidedAt: { title: '处理时间', as: 'instant' },
})

export const operatorDeviceList = list({
  row: operatorDeviceSchema,
  filter: z.strictObject({
    states: z.array(z.enum(operatorDeviceStates)).min(1).max(operatorDeviceStates.length).optional(),
    agentIds: z.array(idSchema).min(1).max(200).optional(),
    /** Start of the person's name. */
    keyword: searchTextSchema.max(40).optional(),
  }),
  sorts: { lastSeen: 'desc' },
})

/** Browsers that were used within so many days may be approved when the policy begins; 0: only the one of the caller. */
export const approvableDays = [30, 7, 90, 0] as const

const opman = '/mieba/platform/opman/device'
const review = { host: 'python', permission: ['1002', '1101'], scope: 'agent' } as const

export const operatorDeviceEndpoints = defineEndpoints({
  verifyDevice: {
    host: 'python',
    permission: 'presession',
    scope: 'none',
    method: 'POST',
    path: `${opman}/verification`,
    idempotency: 'none',
    summary: '登录途中：当前浏览器是否可以登录；须授权而未授权时登记一次申请',
    input: none,
    output: answerOf(z.object({ policy: devicePolicySchema, state: z.enum(operatorDeviceStates) })),
  },
  devicePermission: {
    ...review,
    method: 'POST',
    path: '/mieba/v2/platform/opman/device/permission',
    idempotency: 'none',
    reverse: 'devicePermission',
    summary: '设置加盟商的登录设备策略；开启时可一并授权近期用过的设备',
    input: z.object({
      agentId: idSchema,
      policy: devicePolicySchema,
      /** Approve browsers that were used within so many days. */
      approveRecentDays: z.int().min(0).max(90).default(0),
    }),
    output: answerOf(z.object({ policy: devicePolicySchema, approved: z.int() })),
  },
  devicePolicyEffect: {
    ...review,
    method: 'GET',
    path: `${opman}/policy_effect`,
    idempotency: 'none',
    summary: '开启设备授权会影响谁：尚未授权的设备与人员，近期用过的各有多少',
    input: z.object({ agentId: idSchema }),
    output: answerOf(
      z.object({
        /** Browsers that are not approved, and whose they are. */
        devices: z.int(),
        people: z.int(),
        /** How many of them were used within so many days: they can be approved with the change. */
        recent: z.array(z.object({ days: z.int(), devices: z.int(), people: z.int() })),
      }),
    ),
  },
  deviceLoginInfo: {
    ...review,
    method: 'GET',
    path: `${opman}/login_info`,
    idempotency: 'none',
    summary: '某人用过的登录设备',
    input: z.object({ operatorId: idSchema }),
    output: answerOf(z.object({ policy: devicePolicySchema, list: z.array(operatorDeviceSchema) })),
  },
  deviceAuthorizeInfo: {
    ...review,
    ...operatorDeviceList.page,
    path: `${opman}/authorize_info`,
    summary: '设备授权申请与已授权的设备',
  },
  exportOperatorDevices: {
    ...review,
    ...operatorDeviceList.file,
    path: `${opman}/authorize_export`,
    summary: '导出登录设备（CSV）',
  },
  deviceAuthorizeConfirm: {
    ...review,
    method: 'POST',
    path: `${opman}/authorize_confirm`,
    idempotency: 'none',
    reverse: 'deviceAuthorizeRemove',
    summary: '授权设备',
    input: z.object({ ids: z.array(idSchema).min(1).max(200) }),
    output: answerOf(z.object({ confirmedIds: z.array(answeredIdSchema) })),
  },
  deviceAuthorizeRemove: {
    ...review,
    method: 'POST',
    path: `${opman}/authorize_remove`,
    idempotency: 'none',
    summary: '取消设备授权；在该设备上的会话随之结束',
    input: z.object({ ids: z.array(idSchema).min(1).max(200) }),
    output: answerOf(z.object({ removedIds: z.array(answeredIdSchema) })),
  },
})
