import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath, pageSizeMax } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { logCategories } from './words.ts'

/** Who did what to what, from where, before and after. Written with the change itself; never changed, never removed. */
export const auditRecordSchema = z.object({
  /** Negative: a command of a rider's app, by its own number. It is no line of the chain. */
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
})
export type AuditRecord = z.infer<typeof auditRecordSchema>

/** Names of things that `before` and `after` name by id, by `kind:id`. */
const namesSchema = z.record(z.string(), z.string())
export type AuditNames = z.infer<typeof namesSchema>

export const auditActionsMax = 50

export const auditFilterSchema = z.strictObject({
  from: instantSchema.optional(),
  /** Not included. */
  to: instantSchema.optional(),
  operatorId: idSchema.optional(),
  /** Part of a name, or a whole phone number. */
  operator: searchTextSchema.max(40).optional(),
  actions: z.array(plainTextSchema.max(62)).min(1).max(auditActionsMax).optional(),
  subjectKind: plainTextSchema.max(40).optional(),
  subjectId: plainTextSchema.max(80).optional(),
  /** Start of a vehicle's number or a device's IMEI, part of the name of a role, a person, a company, an area. */
  subject: searchTextSchema.max(80).optional(),
  agentId: idSchema.optional(),
})
export type AuditFilter = z.output<typeof auditFilterSchema>

/** Made by the server, opaque to everyone else. */
const cursorSchema = z.string().max(200)
const page = {
  filter: auditFilterSchema.default({}),
  cursor: cursorSchema.optional(),
  pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(50),
}
const answer = answerOf(
  z.object({
    list: z.array(auditRecordSchema),
    names: namesSchema,
    /** The text for a thing fits more of them than are searched for: a longer one finds all. */
    isSubjectCut: z.boolean(),
    /** Null: this was the last page. */
    nextCursor: z.string().nullable(),
  }),
)

/** Rows of one part of an export, and of a whole one. */
export const auditExportPartRows = 2_000
export const auditExportRowsMax = 200_000
/** Lines that one call of the verification checks. */
export const auditCheckLines = 20_000

const reads = { method: 'GET', host: 'platform', scope: 'agent', idempotency: 'none' } as const

export const auditEndpoints = defineEndpoints({
  userLogs: {
    ...reads,
    path: `${basePath}/platform/aliyunlog/userlogs`,
    permission: ['1404'],
    summary: '操作员日志：谁对什么做了什么',
    input: z.object(page),
    output: answer,
  },
  vehicleLogs: {
    ...reads,
    path: `${basePath}/platform/log/vehicle`,
    permission: ['1402'],
    summary: '车辆日志：对车辆的指令与修改',
    input: z.object(page),
    output: answer,
  },
  deviceLogs: {
    ...reads,
    path: `${basePath}/platform/log/device`,
    permission: ['1403'],
    summary: '设备日志：登录设备、会话与车载设备的登记与授权',
    input: z.object(page),
    output: answer,
  },
  exportLogs: {
    ...reads,
    method: 'POST',
    path: `${basePath}/platform/log/export`,
    permission: ['1402', '1403', '1404'],
    load: 'file',
    summary: '导出日志（CSV）：逐段取回，每一段都重新核对权限与范围',
    input: z.object({
      category: z.enum(logCategories),
      filter: auditFilterSchema.default({}),
      /** Both from the part before; absent for the first. */
      cursor: cursorSchema.optional(),
      exportId: z.uuid().optional(),
    }),
    output: answerOf(
      z.object({
        exportId: z.string(),
        fileName: z.string(),
        /** The next piece of the file, to be put behind the one before. */
        text: z.string(),
        rows: z.int(),
        nextCursor: z.string().nullable(),
      }),
    ),
  },
  logChains: {
    ...reads,
    path: `${basePath}/platform/log/chain`,
    permission: ['1404'],
    summary: '每家公司日志链的末端：行数、末行哈希、最近一次锚定',
    input: z.object({}),
    output: answerOf(
      z.object({
        list: z.array(
          z.object({
            agentId: answeredIdSchema,
            company: z.string(),
            lines: z.int(),
            /** Of the last line, hex; null where there is none. */
            lastHash: z.string().nullable(),
            lastAt: instantSchema.nullable(),
            anchoredAt: instantSchema.nullable(),
          }),
        ),
      }),
    ),
  },
  verifyLogs: {
    ...reads,
    path: `${basePath}/platform/log/verify`,
    permission: ['1404'],
    summary: '核对一家公司的日志链，逐段进行：是否完整，不完整则从哪一行断开',
    input: z.object({ agentId: idSchema, cursor: cursorSchema.optional() }),
    output: answerOf(
      z.object({
        /** Lines of the chain that were found to fit so far. */
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
export type AuditChain = z.infer<typeof auditEndpoints.logChains.output>['data']['list'][number]
