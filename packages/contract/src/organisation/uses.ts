import { z } from 'zod'

/** What hangs on a company or an area. */
export const useKinds = [
  'accounts',
  'sessions',
  'companies',
  'areas',
  'vehicles',
  'rides',
  'tasks',
  'fences',
  'people',
  'records',
] as const
export type UseKind = (typeof useKinds)[number]
export const useLabels: Readonly<Record<UseKind, string>> = {
  accounts: '启用的账号',
  sessions: '登录中的会话',
  companies: '下级加盟商',
  areas: '服务区',
  vehicles: '车辆',
  rides: '进行中的骑行',
  tasks: '未完成的任务',
  fences: '围栏',
  people: '限定在此的人员',
  records: '历史记录',
}
export const usesSchema = z.object({
  list: z.array(z.object({ kind: z.enum(useKinds), count: z.int() })),
  /** Why it cannot be done, in the user's language; null: it can. */
  refusal: z.string().nullable(),
})
export type Uses = z.infer<typeof usesSchema>
