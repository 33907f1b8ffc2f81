import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { phonePattern } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { photoSchema, shownPhotoSchema } from '#contract/photos/photo.ts'
import { minuteMs } from '#contract/time.ts'

import {
  bankAccountTypeLabels,
  bankAccountTypes,
  openingDetailsSchema,
  paperKinds,
  shortText,
} from './openingDetails.ts'

/** Accounts of companies with the bank: opening, papers, cards, sub-accounts. */

/** What `status` of a financial account says; 2 is the one that opens the finance pages. */
export const accountStatuses = { draft: 0, reviewing: 1, active: 2, refused: 3 } as const
export const accountStatusLabels: Readonly<Record<string, string>> = {
  none: '未开户',
  '0': '资料未提交',
  '1': '审核中',
  '2': '正常',
  '3': '开户被拒绝',
}

export const openingStates = ['draft', 'submitted', 'opened', 'refused'] as const
export type OpeningState = (typeof openingStates)[number]
export const openingStateLabels: Readonly<Record<OpeningState, string>> = {
  draft: '资料未提交',
  submitted: '银行审核中',
  opened: '已开户',
  refused: '被拒绝',
}

export const bankCardsMax = 5
export const subAccountsMax = 20
export const cardTriesMax = 5
/** Between two codes for the same card. */
export const cardCodePauseMs = minuteMs

export const bankCardStates = ['checking', 'bound', 'unbinding', 'unbound', 'refused'] as const
export type BankCardState = (typeof bankCardStates)[number]
export const bankCardStateLabels: Readonly<Record<BankCardState, string>> = {
  checking: '待验证',
  bound: '已绑定',
  unbinding: '解绑中',
  unbound: '已解绑',
  refused: '验证失败',
}
export const cardCheckKinds = ['code', 'amount'] as const
export type CardCheckKind = (typeof cardCheckKinds)[number]
export const cardCheckKindLabels: Readonly<Record<CardCheckKind, string>> = { code: '短信验证码', amount: '小额打款' }

export const bankCardSchema = z.object({
  id: answeredIdSchema,
  state: z.enum(bankCardStates),
  checkKind: z.enum(cardCheckKinds),
  bankName: z.string(),
  /** All but the last four digits is hidden. */
  cardNo: z.string(),
  bankMobile: z.string(),
  holder: z.string(),
  triesLeft: z.int(),
  addedAt: instantSchema,
  addedBy: z.string(),
  boundAt: instantSchema.nullable(),
  /** No money goes to it before. */
  restsUntil: instantSchema.nullable(),
  reason: z.string(),
})
export type BankCard = z.infer<typeof bankCardSchema>

export const subAccountSchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  note: z.string(),
  state: z.enum(['opening', 'open', 'refused']),
  bankNumber: z.string().nullable(),
  addedAt: instantSchema,
  addedBy: z.string(),
})
export type SubAccount = z.infer<typeof subAccountSchema>
export const subAccountStateLabels: Readonly<Record<SubAccount['state'], string>> = {
  opening: '开通中',
  open: '已开通',
  refused: '被拒绝',
}

export const openingSchema = z.object({
  id: answeredIdSchema,
  accountType: z.enum(bankAccountTypes),
  state: z.enum(openingStates),
  /** Whole while it is a draft; afterwards identity numbers are hidden. */
  details: openingDetailsSchema,
  papers: z.array(z.enum(paperKinds)),
  reason: z.string(),
  madeAt: instantSchema,
  madeBy: z.string(),
  submittedAt: instantSchema.nullable(),
  decidedAt: instantSchema.nullable(),
})
export type Opening = z.infer<typeof openingSchema>

const balanceShape = {
  availableCents: z.int(),
  withdrawingCents: z.int(),
}

export const companyAccountSchema = z.object({
  /** Of the company. */
  id: answeredIdSchema,
  company: z.string(),
  status: z.int().nullable(),
  accountType: z.enum(bankAccountTypes).nullable(),
  accountLevel: z.int().nullable(),
  customerName: z.string().nullable(),
  bankNumber: z.string().nullable(),
  cards: z.int(),
  subAccounts: z.int(),
  isWithdrawalAllowed: z.boolean(),
  ...balanceShape,
  openedAt: instantSchema.nullable(),
})
export type CompanyAccount = z.infer<typeof companyAccountSchema>

export const companyAccountFilterSchema = z.strictObject({
  id: idSchema.optional(),
  company: searchTextSchema.max(40).optional(),
  statuses: z
    .array(z.enum(['none', '0', '1', '2', '3']))
    .min(1)
    .max(5)
    .optional(),
  accountType: z.enum(bankAccountTypes).optional(),
})
export type CompanyAccountFilter = z.output<typeof companyAccountFilterSchema>

export const companyAccountList = list({
  row: companyAccountSchema,
  filter: companyAccountFilterSchema,
  sorts: { company: 'asc', available: 'desc' },
  sums: ['availableCents', 'withdrawingCents'],
})

export const companyAccountFields = fields<CompanyAccount & { readonly statusText: string }>()({
  company: '加盟商',
  statusText: '状态',
  accountType: { title: '账户类型', labels: bankAccountTypeLabels },
  customerName: '户名',
  bankNumber: '银行账号',
  accountLevel: { title: '账户等级', as: 'count' },
  cards: { title: '银行卡', as: 'count' },
  subAccounts: { title: '子账户', as: 'count' },
  availableCents: { title: '可提现余额', as: 'cents' },
  withdrawingCents: { title: '提现中', as: 'cents' },
  openedAt: { title: '开户时间', as: 'instant' },
})

export const bankBalanceSchema = z.object({
  ...balanceShape,
  inTransitCents: z.int(),
  /** Paid out since the account was opened. */
  paidCents: z.int(),
  minCents: z.int(),
  feeCents: z.int(),
  dailyCents: z.int(),
  /** What may still be withdrawn today. */
  leftTodayCents: z.int(),
  secondCents: z.int(),
  /** Null: nothing is in the way of a withdrawal. */
  stopped: z.string().nullable(),
})
export type BankBalance = z.infer<typeof bankBalanceSchema>

/** Whoever sees the finance group may open the account: without one, no other code of the group is left (section 4). */
const opens = { host: 'finance', permission: ['financial', 'financial_06'], scope: 'agent', method: 'POST' } as const
const manages = { ...opens, permission: ['financial_06'] } as const
const draws = { ...opens, permission: ['financial_01', 'financial_06'] } as const
const works = { idempotency: 'key' } as const
const reads = { idempotency: 'none' } as const
const ofCompany = z.object({ agentId: idSchema })
const openingAnswer = answerOf(openingSchema)
const cardAnswer = answerOf(bankCardSchema)
const paperInput = z.object({ agentId: idSchema, kind: z.enum(paperKinds), photo: photoSchema })

export const bankAccountEndpoints = defineEndpoints({
  openAccount: {
    ...opens,
    ...works,
    path: '/Business/customer/openAccount',
    summary: '填写或修改开户资料（企业或个人），提交银行之前都可以修改',
    input: z.object({ agentId: idSchema, details: openingDetailsSchema }),
    output: openingAnswer,
  },
  uploadCompanyPaper: {
    ...opens,
    ...works,
    bodyLimitBytes: bodyLimits.photos,
    path: '/Pay/merchant/apiOpen2Upload',
    summary: '上传企业开户的一份材料，同类材料以新换旧',
    input: paperInput,
    output: openingAnswer,
  },
  uploadPersonPaper: {
    ...opens,
    ...works,
    bodyLimitBytes: bodyLimits.photos,
    path: '/Pay/employer/openForUpload',
    summary: '上传个人开户的一份材料，同类材料以新换旧',
    input: paperInput,
    output: openingAnswer,
  },
  submitCompanyOpening: {
    ...opens,
    ...works,
    path: '/Pay/merchant/apiOpen2Reg',
    summary: '把企业开户资料与材料提交银行，结果由银行通知或查询得知',
    input: ofCompany,
    output: openingAnswer,
  },
  submitPersonOpening: {
    ...opens,
    ...works,
    path: '/Pay/employer/apiOpen',
    summary: '把个人开户资料与材料提交银行，结果由银行通知或查询得知',
    input: ofCompany,
    output: openingAnswer,
  },
  copyOpening: {
    ...manages,
    ...works,
    path: '/Business/customer/copy',
    summary: '把一家公司的开户资料与材料复制为另一家公司的草稿，用于同一法人的公司',
    input: z.object({ fromAgentId: idSchema, agentId: idSchema }),
    output: openingAnswer,
  },
  listCompanyAccounts: {
    ...manages,
    ...companyAccountList.page,
    method: 'POST',
    path: '/Business/customer/list',
    summary: '各公司的银行账户：状态、银行卡、余额',
  },
  sumCompanyAccounts: {
    ...manages,
    ...companyAccountList.sums,
    method: 'POST',
    path: '/Business/customer/sums',
    summary: '一组条件下公司账户的数量与余额',
  },
  exportCompanyAccounts: {
    ...manages,
    ...companyAccountList.file,
    path: '/Business/customer/export',
    summary: '导出公司账户（CSV）',
  },
  companyAccount: {
    ...opens,
    ...reads,
    path: '/Business/customer/detail',
    summary: '一家公司的账户：最近一次开户申请与已上传的材料',
    input: ofCompany,
    output: answerOf(
      z.object({
        agentId: answeredIdSchema,
        company: z.string(),
        status: z.int().nullable(),
        bankNumber: z.string().nullable(),
        openedAt: instantSchema.nullable(),
        opening: openingSchema.nullable(),
      }),
    ),
  },
  openingPaper: {
    ...opens,
    ...reads,
    path: '/Business/customer/paper',
    summary: '一份开户材料的图片',
    input: z.object({ agentId: idSchema, kind: z.enum(paperKinds) }),
    output: answerOf(z.object({ list: z.array(shownPhotoSchema) })),
  },
  companySubAccounts: {
    ...draws,
    ...reads,
    path: '/Business/customer/accountList',
    summary: '一家公司的银行卡与子账户',
    input: ofCompany,
    output: answerOf(z.object({ cards: z.array(bankCardSchema), subAccounts: z.array(subAccountSchema) })),
  },
  bankBalance: {
    ...draws,
    ...reads,
    path: '/Business/customer/getBalanceNew',
    summary: '一家公司的余额：在途、可提现、提现中，与今天的提现条件',
    input: ofCompany,
    output: answerOf(bankBalanceSchema),
  },
  addSubAccount: {
    ...manages,
    ...works,
    path: '/Business/customer/addSubAccount',
    summary: '在银行开一个子账户，如合作方的分账账户',
    input: z.object({
      agentId: idSchema,
      name: plainTextSchema.trim().min(1).max(40),
      note: plainTextSchema.trim().max(100).default(''),
    }),
    output: answerOf(subAccountSchema),
  },
  bindCard: {
    ...draws,
    ...works,
    path: '/Business/customer/bindCard',
    summary: '绑定一张提现用的银行卡：企业以小额打款验证，个人以银行预留手机的验证码验证',
    input: z.object({
      agentId: idSchema,
      cardNo: z.string().regex(/^\d{12,19}$/, { error: '卡号应为 12 到 19 位数字' }),
      bankName: shortText(40),
      bankMobile: z.string().regex(phonePattern),
    }),
    output: cardAnswer,
  },
  bindCardCheck: {
    ...draws,
    ...works,
    path: '/Business/customer/bindCardCheck',
    summary: '验证银行卡：填写短信验证码，或收到的打款金额（分）；最多试五次',
    input: z.object({ id: idSchema, value: z.string().regex(/^\d{1,6}$/, { error: '应为一至六位数字' }) }),
    output: cardAnswer,
  },
  sendCardCode: {
    ...draws,
    ...works,
    path: '/Pay/message/sendCode',
    summary: '重新发送银行卡的验证码或验证打款，一分钟一次',
    input: z.object({ id: idSchema }),
    output: cardAnswer,
  },
  sendCardEmail: {
    ...draws,
    ...works,
    path: '/Pay/merchant/sendBindCardEmail',
    summary: '把银行卡的验证值发到企业开户时留的邮箱，一分钟一次',
    input: z.object({ id: idSchema }),
    output: cardAnswer,
  },
  unbindCard: {
    ...draws,
    ...works,
    path: '/Business/customer/applyUnbindCard',
    summary: '解绑银行卡；有未完成的提现时不能解绑',
    input: z.object({ id: idSchema, reason: plainTextSchema.trim().max(200).default('') }),
    output: cardAnswer,
  },
})
