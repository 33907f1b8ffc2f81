import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, plainTextSchema, visibleText } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { sheetBase64Schema } from '#contract/sheets.ts'

/** Riders of another system with their balances, from a file: checked, then committed by a second person or discarded. */

/** Riders of one file. All are booked at once, and rides of the company wait for that. */
export const riderImportRowsMax = 20_000
/** Batches of a company that wait to be committed or discarded. */
export const riderImportsOpenMax = 20
/** Days after which a batch that nobody has decided on expires: what it holds of riders is deleted. */
export const riderImportDays = 14
/** Lines that cannot be taken and are told of; the others are counted. */
export const riderImportFaultsMax = 200
/** Balance of one rider. */
export const openingMaxCents = 1_000_000

export const riderImportColumns = ['phone', 'name', 'balance'] as const
export type RiderImportColumn = (typeof riderImportColumns)[number]
/** Titles of the template; a file may also have them in English. */
export const riderImportColumnTitles: Readonly<Record<RiderImportColumn, string>> = {
  phone: '手机号',
  name: '姓名',
  balance: '余额（元）',
}

export const riderImportProblems = [
  'phone_format',
  'name_long',
  'balance_format',
  'balance_high',
  'phone_double',
  'rider_closed',
  'opened_before',
] as const
export type RiderImportProblem = (typeof riderImportProblems)[number]
export const riderImportProblemLabels: Readonly<Record<RiderImportProblem, string>> = {
  phone_format: '手机号须为 11 位',
  name_long: '姓名超过 30 个字',
  balance_format: '余额须为不带符号的金额，最多两位小数',
  balance_high: '余额超过 1 万元',
  phone_double: '手机号在文件中重复',
  rider_closed: '该用户已注销',
  opened_before: '该用户已导入过期初余额',
}

export const riderImportStates = ['checked', 'committed', 'discarded', 'expired'] as const
export type RiderImportState = (typeof riderImportStates)[number]
export const riderImportStateLabels: Readonly<Record<RiderImportState, string>> = {
  checked: '待确认',
  committed: '已导入',
  discarded: '已放弃',
  expired: '已过期',
}

const riderImportSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  state: z.enum(riderImportStates),
  name: z.string(),
  total: z.int(),
  bad: z.int(),
  /** Riders that the company has not had. */
  added: z.int(),
  /** Of the lines that can be taken. */
  cents: z.int(),
  /** Of the lines that cannot be taken, as far as they can be read; null: of a batch from before this was kept. */
  refusedCents: z.int().nullable(),
  /** Opening balances of the batch that were read back from the ledger, and their sum; null: none was committed. */
  booked: z.int().nullable(),
  bookedCents: z.int().nullable(),
  createdAt: instantSchema,
  createdBy: z.string(),
  endedAt: instantSchema.nullable(),
  endedBy: z.string().nullable(),
  /** Uploaded by the caller, who does not commit balances of their own file. */
  isOwn: z.boolean(),
})
export type RiderImport = z.infer<typeof riderImportSchema>

export const riderImportList = list({
  row: riderImportSchema,
  filter: z.strictObject({
    states: z.array(z.enum(riderImportStates)).min(1).max(riderImportStates.length).optional(),
    id: idSchema.optional(),
  }),
  sorts: { created: 'desc' },
})

export const riderImportFields = fields<RiderImport>()({
  id: '导入批次',
  name: '文件',
  state: { title: '状态', labels: riderImportStateLabels },
  total: { title: '行数', as: 'count' },
  bad: { title: '不能导入', as: 'count' },
  added: { title: '新用户', as: 'count' },
  cents: { title: '期初余额', as: 'cents' },
  company: '加盟商',
  createdAt: { title: '上传时间', as: 'instant' },
  createdBy: '上传人',
  endedAt: { title: '处理时间', as: 'instant' },
  endedBy: '处理人',
})

const path = `${basePath}/user/imports`
const imports = { host: 'platform', permission: ['07010111'], scope: 'agent', idempotency: 'none' } as const
const decision = { ...imports, method: 'POST', idempotency: 'key', input: z.object({ id: idSchema }) } as const

export const riderImportEndpoints = defineEndpoints({
  listRiderImports: { ...imports, ...riderImportList.page, path, summary: '用户导入批次，新的在前' },
  exportRiderImports: {
    ...imports,
    ...riderImportList.file,
    path: `${path}/export`,
    summary: '导出用户导入批次（CSV）',
  },
  riderImportFaults: {
    ...imports,
    method: 'GET',
    path: `${path}/faults`,
    summary: '一个批次中不能导入的行与原因，最多 200 行；不含手机号与姓名',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({ list: z.array(z.object({ line: z.int(), problems: z.array(z.enum(riderImportProblems)) })) }),
    ),
  },
  riderImportTemplate: {
    ...imports,
    scope: 'none',
    method: 'GET',
    path: `${path}/template`,
    summary: '用户清单模板（xlsx），手机号为文本格式',
    input: z.object({}),
    output: answerOf(z.object({ name: z.string(), base64: z.string() })),
  },
  checkRiderSheet: {
    ...imports,
    method: 'POST',
    idempotency: 'key',
    path: `${path}/check`,
    bodyLimitBytes: bodyLimits.sheets,
    summary: '上传用户清单（xlsx 或 CSV）：逐行检查并加密保存为待确认批次，此时还不新增用户、不记账',
    input: z.object({
      agentId: idSchema,
      name: plainTextSchema.overwrite(visibleText).min(1).max(80),
      base64: sheetBase64Schema,
    }),
    output: answerOf(z.object({ id: answeredIdSchema, total: z.int(), bad: z.int(), cents: z.int() })),
  },
  commitRiderImport: {
    ...decision,
    writes: 'ledger',
    path: `${path}/commit`,
    summary: '导入一个批次中无误的行：新增用户，期初余额逐人记账一次；含余额的批次由上传人以外的人确认，导入后不能撤销',
    output: answerOf(z.object({ id: answeredIdSchema, riders: z.int(), added: z.int(), cents: z.int() })),
  },
  discardRiderImport: {
    ...decision,
    path: `${path}/discard`,
    summary: '放弃待确认的批次，其中的用户资料被删除',
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
})
