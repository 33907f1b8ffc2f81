import { z } from 'zod'
import {
  complaintFindingLabels,
  complaintKindLabels,
  complaintReopenDays,
  complaintSourceLabels,
  complaintStateLabels,
  complaintTargetHours,
  type Complaint,
  type ComplaintKind,
  type ComplaintState,
} from '@saddle/contract/support/complaints.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { dayMs, hourMs } from '@saddle/contract/time.ts'
import type { CsvColumns } from '#audit/public.ts'
import { businessTime } from '#kit/csv.ts'

/** The ticket number: day of creation and id. */
export function complaintNumber({ id, openedAt }: { readonly id: number; readonly openedAt: number }): string {
  return `GD${businessTime(openedAt).slice(2, 10).replaceAll('-', '')}${String(id).padStart(8, '0')}`
}

/** The id within a ticket number; compare the day with the ticket's own number. */
export const idOfNumber = (number: string): number => Number(number.slice(8))

/** When the reply is due. */
export const dueAfter = (kind: ComplaintKind, atMs: number): number => atMs + complaintTargetHours[kind] * hourMs

export type ComplaintAct = 'assign' | 'start' | 'reply' | 'note' | 'find' | 'close' | 'reopen' | 'say' | 'confirm'

const fitting: Readonly<Record<ComplaintAct, readonly ComplaintState[]>> = {
  assign: ['open', 'in_work'],
  start: ['open', 'in_work'],
  reply: ['open', 'in_work', 'resolved'],
  note: ['open', 'in_work', 'resolved', 'closed'],
  find: ['open', 'in_work', 'resolved'],
  close: ['open', 'in_work', 'resolved'],
  reopen: ['resolved', 'closed'],
  say: ['open', 'in_work', 'resolved'],
  confirm: ['resolved', 'closed'],
}

/** Throws complaint_step_refused where the ticket's state does not allow it. */
export function checkAct(state: ComplaintState, act: ComplaintAct): void {
  if (!fitting[act].includes(state)) throw new AppError('complaint_step_refused')
}

/** Replies before this moment can no longer be reopened. */
export const finalBefore = (nowMs: number): number => nowMs - complaintReopenDays * dayMs

/** Where a page ended. */
export type ComplaintCursor = { readonly isDone: boolean; readonly at: number; readonly id: number }
const cursorSchema = z.tuple([z.boolean(), z.int().nonnegative(), z.int().positive()])

export const writeCursor = ({ isDone, at, id }: ComplaintCursor): string =>
  Buffer.from(JSON.stringify([isDone, at, id])).toString('base64url')

/** Throws bad_request on a cursor that this platform did not write. */
export function readCursor(text: string): ComplaintCursor {
  try {
    const [isDone, at, id] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { isDone, at, id }
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}

export const complaintColumns: CsvColumns<Complaint> = [
  ['工单编号', (row) => row.number],
  ['类型', (row) => complaintKindLabels[row.kind]],
  ['状态', (row) => complaintStateLabels[row.state]],
  ['来源', (row) => complaintSourceLabels[row.source]],
  ['内容', (row) => row.text],
  ['手机号', (row) => row.riderPhone],
  ['车辆编号', (row) => row.vehicleNumber],
  ['加盟商', (row) => row.company],
  ['服务区', (row) => row.areaName],
  ['提交时间', (row) => businessTime(row.openedAt)],
  ['应答时限', (row) => businessTime(row.dueAt)],
  ['是否超时', (row) => (row.overdue ? '是' : '否')],
  ['处理人', (row) => row.assigneeName],
  ['结论', (row) => (row.finding === null ? null : complaintFindingLabels[row.finding])],
  ['评分', (row) => row.rating],
  ['重开次数', (row) => row.reopenedCount],
]
