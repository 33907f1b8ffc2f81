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

/** What keeps somebody from finishing a task where they stand. */
export const taskOutcomes = ['not_found', 'locked_in', 'needs_help'] as const
export type TaskOutcome = (typeof taskOutcomes)[number]
export const taskOutcomeLabels: Readonly<Record<TaskOutcome, string>> = {
  not_found: '没找到车',
  locked_in: '车在院内',
  needs_help: '需要支援',
}

/** What has to be looked at before each kind of task is finished. */
export const taskChecks = {
  battery_swap: ['battery_locked', 'vehicle_upright', 'lights_on'],
  move: ['within_marks', 'way_clear', 'lock_closed'],
  repair: ['brakes_work', 'wheels_tight', 'lock_works', 'ridden'],
  inspect: ['brakes_work', 'tyres_full', 'lights_on', 'lock_works', 'code_readable', 'body_whole'],
  retrieve: ['lock_closed', 'body_whole'],
  relocate: ['within_marks', 'way_clear', 'lock_closed'],
} as const satisfies Readonly<Record<TaskKind, readonly string[]>>
export type TaskCheck = (typeof taskChecks)[TaskKind][number]
export const taskCheckLabels: Readonly<Record<TaskCheck, string>> = {
  battery_locked: '电池已锁紧',
  vehicle_upright: '车辆停稳',
  lights_on: '车灯正常',
  within_marks: '停在停车点内',
  way_clear: '没有占道',
  lock_closed: '车锁已关',
  brakes_work: '刹车正常',
  wheels_tight: '车轮紧固',
  lock_works: '车锁开合正常',
  ridden: '试骑正常',
  tyres_full: '胎压正常',
  code_readable: '二维码清晰',
  body_whole: '车身完好',
}
export const taskCheckCodes = Object.keys(taskCheckLabels) as [TaskCheck, ...TaskCheck[]]

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
  ...taskOutcomes,
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
  ...taskOutcomeLabels,
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
