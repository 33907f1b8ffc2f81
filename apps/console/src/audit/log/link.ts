import type { AuditRecord } from '@saddle/contract/audit/records.ts'
import { isRoutePermitted } from '@saddle/contract/menu.ts'
import { readReason, reasonOf } from '@saddle/contract/riding/reasons.ts'

/** Where a kind of thing is shown, by what a record knows of it. */
const pages: Readonly<Record<string, (record: Pick<AuditRecord, 'subjectId' | 'subjectName'>) => string | null>> = {
  vehicle: ({ subjectName }) =>
    subjectName === null ? null : `/vehicle-info?vehicle=${encodeURIComponent(subjectName)}`,
  device: ({ subjectName }) =>
    subjectName === null ? null : `/vehicle-info?vehicle=${encodeURIComponent(subjectName)}`,
  unknown_device: ({ subjectId }) =>
    `/vehicle/device-access?filter=${encodeURIComponent(JSON.stringify({ keyword: subjectId, states: null }))}`,
  role: ({ subjectId }) => `/permissions/role-detail?id=${subjectId}`,
  operator: ({ subjectId }) => `/permissions/user?tab=review&person=${subjectId}`,
  agent: ({ subjectId }) => `/agent/account-management?agent=${subjectId}`,
  area: ({ subjectId }) => `/agent/service-area-management?area=${subjectId}`,
  task: ({ subjectId }) => `/data/operation-tasks?task=${subjectId}`,
  ticket: ({ subjectId }) => `/user-worksheet-detail?ticket=${subjectId}`,
  order: ({ subjectId }) => `/user-order-detail?order=${subjectId}`,
  rider: ({ subjectId }) => `/user-info-detail?rider=${subjectId}`,
}

/** Kinds that have no name of their own, only a number. */
const numbered: ReadonlySet<string> = new Set(['order', 'rider', 'task', 'ticket', 'unknown_device'])

/** The page of the thing that a record is about; null when it has none, is gone, or the reader may not open it. */
export function subjectLink(
  record: Pick<AuditRecord, 'subjectKind' | 'subjectId' | 'subjectName'>,
  held: ReadonlySet<string>,
): string | null {
  const isNamed = record.subjectName !== null || numbered.has(record.subjectKind)
  if (!isNamed || record.subjectId === '' || !Object.hasOwn(pages, record.subjectKind)) return null
  const to = pages[record.subjectKind]?.(record) ?? null
  return to !== null && isRoutePermitted(to.split('?')[0] ?? '', held) ? to : null
}

const orderSentence = reasonOf('ofOrder', { order: '{{order}}' })

/** The page of what a field was set to: one vehicle by its number, or the ride that a command was sent for. */
export function valueLink(field: string, text: string, held: ReadonlySet<string>): string | null {
  const to = pageOfValue(field, text)
  return to !== null && isRoutePermitted(to.split('?')[0] ?? '', held) ? to : null
}

function pageOfValue(field: string, text: string): string | null {
  if (/^vehicleIds?$/.test(field) && !/^#|、/.test(text)) return `/vehicle-info?vehicle=${encodeURIComponent(text)}`
  if (field !== 'reason') return null
  const read = readReason(text)
  return read?.sentence === orderSentence ? `/user-order-detail?order=${read.values['order']}` : null
}
