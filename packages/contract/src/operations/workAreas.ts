import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { fields } from '#contract/list.ts'
import { taskKinds } from './taskWords.ts'
import { targetMinutesMax } from './taskTargets.ts'

export const workAreaPeopleMax = 100

const targetsSchema = z.record(z.enum(taskKinds), z.int().min(5).max(targetMinutesMax))
const kindsSchema = z.array(z.enum(taskKinds)).min(1).max(taskKinds.length)

const workAreaSchema = z.object({
  areaId: answeredIdSchema,
  areaName: z.string(),
  agentId: answeredIdSchema,
  company: z.string(),
  /** Minutes within which each kind is to be done; where nobody said so, the usual ones. */
  targets: targetsSchema,
  /** 0: nobody has said anything yet. */
  version: z.int(),
  people: z.array(
    z.object({ operatorId: answeredIdSchema, name: z.string(), kinds: kindsSchema, unfinished: z.int() }),
  ),
  vehicles: z.int(),
  open: z.int(),
  inWork: z.int(),
  overdue: z.int(),
  /** Since midnight by business time, and the same span of yesterday. */
  doneToday: z.int(),
  doneYesterday: z.int(),
  /** From opening to end, of what was done within the last seven days; null: nothing was. */
  medianMinutes: z.number().nullable(),
  /** Of those: the share that was done in time, in percent. */
  inTimePercent: z.number().nullable(),
  kinds: z.array(z.object({ kind: z.enum(taskKinds), unfinished: z.int() })),
})
export type WorkArea = z.infer<typeof workAreaSchema>

/** An area as a row: people by name. */
export type WorkAreaRow = Omit<WorkArea, 'people'> & { readonly people: readonly string[] }
export const workAreaFields = fields<WorkAreaRow>()({
  areaName: '服务区',
  company: '加盟商',
  vehicles: { title: '车辆数', as: 'count' },
  open: { title: '待领取', as: 'count' },
  inWork: { title: '处理中', as: 'count' },
  overdue: { title: '超时', as: 'count' },
  doneToday: { title: '今天完成', as: 'count' },
  doneYesterday: { title: '昨日同时', as: 'count' },
  medianMinutes: { title: '近 7 天中位用时', as: 'count', unit: '分钟' },
  inTimePercent: { title: '按时率', as: 'count', unit: '%' },
  people: '负责人员',
})

const calls = { host: 'platform', permission: ['0908'], scope: 'area', path: `${basePath}/platform/task/area` } as const

export const workAreaEndpoints = defineEndpoints({
  listWorkAreas: {
    ...calls,
    method: 'GET',
    idempotency: 'none',
    summary: '运维区域：各服务区由谁负责、各类任务的时限、现有工作量与近况',
    input: z.object({}),
    output: answerOf(z.object({ list: z.array(workAreaSchema) })),
  },
  saveWorkArea: {
    ...calls,
    method: 'POST',
    idempotency: 'key',
    bodyLimitBytes: bodyLimits.lists,
    summary: '设定一个服务区的任务时限与负责人员',
    input: z.object({
      areaId: idSchema,
      /** What was looked at; 0: there was nothing. */
      version: z.int().min(0),
      targets: targetsSchema,
      people: z.array(z.strictObject({ operatorId: idSchema, kinds: kindsSchema })).max(workAreaPeopleMax),
    }),
    output: answerOf(z.object({ version: z.int() })),
  },
})
