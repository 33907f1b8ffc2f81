import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { accountKinds, chartOfAccounts, entryKinds, type AccountKind, type EntryKind } from './ledger.ts'
import { paymentChannelLabels, paymentChannels } from './payments.ts'
import { heldReasonSchema } from './splitBills.ts'

/** A company's own money: the prepaid balance for services, how it is charged and spent, and what moved. */

export const chargeMinCents = 10_000
export const chargeMaxCents = 50_000_000
/** Sums that are offered; the one that covers what is due comes first. */
export const chargePresets = [50_000, 100_000, 300_000, 500_000, 1_000_000] as const
/** The balance should last so many days, or the company is warned. */
export const lowBalanceDays = 7
export const dueSoonDays = 3
export const trendDays = 30
export const companiesShownMax = 500

/** Through a payment channel, out of the company's available income, or given back by an objection. */
export const chargeWays = [...paymentChannels, 'available', 'adjustment'] as const
export type ChargeWay = (typeof chargeWays)[number]
export const chargeWayLabels: Readonly<Record<ChargeWay, string>> = {
  ...paymentChannelLabels,
  available: '可提现余额转入',
  adjustment: '异议退回',
}
export const chargeStates = ['waiting', 'paid', 'lapsed'] as const
export type ChargeState = (typeof chargeStates)[number]
export const chargeStateLabels: Readonly<Record<ChargeState, string>> = {
  waiting: '待支付',
  paid: '已到账',
  lapsed: '已失效',
}
/** A note that nobody paid lapses; a payment that comes later still counts. */
export const chargeLapseHours = 2

export const chargeNoteSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  number: z.string(),
  way: z.enum(chargeWays),
  state: z.enum(chargeStates),
  cents: z.int(),
  /** What of it is not spent. The oldest note is spent first. */
  leftCents: z.int(),
  createdAt: instantSchema,
  paidAt: instantSchema.nullable(),
  operatorName: z.string(),
})
export type ChargeNote = z.infer<typeof chargeNoteSchema>

export const chargeNoteFields = fields<ChargeNote>()({
  number: '充值单号',
  company: '加盟商',
  way: { title: '方式', labels: chargeWayLabels },
  state: { title: '状态', labels: chargeStateLabels },
  cents: { title: '金额', as: 'cents' },
  leftCents: { title: '未使用', as: 'cents' },
  createdAt: { title: '提交时间', as: 'instant' },
  paidAt: { title: '到账时间', as: 'instant' },
  operatorName: '经办人',
})

const spanFilter = { from: instantSchema.optional(), to: instantSchema.optional() }
export const chargeNoteFilterSchema = z.strictObject({
  ...spanFilter,
  id: idSchema.optional(),
  states: z.array(z.enum(chargeStates)).min(1).max(chargeStates.length).optional(),
})
export type ChargeNoteFilter = z.output<typeof chargeNoteFilterSchema>
export const chargeNoteList = list({
  row: chargeNoteSchema,
  filter: chargeNoteFilterSchema,
  sorts: { created: 'desc' },
  sums: ['cents', 'leftCents'],
})

export const spendNoteSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  billId: answeredIdSchema,
  number: z.string(),
  month: z.string(),
  cents: z.int(),
  at: instantSchema,
})
export type SpendNote = z.infer<typeof spendNoteSchema>
export const spendNoteFields = fields<SpendNote>()({
  number: '账单编号',
  company: '加盟商',
  month: '账期',
  cents: { title: '扣款金额', as: 'cents' },
  at: { title: '扣款时间', as: 'instant' },
})
export const spendNoteFilterSchema = z.strictObject({ ...spanFilter, billId: idSchema.optional() })
export type SpendNoteFilter = z.output<typeof spendNoteFilterSchema>
export const spendNoteList = list({
  row: spendNoteSchema,
  filter: spendNoteFilterSchema,
  sorts: { at: 'desc' },
  sums: ['cents'],
})

/** Accounts whose movements are a company's own. */
export const assetAccounts = [
  'service_balance',
  'service_held',
  'agent_in_transit',
  'agent_available',
  'agent_disputed',
  'agent_withdrawing',
] as const satisfies readonly AccountKind[]
export type AssetAccount = (typeof assetAccounts)[number]
export const assetAccountLabels = Object.fromEntries(
  assetAccounts.map((kind) => [kind, chartOfAccounts[kind].label]),
) as Readonly<Record<AssetAccount, string>>

const kindsOfEntries = Object.keys(entryKinds) as [EntryKind, ...EntryKind[]]
export const assetRemarkMax = 120

export const assetDetailSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  /** Place of the entry in the company's book. */
  entryNumber: z.int(),
  kind: z.enum(kindsOfEntries),
  account: z.enum(assetAccounts),
  /** Below zero: it went out of the account. */
  cents: z.int(),
  reference: z.string(),
  at: instantSchema,
  remark: z.string(),
  remarkedBy: z.string().nullable(),
})
export type AssetDetail = z.infer<typeof assetDetailSchema>
export const assetDetailFields = fields<AssetDetail>()({
  at: { title: '时间', as: 'instant' },
  kind: { title: '事项', labels: entryKinds },
  account: { title: '账户', labels: assetAccountLabels },
  cents: { title: '金额', as: 'cents' },
  company: '加盟商',
  reference: '单据',
  entryNumber: { title: '凭证号', as: 'count' },
  remark: '备注',
  remarkedBy: '备注人',
})
export const directionsOfMoney = ['in', 'out'] as const
export const directionOfMoneyLabels: Readonly<Record<(typeof directionsOfMoney)[number], string>> = {
  in: '收入',
  out: '支出',
}
export const assetDetailFilterSchema = z.strictObject({
  ...spanFilter,
  accounts: z.array(z.enum(assetAccounts)).min(1).max(assetAccounts.length).optional(),
  way: z.enum(directionsOfMoney).optional(),
})
export type AssetDetailFilter = z.output<typeof assetDetailFilterSchema>
export const assetDetailList = list({
  row: assetDetailSchema,
  filter: assetDetailFilterSchema,
  sorts: { at: 'desc' },
  sums: ['cents'],
})

export const companyAssetsSchema = z.object({
  agentId: answeredIdSchema,
  company: z.string(),
  inTransitCents: z.int(),
  availableCents: z.int(),
  withdrawingCents: z.int(),
  serviceCents: z.int(),
  /** Of paid services and of settled income, until a dispute is decided. */
  heldCents: z.int(),
  /** Income of days that are not closed yet, before it is divided. */
  undividedCents: z.int(),
  /** Of issued bills, what is to be paid now, and the next day by which something of it is due. */
  openCents: z.int(),
  dueAt: instantSchema.nullable(),
  /** What was used since the last bill, and a day of the last week on average. */
  unbilledCents: z.int(),
  dailyCents: z.int(),
  /** How long the balance lasts beyond what is due; null where nothing is used. */
  daysLeft: z.int().nullable(),
})
export type CompanyAssets = z.infer<typeof companyAssetsSchema>

export const assetWarnings = ['overdue', 'due_soon', 'low_balance'] as const
export const assetWarningSchema = z.object({
  kind: z.enum(assetWarnings),
  agentId: answeredIdSchema,
  company: z.string(),
  cents: z.int(),
  /** Days since or until it is due, or that the balance lasts. */
  days: z.int(),
})
export type AssetWarning = z.infer<typeof assetWarningSchema>

/** Closed income of a day that is still in transit: what comes when. */
export const arrivalSchema = z.object({
  day: z.string(),
  /** The day after, when the channel's bill of the day has come; earlier than today: it is waited for. */
  dueDay: z.string(),
  companies: z.int(),
  cents: z.int(),
  /** What of it stays in transit beyond that, and why. */
  heldCents: z.int(),
  heldFor: z.array(z.object({ company: z.string(), reasons: z.array(heldReasonSchema) })),
})
export type Arrival = z.infer<typeof arrivalSchema>
export const arrivalsMax = 60

const asks = {
  host: 'finance',
  permission: ['financial_01'],
  scope: 'agent',
  method: 'POST',
  idempotency: 'none',
} as const

export const costCenterEndpoints = defineEndpoints({
  businessAssets: {
    ...asks,
    path: '/Business/business-assets/getInfo',
    summary:
      '费用中心：各部分余额、在途收入何时到账、近三十日用量费用与入账、即将到期的账单与预警；平台可见所辖全部加盟商',
    input: z.object({}),
    output: answerOf(
      z.object({
        companies: z.array(companyAssetsSchema),
        warnings: z.array(assetWarningSchema),
        arrivals: z.array(arrivalSchema),
        trend: z.array(z.object({ day: z.string(), costCents: z.int(), incomeCents: z.int() })),
      }),
    ),
  },
  prepareCharge: {
    ...asks,
    path: '/Business/charge-note/prepareCharge',
    summary: '充值前：可用的方式、限额、当前余额与待付账单',
    input: z.object({}),
    output: answerOf(
      z.object({
        balanceCents: z.int(),
        openCents: z.int(),
        ways: z.array(z.object({ way: z.enum(chargeWays), maxCents: z.int() })),
      }),
    ),
  },
  chargeService: {
    ...asks,
    idempotency: 'key',
    writes: 'ledger',
    path: '/Business/charge-note/charge',
    summary: '为本公司的服务费余额充值：转入可提现余额即时到账，渠道支付返回付款码',
    input: z.object({
      way: z.enum([...paymentChannels, 'available']),
      cents: z.int().min(chargeMinCents).max(chargeMaxCents),
    }),
    output: answerOf(
      z.object({
        note: chargeNoteSchema,
        /** What the payer scans; null when it is paid. */
        code: z.string().nullable(),
      }),
    ),
  },
  withdrawableCharges: {
    ...asks,
    path: '/Business/charge-note/getAvailableWithdrawChargeNoteByBusinessId',
    summary: '一家公司还有余额的充值单，先充的先用',
    input: z.object({ agentId: idSchema }),
    output: answerOf(z.object({ list: z.array(chargeNoteSchema), leftCents: z.int() })),
  },
  listChargeNotes: {
    ...asks,
    ...chargeNoteList.page,
    method: 'POST',
    path: '/Business/charge-note/page',
    summary: '服务费充值单，新的在前',
  },
  sumChargeNotes: {
    ...asks,
    ...chargeNoteList.sums,
    method: 'POST',
    path: '/Business/charge-note/sums',
    summary: '符合条件的充值单的数量与金额',
  },
  exportChargeNotes: {
    ...asks,
    ...chargeNoteList.file,
    path: '/Business/charge-note/export',
    summary: '导出充值单（CSV）',
  },
  listSpendNotes: {
    ...asks,
    ...spendNoteList.page,
    method: 'POST',
    path: '/Business/spend-note/page',
    summary: '服务费扣款单，新的在前',
  },
  sumSpendNotes: {
    ...asks,
    ...spendNoteList.sums,
    method: 'POST',
    path: '/Business/spend-note/sums',
    summary: '符合条件的扣款单的数量与金额',
  },
  exportSpendNotes: {
    ...asks,
    ...spendNoteList.file,
    path: '/Business/spend-note/export',
    summary: '导出扣款单（CSV）',
  },
  listAssetDetails: {
    ...asks,
    ...assetDetailList.page,
    method: 'POST',
    path: '/Business/assets-details/listByPage',
    summary: '收支明细：服务费、在途、可提现与提现中各账户的每一笔',
  },
  sumAssetDetails: {
    ...asks,
    ...assetDetailList.sums,
    method: 'POST',
    path: '/Business/assets-details/sums',
    summary: '符合条件的收支明细的笔数与净额',
  },
  exportAssetDetails: {
    ...asks,
    ...assetDetailList.file,
    path: '/Business/assets-details/listExport',
    summary: '导出收支明细（CSV）',
  },
  remarkAssetDetail: {
    ...asks,
    idempotency: 'key',
    path: '/Business/assets-details/remark',
    summary: '给一笔收支写备注，空白为清除；只改备注，不改账',
    input: z.object({ id: idSchema, remark: plainTextSchema.trim().max(assetRemarkMax) }),
    output: answerOf(assetDetailSchema),
  },
  assetPayDetail: {
    ...asks,
    path: '/Business/assets-details/payDetail',
    summary: '一笔收支所属单据的全部记账凭证',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        entries: z.array(
          z.object({
            number: z.int(),
            kind: z.enum(kindsOfEntries),
            at: instantSchema,
            memo: z.string(),
            lines: z.array(z.object({ account: z.enum(accountKinds), cents: z.int() })),
          }),
        ),
      }),
    ),
  },
})
