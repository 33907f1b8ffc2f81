import { z } from 'zod'
import { answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath, pageSizeMax } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { exportAnswer, exportInput } from '#contract/exported.ts'
import { taskKinds, taskSources, taskStates } from '#contract/operations/taskWords.ts'
import { factoryFailedStepSchema } from '#contract/production/factoryWords.ts'
import { tripSchema } from './trips.ts'
import { vehicleReaders } from './access.ts'
import { commandSchema } from './commands.ts'
import { vehicleStateSchema } from './vehicles.ts'

export const lifeKinds = ['event', 'command', 'alarm', 'task', 'trip', 'unit'] as const
export type LifeKind = (typeof lifeKinds)[number]
export const lifeKindLabels: Readonly<Record<LifeKind, string>> = {
  event: '状态变化',
  command: '指令',
  alarm: '告警',
  task: '任务',
  trip: '骑行',
  unit: '生产与部件',
}

/** What happened to a vehicle as a product. */
export const unitEvents = [
  'made',
  'corrected',
  'test_passed',
  'test_failed',
  'rework_opened',
  'rework_done',
  'part_swapped',
  'delivered',
  'activated',
  'version',
  'retired',
] as const
export type UnitEvent = (typeof unitEvents)[number]
export const unitEventLabels: Readonly<Record<UnitEvent, string>> = {
  made: '生产登记',
  corrected: '更正标识',
  test_passed: '出厂检测通过',
  test_failed: '出厂检测不通过',
  rework_opened: '转入返修',
  rework_done: '返修完成',
  part_swapped: '更换部件',
  delivered: '交付',
  activated: '首次投放',
  version: '固件版本',
  retired: '退役',
}

/** Events of MDS 2.0 that a vehicle's state changes by. */
export const vehicleEventLabels: Readonly<Record<string, string>> = {
  agency_drop_off: '主管部门放回',
  agency_pick_up: '主管部门收走',
  battery_charged: '电量恢复',
  battery_low: '电量过低',
  changed_geographies: '进入其他区域',
  comms_lost: '失去联系',
  comms_restored: '恢复联系',
  compliance_pick_up: '合规收回',
  decommissioned: '退役',
  located: '重新找到',
  maintenance: '维护',
  maintenance_pick_up: '维护收回',
  not_located: '无法找到',
  off_hours: '停止运营时段',
  on_hours: '运营时段',
  provider_drop_off: '投放',
  rebalance_pick_up: '调度收回',
  reservation_cancel: '取消预约',
  reservation_start: '预约',
  system_resume: '恢复运营',
  system_suspend: '暂停运营',
  trip_cancel: '取消骑行',
  trip_end: '骑行结束',
  trip_enter_jurisdiction: '进入辖区',
  trip_leave_jurisdiction: '离开辖区',
  trip_start: '骑行开始',
  unspecified: '未注明',
}

export const lifeCauseLabels: Readonly<Record<string, string>> = {
  device: '设备上报',
  clock: '超时判定',
  operator: '人工操作',
  registration: '登记',
  rider: '骑行应用',
}

export const lifeEntrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('event'),
    at: instantSchema,
    event: z.string(),
    from: vehicleStateSchema,
    to: vehicleStateSchema,
    cause: z.string(),
  }),
  z.object({ kind: z.literal('command'), at: instantSchema, command: commandSchema }),
  z.object({
    kind: z.literal('alarm'),
    at: instantSchema,
    alarm: z.string(),
    times: z.int(),
    closedAt: instantSchema.nullable(),
    fixedBy: z.string().nullable(),
    note: z.string(),
  }),
  z.object({
    kind: z.literal('task'),
    at: instantSchema,
    taskId: idSchema,
    task: z.enum(taskKinds),
    state: z.enum(taskStates),
    source: z.enum(taskSources),
    doneAt: instantSchema.nullable(),
    personName: z.string().nullable(),
    note: z.string(),
  }),
  z.object({ kind: z.literal('trip'), at: instantSchema, trip: tripSchema }),
  z.object({
    kind: z.literal('unit'),
    at: instantSchema,
    event: z.enum(unitEvents),
    /** The part that was replaced, and the numbers or versions before and after. */
    part: z.string().nullable(),
    before: z.string().nullable(),
    after: z.string().nullable(),
    note: z.string(),
    /** Of a test that the vehicle did not pass. */
    failures: z.array(factoryFailedStepSchema),
    personName: z.string().nullable(),
  }),
])
export type LifeEntry = z.infer<typeof lifeEntrySchema>

const lifeShape = {
  vehicleId: idSchema,
  kinds: z.array(z.enum(lifeKinds)).min(1).max(lifeKinds.length).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
}

export const lifeEndpoints = defineEndpoints({
  vehicleLife: {
    method: 'GET',
    path: `${basePath}/device/life`,
    host: 'platform',
    permission: vehicleReaders,
    scope: 'area',
    idempotency: 'none',
    summary: '一辆车的经历：状态变化、指令、告警、任务、骑行，以及生产、检测、部件与版本，新的在前',
    input: z.object({
      ...lifeShape,
      cursor: z.string().max(200).optional(),
      pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(30),
    }),
    output: answerOf(z.object({ list: z.array(lifeEntrySchema), nextCursor: z.string().nullable() })),
  },
  exportVehicleLife: {
    method: 'POST',
    load: 'file',
    path: `${basePath}/device/life/export`,
    host: 'platform',
    permission: vehicleReaders,
    scope: 'area',
    idempotency: 'none',
    summary: '导出一辆车的经历（CSV）',
    input: z.object({ ...lifeShape, ...exportInput }),
    output: exportAnswer,
  },
})
