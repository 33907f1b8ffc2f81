import type { VehicleFilter } from '@saddle/contract/fleet/search.ts'
import type { Organisation } from '#organisation/public.ts'
import { franchiseeId } from './tenants.ts'

type Application = Parameters<Organisation['submitApplication']>[0]

/** Conversations with support: who asked, how long ago, and what was said in turn. */
export const demoConversations: readonly {
  readonly phone: string
  readonly minutesAgo: number
  readonly turns: readonly { readonly from: 'operator' | 'support'; readonly text: string }[]
}[] = [
  {
    phone: '13800138001',
    minutesAgo: 185,
    turns: [
      { from: 'operator', text: '老城服务区新增了两处停车点，什么时候能在地图上看到？' },
      { from: 'support', text: '您好，围栏保存后立即生效，刷新地图即可看到。' },
      { from: 'operator', text: '看到了，谢谢！' },
    ],
  },
  {
    phone: '13800138002',
    minutesAgo: 42,
    turns: [{ from: 'operator', text: 'SD100002 远程开锁一直提示等待车辆确认，车就在我面前，信号满格。' }],
  },
  {
    phone: '13800138006',
    minutesAgo: 1_500,
    turns: [
      { from: 'operator', text: '开户资料上周已经提交，请问审核到哪一步了？' },
      { from: 'support', text: '您好，资料已转交支付机构，预计三个工作日内有结果。' },
    ],
  },
]

/** Companies that ask to join, and how many hours ago they did. */
export const demoApplications: readonly (Application & { readonly hoursAgo: number })[] = [
  {
    hoursAgo: 51,
    company: '南浦慢行科技有限公司',
    contact: '周明远',
    phone: '13700137001',
    city: '南浦市',
    plannedVehicles: 800,
    remark: '已取得当地城管部门的投放许可，希望春季前上线。',
  },
  {
    hoursAgo: 20,
    company: '栖霞共享单车服务部',
    contact: '许若溪',
    phone: '13700137002',
    city: '栖霞镇',
    plannedVehicles: 120,
    remark: '',
  },
  {
    hoursAgo: 3,
    company: '云麓文旅集团',
    contact: '方牧野',
    phone: '13700137003',
    city: '云麓市',
    plannedVehicles: 350,
    remark: '景区内封闭道路骑行，需要限定还车点。',
  },
]

/** Conditions for screening vehicles that somebody keeps, by their phone. */
export const demoScreenings: readonly {
  readonly phone: string
  readonly name: string
  readonly filter: VehicleFilter
  readonly shared: boolean
}[] = [
  { phone: '13800138000', name: '电量 20% 以下', filter: { batteryTo: 20 }, shared: true },
  { phone: '13800138000', name: '24 小时无人骑行', filter: { idleHoursFrom: 24 }, shared: true },
  { phone: '13800138001', name: '电量 20% 以下', filter: { batteryTo: 20 }, shared: true },
  { phone: '13800138001', name: '有未关闭告警', filter: { alarms: [] }, shared: true },
  { phone: '13800138006', name: '24 小时无人骑行', filter: { idleHoursFrom: 24 }, shared: false },
]

/** Franchisers whom the platform has entered for the companies below it. */
export const demoAllies: readonly {
  readonly agentId: number
  readonly phone: string
  readonly name: string
  readonly note: string
}[] = [
  { agentId: franchiseeId('qinghe'), phone: '13700137011', name: '贺清川', note: '签约人' },
  { agentId: franchiseeId('chengji'), phone: '13700137012', name: '罗望舒', note: '签约人，工作日联系' },
  { agentId: franchiseeId('lvtu'), phone: '13700137013', name: '叶知秋', note: '' },
]
