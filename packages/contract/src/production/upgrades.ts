import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { deviceProtocols } from '#contract/fleet/protocols.ts'
import { fields, list } from '#contract/list.ts'
import { upgradeActionList, upgradeSteps } from './upgradeActions.ts'
import {
  upgradeCampaignStateLabels,
  upgradeCampaignStates,
  upgradeGates,
  upgradeNameMax,
  upgradeReasonMax,
  upgradeTermsSchema,
} from './upgradeWords.ts'
import { artefactKinds, artefactKindLabels, productionFiles, productionReads, productionWorks } from './artefacts.ts'

/** Rollouts of firmware and voice packs: campaigns, their groups and gates, and each device's upgrade. */

const counts = {
  total: z.int(),
  scheduled: z.int(),
  active: z.int(),
  finished: z.int(),
  errors: z.int(),
  cancelled: z.int(),
}

export const upgradeCampaignSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  name: z.string(),
  kind: z.enum(artefactKinds),
  artefactId: answeredIdSchema,
  artefact: z.string(),
  version: z.string(),
  protocol: z.enum(deviceProtocols),
  state: z.enum(upgradeCampaignStates),
  /** Why it is paused or stopped: a gate, or what a person wrote. */
  reason: z.string(),
  gate: z.enum(upgradeGates).nullable(),
  rollbackOf: answeredIdSchema.nullable(),
  terms: upgradeTermsSchema,
  areaIds: z.array(answeredIdSchema),
  groupNo: z.int(),
  ...counts,
  createdAt: instantSchema,
  createdBy: z.string(),
  startedAt: instantSchema.nullable(),
  finishedAt: instantSchema.nullable(),
})
export type UpgradeCampaign = z.infer<typeof upgradeCampaignSchema>

export const upgradeCampaignFilterSchema = z.strictObject({
  states: z.array(z.enum(upgradeCampaignStates)).min(1).max(upgradeCampaignStates.length).optional(),
  kind: z.enum(artefactKinds).optional(),
  name: searchTextSchema.min(1).max(40).optional(),
  id: idSchema.optional(),
})
export type UpgradeCampaignFilter = z.output<typeof upgradeCampaignFilterSchema>

export const upgradeCampaignList = list({
  row: upgradeCampaignSchema,
  filter: upgradeCampaignFilterSchema,
  sorts: { created: 'desc' },
})

export const upgradeCampaignFields = fields<UpgradeCampaign>()({
  id: '编号',
  name: '升级名称',
  kind: { title: '类型', labels: artefactKindLabels },
  artefact: '固件或语音包',
  version: '目标版本',
  state: { title: '状态', labels: upgradeCampaignStateLabels },
  reason: '原因',
  total: { title: '车辆', as: 'count' },
  scheduled: { title: '等待', as: 'count' },
  active: { title: '升级中', as: 'count' },
  finished: { title: '成功', as: 'count' },
  errors: { title: '失败', as: 'count' },
  cancelled: { title: '已取消', as: 'count' },
  company: '加盟商',
  createdAt: { title: '创建时间', as: 'instant' },
  createdBy: '创建人',
  startedAt: { title: '开始时间', as: 'instant' },
  finishedAt: { title: '结束时间', as: 'instant' },
})

/** A vital sign of upgraded vehicles and of others, in percent (battery: points a day); null where too few were heard of. */
const vitalSchema = z.object({ upgraded: z.number().nullable(), others: z.number().nullable() })

const target = {
  agentId: idSchema,
  artefactId: idSchema,
  /** Empty: all areas of the selection. */
  areaIds: z.array(idSchema).max(500).default([]),
}
const path = `${basePath}/production/upgrades`

export const upgradeEndpoints = defineEndpoints({
  listUpgradeCampaigns: {
    ...productionReads,
    ...upgradeCampaignList.page,
    scope: 'agent',
    path,
    summary: '升级活动：进度与闸门，新的在前',
  },
  exportUpgradeCampaigns: {
    ...productionFiles,
    ...upgradeCampaignList.file,
    scope: 'agent',
    path: `${path}/export`,
    summary: '导出升级活动（CSV）',
  },
  previewUpgrade: {
    ...productionReads,
    scope: 'area',
    method: 'POST',
    idempotency: 'none',
    path: `${path}/preview`,
    summary: '升级范围预览：多少车辆可以升级，其余为什么不能',
    input: z.object(target),
    output: answerOf(
      z.object({
        eligible: z.int(),
        /** Of the artefact's protocol and models. */
        matching: z.int(),
        current: z.int(),
        notAllowed: z.int(),
        open: z.int(),
        unknownVersion: z.int(),
      }),
    ),
  },
  createUpgradeCampaign: {
    ...productionWorks,
    scope: 'area',
    path,
    summary: '新建升级活动：车辆按 1%、10%、50%、100% 分批',
    input: z.object({
      ...target,
      name: plainTextSchema.trim().min(1).max(upgradeNameMax),
      terms: upgradeTermsSchema,
    }),
    output: answerOf(z.object({ id: answeredIdSchema, total: z.int() })),
  },
  startUpgradeCampaign: {
    ...productionWorks,
    scope: 'agent',
    path: `${path}/start`,
    reverse: 'pauseUpgradeCampaign',
    summary: '开始或继续升级活动',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
  pauseUpgradeCampaign: {
    ...productionWorks,
    scope: 'agent',
    path: `${path}/pause`,
    reverse: 'startUpgradeCampaign',
    summary: '暂停升级活动：不再开始新的车辆，下载中的停在当前数据包',
    input: z.object({ id: idSchema, reason: plainTextSchema.trim().max(upgradeReasonMax).default('') }),
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
  stopUpgradeCampaign: {
    ...productionWorks,
    scope: 'agent',
    path: `${path}/stop`,
    summary: '中止升级活动：未安装的全部取消，不可恢复',
    input: z.object({ id: idSchema, reason: plainTextSchema.trim().min(1).max(upgradeReasonMax) }),
    output: answerOf(z.object({ id: answeredIdSchema, cancelled: z.int() })),
  },
  rollBackUpgrade: {
    ...productionWorks,
    scope: 'agent',
    path: `${path}/rollback`,
    summary: '回退：为已升级的车辆新建回到之前版本的活动',
    input: z.object({ id: idSchema, artefactId: idSchema }),
    output: answerOf(z.object({ id: answeredIdSchema, total: z.int() })),
  },
  upgradeCampaignDetail: {
    ...productionReads,
    scope: 'agent',
    method: 'GET',
    idempotency: 'none',
    path: `${path}/detail`,
    summary: '一个升级活动的分批进度、闸门数据与可回退的版本',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        groups: z.array(z.object({ groupNo: z.int(), ...counts, silent: z.int() })),
        vitals: z.object({ unlockFailures: vitalSchema, offline: vitalSchema, batteryDrain: vitalSchema }),
        rollbacks: z.array(z.object({ id: answeredIdSchema, name: z.string(), version: z.string() })),
        watchUntil: instantSchema.nullable(),
      }),
    ),
  },
  listUpgradeActions: {
    ...productionReads,
    ...upgradeActionList.page,
    scope: 'area',
    path: `${path}/actions`,
    summary: '每台设备的升级，新的在前',
  },
  exportUpgradeActions: {
    ...productionFiles,
    ...upgradeActionList.file,
    scope: 'area',
    path: `${path}/actions/export`,
    summary: '导出每台设备的升级（CSV）',
  },
  upgradeLog: {
    ...productionReads,
    scope: 'area',
    method: 'GET',
    idempotency: 'none',
    path: `${path}/log`,
    summary: '一台设备升级的步骤',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        list: z.array(
          z.object({ at: instantSchema, step: z.enum(upgradeSteps), package: z.int(), detail: z.string() }),
        ),
      }),
    ),
  },
})
