import { z } from 'zod'
import { answerOf, idSchema, instantSchema, plainTextSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath, scopeListMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { taskKindLabels, taskKinds } from '#contract/operations/taskWords.ts'
import { deviceProtocolLabels, deviceProtocols } from './protocols.ts'
import { alarmKindLabels, vehicleStateLabels, vehicleStateSchema, vehicleStates } from './vehicles.ts'

const names = z.array(plainTextSchema.min(1).max(80)).min(1).max(50)
const percent = z.number().min(0).max(100)
const signal = z.int().min(-200).max(100)
const hours = z
  .number()
  .min(0)
  .max(24 * 366)

/** Vehicles that one call names. */
const vehicleIdsMax = 5_000

/** Conditions that a vehicle must all meet; one that is absent asks for nothing. */
export const vehicleFilterSchema = z.strictObject({
  /** Start of a number or an IMEI, or the end of a number. */
  keyword: searchTextSchema.max(40).optional(),
  vehicleIds: z.array(idSchema).max(vehicleIdsMax).optional(),
  agentIds: z.array(idSchema).max(scopeListMax).optional(),
  areaIds: z.array(idSchema).max(scopeListMax).optional(),
  /** As they count: one that is offline is `non_contactable`. */
  states: z.array(vehicleStateSchema).min(1).max(vehicleStates.length).optional(),
  models: names.optional(),
  protocols: z.array(z.enum(deviceProtocols)).min(1).max(deviceProtocols.length).optional(),
  firmwares: names.optional(),
  batteryFrom: percent.optional(),
  batteryTo: percent.optional(),
  /** As every count of that name. */
  lowBattery: z.boolean().optional(),
  signalFrom: signal.optional(),
  signalTo: signal.optional(),
  /** Nobody has ridden it for at least, at most, so long. */
  idleHoursFrom: hours.optional(),
  idleHoursTo: hours.optional(),
  /** Nothing was heard of it for at least so long. */
  silentHoursFrom: hours.optional(),
  /** Something was heard of it not longer ago than so long. */
  silentHoursTo: hours.optional(),
  online: z.boolean().optional(),
  locked: z.boolean().optional(),
  /** Any of these is open; an empty list: any alarm at all. */
  alarms: z.array(plainTextSchema.max(40)).max(20).optional(),
  /** A task of one of these kinds is not finished; an empty list: any task at all. */
  tasks: z.array(z.enum(taskKinds)).max(taskKinds.length).optional(),
})
export type VehicleFilter = z.output<typeof vehicleFilterSchema>

export const vehicleRowSchema = z.object({
  id: idSchema,
  number: z.string(),
  imei: z.string(),
  model: z.string(),
  protocol: z.enum(deviceProtocols),
  firmware: z.string().nullable(),
  agentId: idSchema,
  company: z.string(),
  areaId: idSchema,
  areaName: z.string(),
  state: vehicleStateSchema,
  online: z.boolean(),
  locked: z.boolean().nullable(),
  batteryPercent: z.number().nullable(),
  lowBattery: z.boolean(),
  signal: z.number().nullable(),
  position: z.object({ lat: z.number(), lng: z.number() }).nullable(),
  heardAt: instantSchema.nullable(),
  /** Since when nobody has ridden it; null while somebody does. */
  idleSince: instantSchema.nullable(),
  openAlarms: z.array(z.string()),
  openTasks: z.array(z.enum(taskKinds)),
})
export type VehicleRow = z.infer<typeof vehicleRowSchema>

export const vehicleFields = fields<VehicleRow>()({
  number: '车辆编号',
  imei: 'IMEI',
  model: '型号',
  protocol: { title: '协议', labels: deviceProtocolLabels },
  firmware: '固件',
  company: '加盟商',
  areaName: '服务区',
  state: { title: '状态', labels: vehicleStateLabels },
  online: { title: '在线', labels: { true: '在线', false: '离线' } },
  locked: { title: '车锁', labels: { true: '已锁', false: '已开' } },
  batteryPercent: { title: '电量', as: 'count', unit: '%' },
  signal: { title: '信号', as: 'count' },
  heardAt: { title: '最近上报', as: 'instant' },
  idleSince: { title: '闲置自', as: 'instant' },
  openAlarms: { title: '未关闭告警', labels: alarmKindLabels, context: 'alarm' },
  openTasks: { title: '未完成任务', labels: taskKindLabels },
})

/** Unknown batteries come before empty ones, the never heard before all others. */
export const vehicleList = list({
  row: vehicleRowSchema,
  filter: vehicleFilterSchema,
  sorts: { number: 'asc', state: 'asc', battery: 'asc', idle: 'asc', heard: 'asc' },
})
export type VehicleSort = keyof typeof vehicleList.sorts

export const screeningNameMax = 40
export const screeningsMax = 50
export const screeningSchema = z.object({
  id: idSchema,
  name: z.string(),
  filter: vehicleFilterSchema,
  /** Everyone of the same company sees it; only who made it may change it. */
  shared: z.boolean(),
  own: z.boolean(),
  authorName: z.string(),
  updatedAt: instantSchema,
})
export type Screening = z.infer<typeof screeningSchema>

const screeningInput = {
  name: plainTextSchema.trim().min(1).max(screeningNameMax),
  filter: vehicleFilterSchema,
  shared: z.boolean().default(false),
}
const screenings = {
  host: 'platform',
  permission: ['0307'],
  scope: 'self',
  path: `${basePath}/device/screening`,
} as const

export const searchEndpoints = defineEndpoints({
  searchVehicles: {
    ...vehicleList.page,
    path: `${basePath}/allTypeDevInfo`,
    host: 'platform',
    permission: ['0301', '0302', '0305', '0307'],
    scope: 'area',
    summary: '按条件查找车辆：分页按键值续读，总数精确到一万',
  },
  vehicleChoices: {
    method: 'GET',
    path: `${basePath}/device/choices`,
    host: 'platform',
    permission: ['0301', '0302', '0305', '0307', '0308'],
    scope: 'area',
    idempotency: 'none',
    summary: '筛选条件可选的型号、固件与告警',
    input: z.object({}),
    output: answerOf(
      z.object({ models: z.array(z.string()), firmwares: z.array(z.string()), alarms: z.array(z.string()) }),
    ),
  },
  findVehicleIds: {
    method: 'POST',
    path: `${basePath}/device/screening/result`,
    host: 'platform',
    permission: ['0301', '0307'],
    scope: 'area',
    idempotency: 'none',
    bodyLimitBytes: bodyLimits.shape,
    summary: '满足条件的车辆标识，用于对筛查结果批量操作',
    input: z.object({ filter: vehicleFilterSchema, limit: z.int().min(1).max(vehicleIdsMax).default(vehicleIdsMax) }),
    output: answerOf(z.object({ ids: z.array(idSchema), isCut: z.boolean() })),
  },
  exportVehicles: {
    ...vehicleList.file,
    path: `${basePath}/device/export`,
    host: 'platform',
    permission: ['0302', '0307'],
    scope: 'area',
    bodyLimitBytes: bodyLimits.shape,
    summary: '导出车辆（CSV）：逐段取回，每一段都重新核对权限与范围',
  },
  listScreenings: {
    ...screenings,
    method: 'GET',
    idempotency: 'none',
    summary: '保存的筛查条件：自己的与本公司共享的',
    input: z.object({}),
    output: answerOf(z.object({ list: z.array(screeningSchema) })),
  },
  saveScreening: {
    ...screenings,
    method: 'POST',
    idempotency: 'key',
    bodyLimitBytes: bodyLimits.shape,
    summary: '保存筛查条件；同名的自己的条件被替换',
    input: z.object(screeningInput),
    output: answerOf(screeningSchema),
  },
  changeScreening: {
    ...screenings,
    method: 'PUT',
    idempotency: 'none',
    bodyLimitBytes: bodyLimits.shape,
    summary: '修改自己的筛查条件',
    input: z.object({ id: idSchema, ...screeningInput }),
    output: answerOf(screeningSchema),
  },
  removeScreening: {
    ...screenings,
    method: 'DELETE',
    idempotency: 'none',
    reverse: 'saveScreening',
    summary: '删除自己的筛查条件',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({})),
  },
})
