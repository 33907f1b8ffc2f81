import { fields } from '#contract/list.ts'
import type { Task } from './tasks.ts'
import {
  taskKindLabels,
  taskOutcomeLabels,
  taskPriorityLabels,
  taskReviewLabels,
  taskSourceLabels,
  taskStateLabels,
  taskTriggerLabels,
} from './taskWords.ts'

/** What a file tells beside the row. */
export interface FiledTask extends Task {
  /** From the opening to the end. */
  readonly minutes: number | null
  readonly remark: string
}

export const taskFields = fields<FiledTask>()({
  id: '任务编号',
  kind: { title: '类型', labels: taskKindLabels },
  number: '车辆编号',
  state: { title: '状态', labels: taskStateLabels },
  priority: { title: '优先级', labels: taskPriorityLabels },
  dueAt: { title: '时限', as: 'instant' },
  areaName: '服务区',
  source: { title: '来源', labels: taskSourceLabels },
  trigger: { title: '原因', labels: taskTriggerLabels },
  personName: '人员',
  outcome: { title: '现场反馈', labels: taskOutcomeLabels },
  openedAt: { title: '创建时间', as: 'instant' },
  claimedAt: { title: '领取时间', as: 'instant' },
  doneAt: { title: '结束时间', as: 'instant' },
  minutes: { title: '用时', as: 'minutes' },
  batteryBefore: { title: '原电量', as: 'percent' },
  batteryAfter: { title: '新电量', as: 'percent' },
  reason: '故障原因',
  partsCents: { title: '配件费', as: 'cents' },
  payCents: { title: '报酬', as: 'cents' },
  review: { title: '审核', labels: taskReviewLabels },
  remark: '备注',
})
