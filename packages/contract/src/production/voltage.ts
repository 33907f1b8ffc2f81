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
import { deviceProtocols } from '#contract/fleet/protocols.ts'
import { fields, list } from '#contract/list.ts'
import { productionFiles, productionReads, productionWorks } from './artefacts.ts'
import {
  replayTrackSchema,
  voltageReplaySchema,
  voltageStateLabels,
  voltageStates,
  voltageTermsSchema,
  voltageVersionSchema,
} from './voltageWords.ts'

/** Voltage schemes: which per cent a pack's voltage means, by versions that are replayed before they count. */

const voltageSchemeSchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  /** Cells in a row. */
  cells: z.int(),
  note: z.string(),
  /** Of the version in force, else of the one that waits, else of the draft. */
  state: z.enum(voltageStates),
  number: z.int().nullable(),
  emptyV: z.number().nullable(),
  fullV: z.number().nullable(),
  from: instantSchema.nullable(),
  models: z.array(z.string()),
  /** Of the scope, of these models. */
  vehicles: z.int(),
  hasDraft: z.boolean(),
  createdAt: instantSchema,
  /** The caller works for the platform, whose the schemes are. */
  maySet: z.boolean(),
})
export type VoltageScheme = z.infer<typeof voltageSchemeSchema>

const voltageSchemeFilterSchema = z.strictObject({
  /** Part of the name, or of the name of a model. */
  text: searchTextSchema.min(1).max(40).optional(),
  states: z.array(z.enum(voltageStates)).min(1).max(voltageStates.length).optional(),
  id: idSchema.optional(),
})

export const voltageSchemeFields = fields<VoltageScheme>()({
  name: '电池组',
  state: { title: '状态', labels: voltageStateLabels },
  number: '版本',
  cells: { title: '串数', as: 'count' },
  emptyV: '空电电压（V）',
  fullV: '满电电压（V）',
  models: '车型',
  vehicles: { title: '车辆数', as: 'count' },
  from: { title: '生效时间', as: 'instant' },
  note: '备注',
  createdAt: { title: '创建时间', as: 'instant' },
})

export const voltageSchemeList = list({
  row: voltageSchemeSchema,
  filter: voltageSchemeFilterSchema,
  sorts: { vehicles: 'desc', name: 'asc' },
})

const path = `${basePath}/production/voltage`
const versionAnswer = answerOf(z.object({ id: answeredIdSchema }))
const reason = plainTextSchema.overwrite(visibleText).min(1, { error: '请填写原因' }).max(200)
/** The revision that was shown: whoever changed it meanwhile is not overwritten. */
const shownVersion = { versionId: idSchema, revision: z.int().min(1) } as const

export const voltageEndpoints = defineEndpoints({
  listVoltageSchemes: {
    ...productionReads,
    ...voltageSchemeList.page,
    scope: 'area',
    path,
    summary: '电压方案：电池组、生效版本与车型，车辆多的在前',
  },
  exportVoltageSchemes: {
    ...productionFiles,
    ...voltageSchemeList.file,
    scope: 'area',
    path: `${path}/export`,
    summary: '导出电压方案（CSV）',
  },
  voltageSchemeDetail: {
    ...productionReads,
    scope: 'area',
    method: 'GET',
    idempotency: 'none',
    path: `${path}/detail`,
    summary: '一个电压方案的各版本：曲线、回差、静置修正与车型，新的在前',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        scheme: voltageSchemeSchema,
        versions: z.array(voltageVersionSchema),
        /** Models of the scope, for the choice of a draft. */
        models: z.array(z.object({ model: z.string(), protocol: z.enum(deviceProtocols), vehicles: z.int() })),
      }),
    ),
  },
  saveVoltageScheme: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/save`,
    summary: '新增或修改电池组，仅限平台人员',
    input: z.object({
      /** Null: a new one. */
      id: idSchema.nullable(),
      name: plainTextSchema.overwrite(visibleText).min(1).max(40),
      cells: z.int().min(1).max(100),
      note: plainTextSchema.trim().max(200).default(''),
    }),
    output: versionAnswer,
  },
  saveVoltageDraft: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/draft`,
    summary: '保存电压方案的草稿版本，仅限平台人员；生效之前不影响任何车辆',
    input: voltageTermsSchema.extend({
      schemeId: idSchema,
      /** Of the draft that was shown; 0: there was none. */
      revision: z.int().min(0),
    }),
    output: versionAnswer,
  },
  startVoltageReplay: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/replay/start`,
    summary: '用最近一周的上报回放一个草稿版本，仅限平台人员',
    input: z.object(shownVersion),
    output: versionAnswer,
  },
  voltageReplay: {
    ...productionReads,
    scope: 'area',
    method: 'GET',
    idempotency: 'none',
    path: `${path}/replay`,
    summary: '回放的结果：读数、电量与低电量告警的差异，以及差异最大的车辆',
    input: z.object({ versionId: idSchema }),
    output: answerOf(voltageReplaySchema.nullable()),
  },
  voltageReplayTrack: {
    ...productionReads,
    scope: 'area',
    method: 'GET',
    idempotency: 'none',
    path: `${path}/replay/track`,
    summary: '一辆车一周的电压、当时显示的电量与按该版本的电量',
    input: z.object({ versionId: idSchema, vehicleId: idSchema }),
    output: answerOf(replayTrackSchema),
  },
  enforceVoltageVersion: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/enforce`,
    summary: '让回放过的草稿版本从某一时刻起生效，仅限平台人员；最早在一分钟之后',
    input: z.object({
      ...shownVersion,
      /** Null: as soon as possible. */
      from: instantSchema.nullable(),
      reason,
    }),
    output: answerOf(z.object({ id: answeredIdSchema, from: instantSchema })),
  },
  withdrawVoltageVersion: {
    ...productionWorks,
    scope: 'area',
    path: `${path}/withdraw`,
    summary: '撤回待生效的版本，或结束生效中的版本，仅限平台人员；之后按设备自报的电量',
    input: z.object({ ...shownVersion, reason }),
    output: versionAnswer,
  },
})
