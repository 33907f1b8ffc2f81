import { z } from 'zod'
import { answeredIdSchema, idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { fields, list } from '#contract/list.ts'
import { artefactKinds, artefactKindLabels } from './artefacts.ts'
import {
  upgradeActionStateLabels,
  upgradeActionStates,
  upgradeFailureLabels,
  upgradeFailures,
  upgradeWaitLabels,
  upgradeWaits,
} from './upgradeWords.ts'

/** The upgrade of one device within a campaign. */

export const upgradeActionSchema = z.object({
  id: answeredIdSchema,
  campaignId: answeredIdSchema,
  /** Its name; null where it is one of a company above. */
  campaign: z.string().nullable(),
  vehicleId: answeredIdSchema,
  number: z.string(),
  agentId: answeredIdSchema,
  areaId: answeredIdSchema,
  kind: z.enum(artefactKinds),
  groupNo: z.int(),
  state: z.enum(upgradeActionStates),
  waitsFor: z.enum(upgradeWaits).nullable(),
  failure: z.enum(upgradeFailures).nullable(),
  fromVersion: z.string().nullable(),
  toVersion: z.string(),
  package: z.int(),
  packages: z.int(),
  resumes: z.int(),
  repeats: z.int(),
  queuedAt: instantSchema,
  begunAt: instantSchema.nullable(),
  changedAt: instantSchema,
  finishedAt: instantSchema.nullable(),
})
export type UpgradeAction = z.infer<typeof upgradeActionSchema>

export const upgradeActionFilterSchema = z.strictObject({
  campaignId: idSchema.optional(),
  vehicleId: idSchema.optional(),
  states: z.array(z.enum(upgradeActionStates)).min(1).max(upgradeActionStates.length).optional(),
  /** Of the vehicle, whole. */
  number: searchTextSchema.min(1).max(20).optional(),
})
export type UpgradeActionFilter = z.output<typeof upgradeActionFilterSchema>

export const upgradeActionList = list({
  row: upgradeActionSchema,
  filter: upgradeActionFilterSchema,
  sorts: { queued: 'desc' },
})

export const upgradeActionFields = fields<UpgradeAction>()({
  id: '编号',
  number: '车辆编号',
  campaign: '所属升级',
  kind: { title: '类型', labels: artefactKindLabels },
  groupNo: { title: '第几批', as: 'count' },
  state: { title: '状态', labels: upgradeActionStateLabels },
  waitsFor: { title: '等待原因', labels: upgradeWaitLabels },
  failure: { title: '失败原因', labels: upgradeFailureLabels },
  fromVersion: '原版本',
  toVersion: '目标版本',
  package: { title: '已收数据包', as: 'count' },
  packages: { title: '数据包', as: 'count' },
  resumes: { title: '续传次数', as: 'count' },
  repeats: { title: '重发数据包', as: 'count' },
  queuedAt: { title: '排队时间', as: 'instant' },
  begunAt: { title: '开始时间', as: 'instant' },
  changedAt: { title: '更新时间', as: 'instant' },
  finishedAt: { title: '结束时间', as: 'instant' },
})

export const upgradeSteps = ['begun', 'resumed', 'downloaded', 'installing', 'finished', 'error', 'cancelled'] as const
export const upgradeStepLabels: Readonly<Record<(typeof upgradeSteps)[number], string>> = {
  begun: '开始下发',
  resumed: '断线后续传',
  downloaded: '设备已收到全部数据',
  installing: '设备开始安装',
  finished: '设备报告新版本',
  error: '失败',
  cancelled: '已取消',
}
