/** Work of field staff on a vehicle. */
export const taskKinds = ['battery_swap', 'move', 'repair', 'inspect', 'retrieve', 'relocate'] as const
export type TaskKind = (typeof taskKinds)[number]
export const taskKindLabels: Readonly<Record<TaskKind, string>> = {
  battery_swap: '换电',
  move: '挪车',
  repair: '维修',
  inspect: '巡检',
  retrieve: '回收',
  relocate: '调度',
}

/** `on_site`: the person stands before the vehicle. */
export const taskStates = ['open', 'claimed', 'on_site', 'done', 'cancelled'] as const
export type TaskState = (typeof taskStates)[number]
export const taskStateLabels: Readonly<Record<TaskState, string>> = {
  open: '待领取',
  claimed: '已领取',
  on_site: '处理中',
  done: '已完成',
  cancelled: '已取消',
}
/** States of a task that still asks for somebody. */
export const unfinishedStates = ['open', 'claimed', 'on_site'] as const satisfies readonly TaskState[]

/** Where a task came from. */
export const taskSources = ['rule', 'rider', 'inspection', 'manual', 'rebalancing'] as const
export type TaskSource = (typeof taskSources)[number]
export const taskSourceLabels: Readonly<Record<TaskSource, string>> = {
  rule: '系统规则',
  rider: '用户报修',
  inspection: '巡检上报',
  manual: '人工创建',
  rebalancing: '调度计划',
}

/** The lower, the sooner. */
export const taskPriorities = [1, 2, 3] as const
export type TaskPriority = (typeof taskPriorities)[number]
export const taskPriorityLabels: Readonly<Record<TaskPriority, string>> = { 1: '紧急', 2: '普通', 3: '不急' }

/** `none`: nobody has to look at it. */
export const taskReviews = ['none', 'waiting', 'approved', 'rejected'] as const
export type TaskReview = (typeof taskReviews)[number]
export const taskReviewLabels: Readonly<Record<TaskReview, string>> = {
  none: '无需审核',
  waiting: '待审核',
  approved: '已通过',
  rejected: '未通过',
}

/** What happens to a task, each with who, when and where. */
export const taskSteps = [
  'opened',
  'claimed',
  'released',
  'assigned',
  'transferred',
  'started',
  'done',
  'cancelled',
  'approved',
  'rejected',
] as const
export type TaskStep = (typeof taskSteps)[number]
export const taskStepLabels: Readonly<Record<TaskStep, string>> = {
  opened: '创建',
  claimed: '领取',
  released: '退回',
  assigned: '派发',
  transferred: '转交',
  started: '到达现场',
  done: '完成',
  cancelled: '取消',
  approved: '审核通过',
  rejected: '审核不通过',
}

/** What a rule looks for. */
export const taskTriggers = [
  'low_battery',
  'idle',
  'alarm',
  'fault',
  'outside_area',
  'overfull_place',
  'empty_place',
] as const
export type TaskTrigger = (typeof taskTriggers)[number]
export const taskTriggerLabels: Readonly<Record<TaskTrigger, string>> = {
  low_battery: '低电量',
  idle: '长时间闲置',
  alarm: '告警',
  fault: '故障上报',
  outside_area: '驶出服务区',
  overfull_place: '停车点超量',
  empty_place: '停车点缺车',
}
