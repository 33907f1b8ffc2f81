import { z } from 'zod'
import { answeredIdSchema, answerOf, searchTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'

/** What the search box of the header finds beside pages, companies and areas, in the order in which it is shown. */
export const hitKinds = ['vehicle', 'order', 'rider', 'ticket', 'task', 'place', 'person', 'account'] as const
export type HitKind = (typeof hitKinds)[number]
export const hitKindLabels: Readonly<Record<HitKind, string>> = {
  vehicle: '车辆',
  order: '订单',
  rider: '骑行者',
  ticket: '用户工单',
  task: '任务',
  place: '停车点',
  person: '人员',
  account: '加盟商账号',
}

/** Hits of one kind at most: whoever needs more opens the list. */
export const hitsPerKind = 4
export const lookupTextMin = 2
const lookupTextMax = 40

export const hitSchema = z.object({
  kind: z.enum(hitKinds),
  id: answeredIdSchema,
  /** Its number or name; of a rider the masked phone. */
  title: z.string(),
  /** Where it belongs or who it is of. */
  note: z.string(),
  /** Its state or kind as the contract labels it, to be translated. */
  label: z.string().nullable(),
  /** When it began, where that tells two apart. */
  at: z.int().nullable(),
})
export type Hit = z.infer<typeof hitSchema>

export const lookupEndpoints = defineEndpoints({
  lookup: {
    method: 'GET',
    path: `${basePath}/lookup`,
    host: 'platform',
    permission: 'session',
    scope: 'area',
    idempotency: 'none',
    summary: '按编号、手机号或名称查找车辆、订单、骑行者、工单、任务、停车点与人员：每类以其列表的权限与范围为准',
    input: z.object({ text: searchTextSchema.trim().min(lookupTextMin).max(lookupTextMax) }),
    output: answerOf(z.object({ hits: z.array(hitSchema).max(hitKinds.length * hitsPerKind) })),
  },
})
