/** Work of field staff on a vehicle. */
export const taskKinds = ['battery_swap', 'move', 'repair', 'inspect', 'retrieve'] as const
export type TaskKind = (typeof taskKinds)[number]
export const taskKindLabels: Readonly<Record<TaskKind, string>> = {
  battery_swap: '换电',
  move: '挪车',
  repair: '维修',
  inspect: '巡检',
  retrieve: '回收',
}

export const taskStates = ['open', 'claimed', 'done', 'cancelled'] as const
export type TaskState = (typeof taskStates)[number]
export const taskStateLabels: Readonly<Record<TaskState, string>> = {
  open: '待领取',
  claimed: '处理中',
  done: '已完成',
  cancelled: '已取消',
}

/** Where a task came from. */
export const taskSources = ['rule', 'rider', 'inspection', 'manual'] as const
export type TaskSource = (typeof taskSources)[number]
export const taskSourceLabels: Readonly<Record<TaskSource, string>> = {
  rule: '系统规则',
  rider: '用户报修',
  inspection: '巡检上报',
  manual: '人工创建',
}
