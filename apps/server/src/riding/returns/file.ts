import { yuanOf } from '@saddle/contract/money.ts'
import { returnKindLabels } from '@saddle/contract/riding/price.ts'
import { reviewStateLabels, type ListedReview } from '@saddle/contract/riding/returns.ts'
import type { CsvColumns } from '#audit/public.ts'
import { businessTime } from '#kit/csv.ts'

export const reviewColumns: CsvColumns<ListedReview> = [
  ['订单编号', (row) => row.number],
  ['手机号', (row) => row.riderPhone],
  ['车辆编号', (row) => row.vehicleNumber],
  ['服务区', (row) => row.areaName],
  ['还车时间', (row) => businessTime(row.endedAt)],
  ['还车判定', (row) => (row.returnKind === null ? null : returnKindLabels[row.returnKind])],
  ['距停车点(米)', (row) => (row.distanceM === null ? null : Math.round(row.distanceM))],
  ['还车费用(元)', (row) => yuanOf(row.feeCents)],
  ['骑行者说明', (row) => row.claim],
  ['照片(张)', (row) => row.photoCount],
  ['状态', (row) => reviewStateLabels[row.state]],
  ['审批人', (row) => row.decidedBy],
  ['审批时间', (row) => businessTime(row.decidedAt)],
  ['审批说明', (row) => row.note],
]
