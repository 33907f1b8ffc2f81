import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
  visibleText,
} from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { deviceProtocolLabels, deviceProtocols } from '#contract/fleet/protocols.ts'
import { imeiSchema } from '#contract/fleet/registration.ts'
import { vehicleStateLabels, vehicleStates } from '#contract/fleet/vehicles.ts'
import { fields, list } from '#contract/list.ts'
import { productionFiles, productionReads, productionWorks } from './artefacts.ts'
import { partNumbersSchema } from './importWords.ts'

/** Vehicles as production sees them: the numbers of their parts, their batch, and how far they are. */

export const unitStages = ['made', 'in_test', 'rework', 'tested', 'delivered', 'activated', 'retired'] as const
export type UnitStage = (typeof unitStages)[number]
export const unitStageLabels: Readonly<Record<UnitStage, string>> = {
  made: '已生产',
  in_test: '检测中',
  rework: '返修中',
  tested: '检测合格',
  delivered: '已交付',
  activated: '已投入运营',
  retired: '已退役',
}
/** Parts that are replaced; those with numbers of their own that the platform knows are named by them. */
export const unitParts = ['device', 'bluetooth', 'sim', 'lock', 'battery', 'other'] as const
export type UnitPart = (typeof unitParts)[number]
export const unitPartLabels: Readonly<Record<UnitPart, string>> = {
  device: '中控',
  bluetooth: '蓝牙模块',
  sim: 'SIM 卡',
  lock: '车锁',
  battery: '电池',
  other: '其他部件',
}

/** Vehicles of one act. */
export const unitActMax = 200

const unitSchema = z.object({
  /** Of the vehicle. */
  id: answeredIdSchema,
  number: z.string(),
  imei: z.string(),
  serial: z.string().nullable(),
  mac: z.string().nullable(),
  iccid: z.string().nullable(),
  model: z.string(),
  protocol: z.enum(deviceProtocols),
  firmware: z.string().nullable(),
  stage: z.enum(unitStages),
  state: z.enum(vehicleStates),
  /** The batch that brought it; null where it was registered by itself, or the batch is another company's. */
  importId: answeredIdSchema.nullable(),
  batch: z.string().nullable(),
  agentId: answeredIdSchema,
  company: z.string(),
  areaId: answeredIdSchema,
  areaName: z.string(),
  madeAt: instantSchema,
  testedAt: instantSchema.nullable(),
  deliveredAt: instantSchema.nullable(),
  activatedAt: instantSchema.nullable(),
  retiredAt: instantSchema.nullable(),
  heardAt: instantSchema.nullable(),
})
export type Unit = z.infer<typeof unitSchema>

const unitFilterSchema = z.strictObject({
  stages: z.array(z.enum(unitStages)).min(1).max(unitStages.length).optional(),
  protocol: z.enum(deviceProtocols).optional(),
  model: searchTextSchema.min(1).max(40).optional(),
  importId: idSchema.optional(),
  areaIds: z.array(idSchema).min(1).max(500).optional(),
  /** Vehicle number, IMEI, SN, MAC or ICCID, whole. */
  text: searchTextSchema.min(1).max(40).optional(),
  id: idSchema.optional(),
})

export const unitList = list({ row: unitSchema, filter: unitFilterSchema, sorts: { made: 'desc' } })

export const unitFields = fields<Unit>()({
  number: '车辆编号',
  stage: { title: '生产状态', labels: unitStageLabels },
  imei: 'IMEI',
  serial: 'SN',
  mac: 'MAC',
  iccid: 'ICCID',
  model: '型号',
  protocol: { title: '协议', labels: deviceProtocolLabels },
  firmware: '固件',
  state: { title: '车辆状态', labels: vehicleStateLabels },
  importId: '导入批次',
  batch: '批次文件',
  company: '加盟商',
  areaName: '服务区',
  madeAt: { title: '生产时间', as: 'instant' },
  testedAt: { title: '检测合格时间', as: 'instant' },
  deliveredAt: { title: '交付时间', as: 'instant' },
  activatedAt: { title: '投放时间', as: 'instant' },
  retiredAt: { title: '退役时间', as: 'instant' },
  heardAt: { title: '最近上报', as: 'instant' },
})

const path = `${basePath}/production/units`
const vehicleIds = z.array(idSchema).min(1).max(unitActMax)
const each = answerOf(
  z.object({
    done: z.array(answeredIdSchema),
    refused: z.array(z.object({ id: answeredIdSchema, promot: z.string() })),
  }),
)

export const unitEndpoints = defineEndpoints({
  listUnits: {
    ...productionReads,
    ...unitList.page,
    scope: 'area',
    path,
    summary: '生产视角的车辆：批次、各部件编号、生产状态与固件，新的在前',
  },
  exportUnits: {
    ...productionFiles,
    ...unitList.file,
    scope: 'area',
    path: `${path}/export`,
    summary: '导出生产视角的车辆（CSV）',
  },
  deliverUnits: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/deliver`,
    summary: '交付：把未投放的车辆移到一个加盟商的服务区',
    input: z.object({ vehicleIds, areaId: idSchema }),
    output: each,
  },
  deployUnits: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/deploy`,
    summary: '投放：车辆可以被骑行',
    input: z.object({ vehicleIds }),
    output: each,
  },
  swapPart: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/swap`,
    summary: '更换部件：中控换新 IMEI 与 SN，蓝牙换 MAC，SIM 卡换 ICCID；新旧号码记入车辆经历，旧设备不能再连接',
    input: z
      .object({
        vehicleId: idSchema,
        part: z.enum(unitParts),
        imei: imeiSchema.optional(),
        ...partNumbersSchema,
        reason: plainTextSchema.overwrite(visibleText).min(1, { error: '请填写原因' }).max(200),
        isImeiUnchecked: z.boolean().default(false),
      })
      .refine(({ part, imei }) => part !== 'device' || imei !== undefined, {
        error: '更换中控时须填写新的 IMEI',
        path: ['imei'],
      })
      .refine(({ part, mac }) => part !== 'bluetooth' || mac !== undefined, {
        error: '更换蓝牙模块时须填写新的 MAC',
        path: ['mac'],
      })
      .refine(({ part, iccid }) => part !== 'sim' || iccid !== undefined, {
        error: '更换 SIM 卡时须填写新的 ICCID',
        path: ['iccid'],
      }),
    output: answerOf(z.object({ vehicleId: answeredIdSchema })),
  },
  retireUnits: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/retire`,
    summary: '退役：车辆撤出街面，不再投放',
    input: z.object({ vehicleIds }),
    output: each,
  },
})
