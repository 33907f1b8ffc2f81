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
import { modelNameSchema } from '#contract/fleet/registration.ts'
import { productionFiles, productionReads, productionWorks } from './artefacts.ts'
import { factorySteps, factoryTermsSchema, factoryTestList, factoryTestSchema, reworkList } from './factoryWords.ts'
import { unitStages } from './units.ts'

const path = `${basePath}/production/factoryTest`
const rework = `${basePath}/production/rework`

/** Models of a company that the page shows. */
export const factoryModelsMax = 200

const factoryModelSchema = z.object({
  agentId: answeredIdSchema,
  company: z.string(),
  model: z.string(),
  /** Of the scope. */
  vehicles: z.int(),
  terms: factoryTermsSchema,
  /** Null: the usual terms. */
  changedAt: instantSchema.nullable(),
  changedBy: z.string().nullable(),
})
export type FactoryModel = z.infer<typeof factoryModelSchema>

/** A vehicle under the scanner. */
const benchSchema = z.object({
  vehicleId: answeredIdSchema,
  number: z.string(),
  imei: z.string(),
  model: z.string(),
  areaName: z.string(),
  stage: z.enum(unitStages),
  heardAt: instantSchema.nullable(),
  /** The latest test. */
  test: factoryTestSchema.nullable(),
})

const reasonSchema = plainTextSchema.overwrite(visibleText).min(1, { error: '请填写原因' }).max(200)
const one = answerOf(z.object({ id: answeredIdSchema }))

export const factoryTestEndpoints = defineEndpoints({
  listFactoryTests: {
    ...productionReads,
    ...factoryTestList.page,
    scope: 'area',
    path,
    summary: '出厂检测记录：各项结果、检测人，新的在前',
  },
  exportFactoryTests: {
    ...productionFiles,
    ...factoryTestList.file,
    scope: 'area',
    path: `${path}/export`,
    summary: '导出出厂检测记录（CSV）',
  },
  factoryTestBench: {
    ...productionReads,
    scope: 'area',
    method: 'GET',
    idempotency: 'none',
    path: `${path}/bench`,
    summary: '检测工位：按编号或 IMEI 查一辆车，含最近一次检测的进度',
    input: z.object({
      /** Vehicle number or IMEI, whole. */
      text: searchTextSchema.min(1).max(40),
    }),
    output: answerOf(benchSchema),
  },
  beginFactoryTest: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/begin`,
    reverse: 'cancelFactoryTest',
    summary: '开始检测一辆未投放的车：平台逐项下发指令，并按设备的上报判定',
    input: z.object({ vehicleId: idSchema }),
    output: one,
  },
  cancelFactoryTest: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/cancel`,
    summary: '取消进行中的检测，车辆回到待检测',
    input: z.object({ id: idSchema }),
    output: one,
  },
  listFactoryModels: {
    ...productionReads,
    scope: 'area',
    method: 'GET',
    idempotency: 'none',
    path: `${path}/models`,
    summary: '各型号的检测项目与要求',
    input: z.object({}),
    output: answerOf(z.object({ list: z.array(factoryModelSchema) })),
  },
  setFactoryTerms: {
    ...productionWorks,
    scope: 'agent',
    path: `${path}/terms`,
    summary: '设置一个加盟商一种型号的检测项目与要求，之后开始的检测按此进行',
    input: z
      .object({
        agentId: idSchema,
        model: modelNameSchema,
        steps: z.array(z.enum(factorySteps)).min(1).max(factorySteps.length),
        firmware: plainTextSchema.overwrite(visibleText).min(1).max(80).optional(),
        batteryMinPercent: z.int().min(1).max(100),
        voltageMinV: z.number().min(1).max(120).optional(),
        voltageMaxV: z.number().min(1).max(120).optional(),
      })
      .refine(({ steps, firmware }) => firmware !== undefined || !steps.includes('firmware'), {
        error: '检测固件版本时须填写要求的版本',
        path: ['firmware'],
      })
      .refine(({ voltageMinV = 0, voltageMaxV = 1_000 }) => voltageMinV <= voltageMaxV, {
        error: '最低电压不能高于最高电压',
        path: ['voltageMaxV'],
      }),
    output: answerOf(z.object({ model: z.string() })),
  },
  listReworks: {
    ...productionReads,
    ...reworkList.page,
    scope: 'area',
    path: rework,
    summary: '返修清单，新的在前',
  },
  exportReworks: {
    ...productionFiles,
    ...reworkList.file,
    scope: 'area',
    path: `${rework}/export`,
    summary: '导出返修清单（CSV）',
  },
  openRework: {
    ...productionWorks,
    scope: 'area',
    path: `${rework}/open`,
    summary: '把一辆未投放的车转入返修：外观等检测之外的问题',
    input: z.object({ vehicleId: idSchema, reason: reasonSchema }),
    output: one,
  },
  finishRework: {
    ...productionWorks,
    scope: 'area',
    path: `${rework}/finish`,
    summary: '返修完成，车辆回到待检测',
    input: z.object({ id: idSchema, note: reasonSchema }),
    output: one,
  },
})
