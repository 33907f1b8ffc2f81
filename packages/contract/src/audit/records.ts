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
import { auditActionTitles } from './actions.ts'
import { auditSubjectTitles, logCategories } from './subjects.ts'

/** Names of things that `before` and `after` name by id, by `kind:id`. */
const namesSchema = z.record(z.string(), z.string())
export type AuditNames = z.infer<typeof namesSchema>

/** Who did what to what, from where, before and after. Written with the change itself; never changed, never removed. */
export const auditRecordSchema = z.object({
  /** Negative: a command of a rider's app, by its own number. It is no record of the chain. */
  id: z.int(),
  agentId: answeredIdSchema,
  company: z.string(),
  areaId: answeredIdSchema.nullable(),
  at: instantSchema,
  operatorId: answeredIdSchema.nullable(),
  /** Null for acts of the system, and of people who were deleted. */
  operatorName: z.string().nullable(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.string(),
  /** What a person calls it: a vehicle's number, a role's name; null when it has none, is gone or lies elsewhere. */
  subjectName: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  address: z.string().nullable(),
  requestId: z.string().nullable(),
  names: namesSchema,
})
export type AuditRecord = z.infer<typeof auditRecordSchema>

/** What the record is about, by name: as it is called today, or as the record itself names it; null: by number only. */
export function auditSubjectName({
  subjectName,
  before,
  after,
}: Pick<AuditRecord, 'subjectName' | 'before' | 'after'>): string | null {
  if (subjectName !== null) return subjectName
  const named = after?.['name'] ?? before?.['name']
  return typeof named === 'string' && named !== '' ? named : null
}

export const auditActionsMax = 50

export const auditFilterSchema = z.strictObject({
  from: instantSchema.optional(),
  /** Not included. */
  to: instantSchema.optional(),
  operatorId: idSchema.optional(),
  /** Part of a name, or a whole phone number. */
  operator: searchTextSchema.max(40).optional(),
  phone: z.string().regex(phonePattern).optional(),
  actions: z.array(plainTextSchema.max(62)).min(1).max(auditActionsMax).optional(),
  subjectKind: plainTextSchema.max(40).optional(),
  subjectId: plainTextSchema.max(80).optional(),
  /** Start of a vehicle's number or a device's IMEI, part of the name of a role, a person, a company, an area. */
  subject: searchTextSchema.max(80).optional(),
  agentId: idSchema.optional(),
})
export type AuditFilter = z.output<typeof auditFilterSchema>

/** Newest first, or oldest first: nothing else orders millions of records by an index. */
export const auditList = list({
  row: auditRecordSchema,
  filter: auditFilterSchema,
  sorts: { at: 'desc' },
  secret: ['phone'],
})

/** Columns of the table; a file adds the changes in words. */
export const auditFields = fields<AuditRecord & { readonly changes: string }>()({
  at: { title: '时间', as: 'instant' },
  company: '公司',
  operatorName: '人员',
  action: { title: '动作', labels: auditActionTitles },
  subjectKind: { title: '对象', labels: auditSubjectTitles },
  subjectName: '对象名称',
  changes: '变更',
  address: '来源地址',
  requestId: '请求编号',
  id: '日志编号',
})

const auditChainSchema = z.object({
  agentId: answeredIdSchema,
  company: z.string(),
  lines: z.int(),
  /** Of the last record, hex; null where there is none. */
  lastHash: z.string().nullable(),
  lastAt: instantSchema.nullable(),
  anchoredAt: instantSchema.nullable(),
})
export type AuditChain = z.infer<typeof auditChainSchema>

export const auditChainFields = fields<AuditChain>()({
  company: '公司',
  lines: { title: '行数', as: 'count' },
  lastHash: '末行哈希',
  anchoredAt: { title: '末端另存于', as: 'instant' },
})

/** Rows of a whole file, and what its last line says when there are more. */
export const auditExportRowsMax = 200_000
export const auditExportCutText = '已达一次导出的上限 {{rows}} 行，请缩小条件后再导出其余'
/** Things that a text is searched in. */
export const auditSubjectsMax = 20
/** Records that one call of the verification checks. */
export const auditCheckLines = 20_000

const reads = { method: 'GET', host: 'platform', scope: 'agent', idempotency: 'none' } as const
const operatorLog = { host: 'platform', scope: 'agent', permission: ['1404'] } as const
const vehicleLog = { ...operatorLog, permission: ['1402'] } as const
const deviceLog = { ...operatorLog, permission: ['1403'] } as const
const path = `${basePath}/platform/log`

export const auditEndpoints = defineEndpoints({
  userLogs: {
    ...operatorLog,
    ...auditList.page,
    path: `${basePath}/platform/aliyunlog/userlogs`,
    summary: '操作员日志：谁对什么做了什么',
  },
  vehicleLogs: {
    ...vehicleLog,
    ...auditList.page,
    path: `${path}/vehicle`,
    summary: '车辆日志：对车辆的指令与修改',
  },
  deviceLogs: {
    ...deviceLog,
    ...auditList.page,
    path: `${path}/device`,
    summary: '设备日志：登录设备、会话与车载设备的登记与授权',
  },
  exportUserLogs: {
    ...operatorLog,
    ...auditList.file,
    path: `${path}/operator/export`,
    summary: '导出操作员日志（CSV）',
  },
  exportVehicleLogs: {
    ...vehicleLog,
    ...auditList.file,
    path: `${path}/vehicle/export`,
    summary: '导出车辆日志（CSV）',
  },
  exportDeviceLogs: { ...deviceLog, ...auditList.file, path: `${path}/device/export`, summary: '导出设备日志（CSV）' },
  logSubjects: {
    ...reads,
    path: `${path}/subjects`,
    permission: ['1402', '1403', '1404'],
    summary: '一段文字在日志中所指的对象：是否多于能查询的数目',
    input: z.object({ category: z.enum(logCategories), subject: searchTextSchema.min(1).max(80) }),
    output: answerOf(
      z.object({
        count: z.int(),
        /** There are more of them than are searched for: a longer text finds all. */
        isCut: z.boolean(),
      }),
    ),
  },
  logChains: {
    ...reads,
    path: `${path}/chain`,
    permission: ['1404'],
    summary: '每家公司日志链的末端：行数、末行哈希、最近一次锚定',
    input: z.object({}),
    output: answerOf(
      z.object({
        list: z.array(auditChainSchema),
      }),
    ),
  },
  verifyLogs: {
    ...reads,
    path: `${path}/verify`,
    permission: ['1404'],
    summary: '核对一家公司的日志链，逐段进行：是否完整，不完整则从哪一行断开',
    input: z.object({ agentId: idSchema, cursor: z.string().max(200).optional() }),
    output: answerOf(
      z.object({
        /** Records of the chain that were found to fit so far. */
        checked: z.int(),
        /** What does not fit; null: nothing so far. */
        fault: z
          .object({
            /** `line`: changed, missing or put in. `anchor`: the end that was kept elsewhere is not the chain's. */
            kind: z.enum(['line', 'anchor']),
            sequence: z.int(),
          })
          .nullable(),
        lastHash: z.string().nullable(),
        /** Null: this was the last part. */
        nextCursor: z.string().nullable(),
      }),
    ),
  },
})
