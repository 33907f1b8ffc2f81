import { z } from 'zod'
import {
  answeredIdSchema,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
  visibleText,
} from '#contract/answers.ts'
import { deviceProtocolLabels, deviceProtocols } from '#contract/fleet/protocols.ts'
import { modelNameSchema } from '#contract/fleet/registration.ts'
import { fields, list } from '#contract/list.ts'
import { sheetBase64Schema } from '#contract/sheets.ts'

/** Batches of vehicles that come as a file: their columns, and why a line of it cannot be taken. */

/** Vehicles of one file. */
export const importRowsMax = 100_000
/** Batches of a company that wait to be committed or discarded. */
export const importsOpenMax = 20
const importNewModelsMax = 20

export const importColumns = ['number', 'imei', 'serial', 'mac', 'iccid', 'model', 'area'] as const
export type ImportColumn = (typeof importColumns)[number]
/** Titles of the template; a file may also have them in English. */
export const importColumnTitles: Readonly<Record<ImportColumn, string>> = {
  number: '车辆编号',
  imei: 'IMEI',
  serial: 'SN',
  mac: 'MAC',
  iccid: 'ICCID',
  model: '型号',
  area: '服务区',
}

export const importProblems = [
  'number_format',
  'imei_format',
  'imei_digit',
  'serial_format',
  'mac_format',
  'iccid_format',
  'digits_lost',
  'model_unknown',
  'area_other',
  'number_double',
  'imei_double',
  'serial_double',
  'mac_double',
  'iccid_double',
  'number_taken',
  'imei_taken',
  'serial_taken',
  'mac_taken',
  'iccid_taken',
  'imei_refused',
] as const
export type ImportProblem = (typeof importProblems)[number]
export const importProblemLabels: Readonly<Record<ImportProblem, string>> = {
  number_format: '编号须为 4 至 20 位字母或数字',
  imei_format: 'IMEI 须为 15 位数字',
  imei_digit: 'IMEI 校验位不符',
  serial_format: 'SN 须为 4 至 40 位字母、数字',
  mac_format: 'MAC 须为 12 位十六进制',
  iccid_format: 'ICCID 须为 19 或 20 位',
  digits_lost: '单元格为数字格式，末位已丢失，请设为文本',
  model_unknown: '型号未知或未填',
  area_other: '服务区与所选的不一致',
  number_double: '编号在文件中重复',
  imei_double: 'IMEI 在文件中重复',
  serial_double: 'SN 在文件中重复',
  mac_double: 'MAC 在文件中重复',
  iccid_double: 'ICCID 在文件中重复',
  number_taken: '编号已登记',
  imei_taken: 'IMEI 已登记',
  serial_taken: 'SN 已登记',
  mac_taken: 'MAC 已登记',
  iccid_taken: 'ICCID 已登记',
  imei_refused: '该设备已被拒绝接入',
}

export const vehicleImportStates = ['checked', 'committed', 'undone', 'discarded'] as const
export type VehicleImportState = (typeof vehicleImportStates)[number]
export const vehicleImportStateLabels: Readonly<Record<VehicleImportState, string>> = {
  checked: '待确认',
  committed: '已导入',
  undone: '已撤销',
  discarded: '已放弃',
}

export const serialPattern = /^[A-Za-z0-9._/-]{4,40}$/
export const macPattern = /^[0-9A-F]{2}(:[0-9A-F]{2}){5}$/
export const iccidPattern = /^[0-9A-F]{19,20}$/
/** `aabb.ccdd.eeff`, `AA-BB-…` and the like as `AA:BB:CC:DD:EE:FF`; what is none stays as it is. */
export function macOf(text: string): string {
  const digits = text.replaceAll(/[\s:.-]/g, '').toUpperCase()
  return /^[0-9A-F]{12}$/.test(digits) ? (digits.match(/../g) ?? []).join(':') : text
}
export const iccidOf = (text: string): string => text.replaceAll(/\s/g, '').toUpperCase()

/** Numbers of a vehicle's parts: of the maker, of its Bluetooth, of its SIM card. */
export const partNumbersSchema = {
  serial: plainTextSchema
    .overwrite(visibleText)
    .regex(serialPattern, { error: 'SN 须为 4 至 40 位字母、数字' })
    .optional(),
  mac: plainTextSchema
    .overwrite((text) => macOf(visibleText(text)))
    .regex(macPattern, { error: 'MAC 须为 12 位十六进制' })
    .optional(),
  iccid: plainTextSchema
    .overwrite((text) => iccidOf(visibleText(text)))
    .regex(iccidPattern, { error: 'ICCID 须为 19 或 20 位' })
    .optional(),
} as const

const vehicleImportSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  areaId: answeredIdSchema,
  areaName: z.string(),
  state: z.enum(vehicleImportStates),
  name: z.string(),
  protocol: z.enum(deviceProtocols),
  total: z.int(),
  bad: z.int(),
  /** Vehicles that it brought. */
  made: z.int(),
  createdAt: instantSchema,
  createdBy: z.string(),
  committedAt: instantSchema.nullable(),
  committedBy: z.string().nullable(),
  endedAt: instantSchema.nullable(),
  endedBy: z.string().nullable(),
})
export type VehicleImport = z.infer<typeof vehicleImportSchema>

const vehicleImportFilterSchema = z.strictObject({
  states: z.array(z.enum(vehicleImportStates)).min(1).max(vehicleImportStates.length).optional(),
  protocol: z.enum(deviceProtocols).optional(),
  /** Part of the file's name. */
  text: searchTextSchema.min(1).max(40).optional(),
  id: idSchema.optional(),
})

export const vehicleImportList = list({
  row: vehicleImportSchema,
  filter: vehicleImportFilterSchema,
  sorts: { created: 'desc' },
})

export const vehicleImportFields = fields<VehicleImport>()({
  id: '导入批次',
  name: '文件',
  state: { title: '状态', labels: vehicleImportStateLabels },
  total: { title: '行数', as: 'count' },
  bad: { title: '不能导入', as: 'count' },
  made: { title: '导入车辆', as: 'count' },
  protocol: { title: '协议', labels: deviceProtocolLabels },
  company: '加盟商',
  areaName: '服务区',
  createdAt: { title: '上传时间', as: 'instant' },
  createdBy: '上传人',
  committedAt: { title: '导入时间', as: 'instant' },
  committedBy: '导入人',
  endedAt: { title: '撤销时间', as: 'instant' },
  endedBy: '撤销人',
})

const vehicleImportRowSchema = z.object({
  id: answeredIdSchema,
  importId: answeredIdSchema,
  line: z.int(),
  number: z.string(),
  imei: z.string(),
  serial: z.string(),
  mac: z.string(),
  iccid: z.string(),
  model: z.string(),
  /** Why it cannot be taken, in words and separated by `、`; empty: it can. */
  reasons: z.string(),
  problems: z.array(z.enum(importProblems)),
})
export type VehicleImportRow = z.infer<typeof vehicleImportRowSchema>

const vehicleImportRowFilterSchema = z.strictObject({
  importId: idSchema.optional(),
  problems: z.array(z.enum(importProblems)).min(1).max(importProblems.length).optional(),
  isBad: z.boolean().optional(),
  /** Vehicle number or IMEI, whole. */
  text: searchTextSchema.min(1).max(40).optional(),
})

export const vehicleImportRowList = list({
  row: vehicleImportRowSchema,
  filter: vehicleImportRowFilterSchema,
  sorts: { line: 'asc' },
})

export const vehicleImportRowFields = fields<VehicleImportRow>()({
  line: { title: '行号', as: 'count' },
  number: importColumnTitles.number,
  imei: importColumnTitles.imei,
  serial: importColumnTitles.serial,
  mac: importColumnTitles.mac,
  iccid: importColumnTitles.iccid,
  model: importColumnTitles.model,
  reasons: '检查结果',
})

export const importSheetSchema = z.object({
  areaId: idSchema,
  protocol: z.enum(deviceProtocols),
  /** Models that nobody has yet and that the person means to add. */
  newModels: z.array(modelNameSchema).max(importNewModelsMax).default([]),
  /** Takes IMEIs whose last digit does not check the others. */
  isImeiUnchecked: z.boolean().default(false),
  name: plainTextSchema.overwrite(visibleText).min(1).max(80),
  base64: sheetBase64Schema,
})
export type ImportSheet = z.output<typeof importSheetSchema>
