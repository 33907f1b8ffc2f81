import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { deviceProtocols } from '#contract/fleet/protocols.ts'
import { imeiSchema, modelNameSchema, vehicleNumberSchema } from '#contract/fleet/registration.ts'
import { productionFiles, productionReads, productionWorks } from './artefacts.ts'
import {
  importProblems,
  importSheetSchema,
  partNumbersSchema,
  vehicleImportList,
  vehicleImportRowList,
  vehicleImportStates,
} from './importWords.ts'

const path = `${basePath}/production/imports`
const uploadCarId = `${basePath}/tools/uploadCarId`
const identity = { number: vehicleNumberSchema, imei: imeiSchema, ...partNumbersSchema, model: modelNameSchema }

/** How vehicles come into the platform: by file, or one by one under the scanner. */
export const importEndpoints = defineEndpoints({
  uploadCarIdExcel: {
    ...productionWorks,
    scope: 'area',
    path: `${uploadCarId}/excel`,
    bodyLimitBytes: bodyLimits.sheets,
    summary: '上传车辆清单（xlsx 或 CSV）：逐行检查并保存为待确认批次，此时还不登记车辆',
    input: importSheetSchema,
    output: answerOf(z.object({ id: answeredIdSchema, total: z.int(), bad: z.int() })),
  },
  uploadCarIdAmount: {
    ...productionReads,
    scope: 'area',
    method: 'GET',
    idempotency: 'none',
    path: `${uploadCarId}/amount`,
    summary: '批次数量：各状态的批次与车辆；给出批次时为各原因的行数，以及已连接过平台的车辆',
    input: z.object({ id: idSchema.optional() }),
    output: answerOf(
      z.object({
        states: z.array(z.object({ state: z.enum(vehicleImportStates), batches: z.int(), vehicles: z.int() })),
        reasons: z.array(z.object({ problem: z.enum(importProblems), rows: z.int() })),
        /** Of the batch: vehicles whose device has called already, after which it cannot be undone. */
        heard: z.int(),
      }),
    ),
  },
  uploadCarIdSingle: {
    ...productionWorks,
    scope: 'area',
    path: `${uploadCarId}/single`,
    summary: '扫码登记一辆车：编号、IMEI、SN、MAC、ICCID 与型号',
    input: z.object({
      ...identity,
      areaId: idSchema,
      protocol: z.enum(deviceProtocols),
      isImeiUnchecked: z.boolean().default(false),
    }),
    output: answerOf(z.object({ vehicleId: answeredIdSchema, number: z.string() })),
  },
  uploadCarIdUpdate: {
    ...productionWorks,
    scope: 'area',
    path: `${uploadCarId}/update`,
    summary: '更正一辆车的标识：编号、IMEI 与型号只能在设备首次连接之前更正',
    input: z.object({ ...identity, vehicleId: idSchema, isImeiUnchecked: z.boolean().default(false) }),
    output: answerOf(z.object({ vehicleId: answeredIdSchema })),
  },
  vehicleImportTemplate: {
    ...productionReads,
    scope: 'none',
    method: 'GET',
    idempotency: 'none',
    path: `${path}/template`,
    summary: '车辆清单模板（xlsx），单元格为文本格式',
    input: z.object({}),
    output: answerOf(z.object({ name: z.string(), base64: z.string() })),
  },
  listVehicleImports: {
    ...productionReads,
    ...vehicleImportList.page,
    scope: 'area',
    path,
    summary: '车辆批次，新的在前',
  },
  exportVehicleImports: {
    ...productionFiles,
    ...vehicleImportList.file,
    scope: 'area',
    path: `${path}/export`,
    summary: '导出车辆批次（CSV）',
  },
  listVehicleImportRows: {
    ...productionReads,
    ...vehicleImportRowList.page,
    scope: 'area',
    path: `${path}/rows`,
    summary: '一个批次的各行与不能导入的原因',
  },
  exportVehicleImportRows: {
    ...productionFiles,
    ...vehicleImportRowList.file,
    scope: 'area',
    path: `${path}/rows/export`,
    summary: '导出一个批次的各行（CSV），含不能导入的原因',
  },
  commitVehicleImport: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/commit`,
    reverse: 'undoVehicleImport',
    summary: '导入一个批次：全部，或只导入无误的行；车辆为已生产、未投放',
    input: z.object({ id: idSchema, rows: z.enum(['all', 'good']) }),
    output: answerOf(z.object({ id: answeredIdSchema, made: z.int() })),
  },
  undoVehicleImport: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/undo`,
    summary: '撤销已导入的批次：仅在没有一台设备连接过平台之前',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ id: answeredIdSchema, removed: z.int() })),
  },
  discardVehicleImport: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/discard`,
    summary: '放弃待确认的批次，其各行被删除',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
})
