import { z } from 'zod'
import {
  answerOf,
  answeredIdSchema,
  idSchema,
  instantSchema,
  plainTextSchema,
  versionSchema,
} from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { exportAnswer, exportInput } from '#contract/exported.ts'
import { fields } from '#contract/list.ts'
import { taskKinds } from './taskWords.ts'

export const fixReasonNameMax = 40
export const fixReasonsMax = 200
export const repairPartsMax = 500
/** The highest price of a part, and the highest pay for one task. */
export const partCentsMax = 100_000_000
export const payCentsMax = 1_000_000
export const stockChangeMax = 100_000

const nameSchema = plainTextSchema.trim().min(1).max(fixReasonNameMax)
const noteSchema = plainTextSchema.trim().max(200).default('')

const fixReasonSchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  /** Riders may choose it when they report. */
  forRiders: z.boolean(),
  position: z.int(),
  version: z.int(),
})
export type FixReason = z.infer<typeof fixReasonSchema>
export const fixReasonFields = fields<FixReason>()({
  position: { title: '次序', as: 'count' },
  name: '故障原因',
  forRiders: '骑行者可选',
})

const repairPartSchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  unit: z.string(),
  priceCents: z.int(),
  /** Below zero: more was built in than was booked in. */
  stock: z.int(),
  stockLow: z.int(),
  version: z.int(),
  /** Built in within the last thirty days. */
  usedPieces: z.int(),
})
export type RepairPart = z.infer<typeof repairPartSchema>
export const repairPartFields = fields<RepairPart>()({
  name: '配件',
  unit: '单位',
  priceCents: { title: '单价', as: 'cents' },
  stock: { title: '库存', as: 'count' },
  stockLow: { title: '库存下限', as: 'count' },
  usedPieces: { title: '近 30 天用量', as: 'count' },
})

const partMovementSchema = z.object({
  id: answeredIdSchema,
  at: instantSchema,
  pieces: z.int(),
  cents: z.int(),
  /** The repair that used it. */
  taskId: answeredIdSchema.nullable(),
  operatorName: z.string(),
  note: z.string(),
})

export const partMovementFields = fields<z.infer<typeof partMovementSchema>>()({
  at: { title: '时间', as: 'instant' },
  pieces: { title: '数量', as: 'count' },
  cents: { title: '金额', as: 'cents' },
  taskId: '任务编号',
  operatorName: '人员',
  note: '备注',
})

const taskPaySchema = z.object({ kind: z.enum(taskKinds), cents: z.int(), reviewed: z.boolean() })
export type TaskPay = z.infer<typeof taskPaySchema>

/** Absent: the caller's own company. */
const ofCompany = { agentId: idSchema.optional() }
const reads = {
  host: 'platform',
  // Who repairs in the field chooses reasons and parts.
  permission: ['0501', '0909'],
  scope: 'agent',
  idempotency: 'none',
  method: 'GET',
} as const
const writes = { host: 'platform', permission: ['0501'], scope: 'agent', idempotency: 'key' } as const

const reasonPath = `${basePath}/device/eFixReason`
const path = `${basePath}/platform/repair`

export const repairConfigEndpoints = defineEndpoints({
  listFixReasons: {
    ...reads,
    path: reasonPath,
    summary: '一家公司的故障原因，按次序',
    input: z.object(ofCompany),
    output: answerOf(z.object({ agentId: answeredIdSchema, list: z.array(fixReasonSchema) })),
  },
  saveFixReason: {
    ...writes,
    method: 'POST',
    path: reasonPath,
    summary: '新增或修改一个故障原因；修改时给出编号与版本',
    input: z.object({
      ...ofCompany,
      id: idSchema.optional(),
      version: versionSchema.optional(),
      name: nameSchema,
      forRiders: z.boolean().default(true),
      position: z.int().min(0).max(10_000).default(0),
    }),
    output: answerOf(z.object({ id: answeredIdSchema, version: z.int() })),
  },
  removeFixReason: {
    ...writes,
    method: 'DELETE',
    path: reasonPath,
    reverse: 'saveFixReason',
    summary: '删除一个故障原因；已完成的维修保留当时的名称',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
  repairConfig: {
    ...reads,
    path,
    summary: '一家公司的维修配置：故障原因、配件与库存、各类任务的报酬',
    input: z.object(ofCompany),
    output: answerOf(
      z.object({
        agentId: answeredIdSchema,
        reasons: z.array(fixReasonSchema),
        parts: z.array(repairPartSchema),
        pay: z.array(taskPaySchema),
      }),
    ),
  },
  saveRepairPart: {
    ...writes,
    method: 'POST',
    path: `${path}/part`,
    summary: '新增或修改一个配件；修改时给出编号与版本，库存另行登记',
    input: z.object({
      ...ofCompany,
      id: idSchema.optional(),
      version: versionSchema.optional(),
      name: nameSchema,
      unit: plainTextSchema.trim().min(1).max(8),
      priceCents: z.int().min(0).max(partCentsMax),
      stockLow: z.int().min(0).max(stockChangeMax).default(0),
    }),
    output: answerOf(z.object({ id: answeredIdSchema, version: z.int() })),
  },
  removeRepairPart: {
    ...writes,
    method: 'DELETE',
    path: `${path}/part`,
    summary: '停用一个配件；用过它的维修保留记录',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
  moveRepairStock: {
    ...writes,
    method: 'POST',
    path: `${path}/part/stock`,
    summary: '登记配件的入库、报损或盘点差额',
    input: z.object({
      id: idSchema,
      pieces: z
        .int()
        .min(-stockChangeMax)
        .max(stockChangeMax)
        .refine((pieces) => pieces !== 0, { error: '数量不能为零' }),
      note: noteSchema,
    }),
    output: answerOf(z.object({ id: answeredIdSchema, stock: z.int() })),
  },
  repairPartMovements: {
    ...reads,
    permission: ['0501'],
    path: `${path}/part/stock`,
    summary: '一个配件的库存流水，新的在前',
    input: z.object({
      id: idSchema,
      beforeId: idSchema.optional(),
      pageSize: z.coerce.number().int().min(1).max(200).default(50),
    }),
    output: answerOf(
      z.object({
        list: z.array(partMovementSchema),
        hasMore: z.boolean(),
      }),
    ),
  },
  exportPartMovements: {
    ...reads,
    permission: ['0501'],
    method: 'POST',
    load: 'file',
    path: `${path}/part/stock/export`,
    summary: '导出一个配件的库存流水（CSV）',
    input: z.object({ id: idSchema, ...exportInput }),
    output: exportAnswer,
  },
  saveTaskPay: {
    ...writes,
    method: 'POST',
    path: `${path}/pay`,
    reverse: 'saveTaskPay',
    summary: '设定各类任务完成一次的报酬，以及是否须审核',
    input: z.object({
      ...ofCompany,
      pay: z
        .array(
          z.strictObject({ kind: z.enum(taskKinds), cents: z.int().min(0).max(payCentsMax), reviewed: z.boolean() }),
        )
        .min(1)
        .max(taskKinds.length),
    }),
    output: answerOf(z.object({ pay: z.array(taskPaySchema) })),
  },
})
