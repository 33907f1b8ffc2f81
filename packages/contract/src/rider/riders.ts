import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { banSchema } from './bans.ts'
import { certNumberPattern, riderNameMax } from './people.ts'
import { certificateKindLabels, certificateKinds, certificateSchema } from './certificates.ts'
import { rebindSchema } from './rebinds.ts'

/** Spans of what a rider has (balance and gifts) that a list is filtered by; each begins where the one before ends. */
export const balanceMarksCents = [1, 2_000, 5_000] as const
export const balanceSpans = ['none', 'little', 'some', 'much'] as const
export type BalanceSpan = (typeof balanceSpans)[number]
export const balanceSpanLabels: Readonly<Record<BalanceSpan, string>> = {
  none: '余额为 0',
  little: '余额 20 元以下',
  some: '余额 20 至 50 元',
  much: '余额 50 元以上',
}
export const balanceMarkOf = (cents: number): number => balanceMarksCents.filter((mark) => mark <= cents).length

export const riderStates = ['active', 'closed'] as const
export type RiderState = (typeof riderStates)[number]
export const riderStateLabels: Readonly<Record<RiderState, string>> = { active: '正常', closed: '已注销' }

const certificateChoices = ['none', ...certificateKinds] as const

/** Conditions that a rider must all meet; one that is absent asks for nothing. */
export const riderFilterSchema = z.strictObject({
  /** The number that the platform gave them. */
  riderId: idSchema.optional(),
  /** Whole: they are looked up by their hashes. */
  phone: z.string().regex(phonePattern).optional(),
  name: searchTextSchema.min(1).max(riderNameMax).optional(),
  certNumber: z.string().regex(certNumberPattern).optional(),
  state: z.enum(riderStates).optional(),
  certified: z.boolean().optional(),
  banned: z.boolean().optional(),
  certificates: z.array(z.enum(certificateChoices)).min(1).max(certificateChoices.length).optional(),
  balances: z.array(z.enum(balanceSpans)).min(1).max(balanceSpans.length).optional(),
  /** By the time that the list is sorted by. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
})
export type RiderFilter = z.output<typeof riderFilterSchema>

/** The conditions that share one number, as the database's `rider_cell` computes it. */
export function riderCells({ state, certified, banned, certificates, balances }: RiderFilter): number[] {
  const bits = (value: boolean | undefined): number[] => (value === undefined ? [0, 1] : [Number(value)])
  const marks = (balances ?? balanceSpans).map((span) => balanceSpans.indexOf(span))
  const kinds = (certificates ?? certificateChoices).map((kind) => certificateChoices.indexOf(kind))
  return bits(state === undefined ? undefined : state === 'closed').flatMap((closed) =>
    bits(certified).flatMap((one) =>
      bits(banned).flatMap((two) =>
        kinds.flatMap((kind) => marks.map((mark) => (((closed * 2 + one) * 2 + two) * 3 + kind) * 4 + mark)),
      ),
    ),
  )
}

/** Orders of one rider that are counted at most. */
export const riderOrdersMax = 10_000

export const riderSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  /** Their middle is hidden. */
  phone: z.string(),
  name: z.string().nullable(),
  state: z.enum(riderStates),
  certified: z.boolean(),
  banned: z.boolean(),
  certificateKind: z.enum(certificateKinds).nullable(),
  registeredAt: instantSchema,
  lastActiveAt: instantSchema,
  balanceCents: z.int(),
  giftCents: z.int(),
  depositCents: z.int(),
})
export type Rider = z.infer<typeof riderSchema>

export const riderDeviceSchema = z.object({
  id: answeredIdSchema,
  appName: z.string().nullable(),
  model: z.string(),
  system: z.string(),
  appVersion: z.string(),
  firstSeenAt: instantSchema,
  lastSeenAt: instantSchema,
  /** How many other riders of the same company have used the same telephone. */
  others: z.int(),
})
export type RiderDevice = z.infer<typeof riderDeviceSchema>

export const revealSchema = z.object({
  id: answeredIdSchema,
  field: z.enum(['phone', 'certificate']),
  reason: z.string(),
  operatorName: z.string(),
  shownAt: instantSchema,
})

/** Everything about a rider but orders, money and tickets, which have their own calls. */
export const riderDetailSchema = z.object({
  rider: riderSchema,
  /** Its middle is hidden; null where none is known. */
  certNumber: z.string().nullable(),
  certifiedAt: instantSchema.nullable(),
  closedAt: instantSchema.nullable(),
  frozenDepositCents: z.int(),
  /** Up to `riderOrdersMax`. */
  orders: z.int(),
  dueOrders: z.int(),
  /** In force now. */
  ban: banSchema.nullable(),
  bans: z.array(banSchema),
  certificates: z.array(certificateSchema),
  rebinds: z.array(rebindSchema),
  devices: z.array(riderDeviceSchema),
  reveals: z.array(revealSchema),
  /** The same phone number with other companies of the scope. */
  elsewhere: z.array(z.object({ id: answeredIdSchema, company: z.string(), banned: z.boolean() })),
})
export type RiderDetail = z.infer<typeof riderDetailSchema>

export const riderFields = fields<Rider>()({
  id: '用户编号',
  phone: '手机号',
  name: '姓名',
  company: '加盟商',
  state: { title: '状态', labels: riderStateLabels },
  certified: '已实名',
  certificateKind: { title: '专业认证', labels: certificateKindLabels },
  banned: '在黑名单',
  balanceCents: { title: '余额', as: 'cents' },
  giftCents: { title: '赠送余额', as: 'cents' },
  depositCents: { title: '押金', as: 'cents' },
  registeredAt: { title: '注册时间', as: 'instant' },
  lastActiveAt: { title: '最近活跃', as: 'instant' },
})

export const riderList = list({
  row: riderSchema,
  filter: riderFilterSchema,
  sorts: { registered: 'desc', active: 'desc' },
  secret: ['phone', 'name', 'certNumber'],
})

/** Whole numbers that one person may be shown in an hour. */
export const revealsPerHour = 60
export const revealReasonMax = 200

const riders = { host: 'platform', permission: ['070101'], scope: 'agent', idempotency: 'none' } as const
const reveal = {
  ...riders,
  method: 'GET',
  hasEffects: true,
  input: z.object({ riderId: idSchema, reason: plainTextSchema.trim().min(1).max(revealReasonMax) }),
} as const

export const riderPeopleEndpoints = defineEndpoints({
  searchRiders: {
    ...riders,
    ...riderList.page,
    path: `${basePath}/user/usrInfo`,
    summary: '按条件查找骑行用户：按键值续读，总数精确到一万；手机号、姓名、证件号只显示一部分',
  },
  riderDetail: {
    ...riders,
    permission: ['070101', '0401', '08'],
    method: 'GET',
    path: `${basePath}/user/usrInfo/v2`,
    summary: '一位骑行用户：资料、认证、换绑、黑名单、设备',
    input: z.object({ riderId: idSchema }),
    output: answerOf(riderDetailSchema),
  },
  revealPhone: {
    ...reveal,
    permission: ['07010101'],
    path: `${basePath}/user/personalInfo/phone`,
    summary: '查看完整手机号：须写明原因，逐次留痕，每小时有上限',
    output: answerOf(z.object({ phone: z.string() })),
  },
  revealCertificate: {
    ...reveal,
    permission: ['07010102'],
    path: `${basePath}/user/personalInfo/cert_no`,
    summary: '查看完整证件号与姓名：须写明原因，逐次留痕，每小时有上限',
    output: answerOf(z.object({ certNumber: z.string(), name: z.string().nullable() })),
  },
  exportRiders: {
    ...riders,
    ...riderList.file,
    path: `${basePath}/user/usrInfo/export`,
    summary: '导出骑行用户（CSV）：手机号、姓名只含一部分；逐段取回，每一段都重新核对权限与范围',
  },
})
