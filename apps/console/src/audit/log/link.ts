import { auditFilterSchema, type AuditFilter, type AuditRecord } from '@saddle/contract/audit/records.ts'
import { isRoutePermitted } from '@saddle/contract/menu.ts'
import { businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'

/**
 * A question to a log in an address: `?filter={"operatorId":7}`. The JSON is the contract's own filter, so that every
 * page can lead to what was done to its things.
 */
export function readFilter(text: string | null): AuditFilter {
  if (text === null || text === '') return {}
  try {
    return auditFilterSchema.parse(JSON.parse(text))
  } catch {
    // An old link still opens.
    return {}
  }
}

/** Null: nothing is asked for. */
export function writeFilter(filter: AuditFilter): string | null {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined && value !== '')
  return asked.length === 0 ? null : JSON.stringify(Object.fromEntries(asked))
}

/** Where a kind of thing is shown, by what a line knows of it. */
const places: Readonly<Record<string, (line: Pick<AuditRecord, 'subjectId' | 'subjectName'>) => string | null>> = {
  vehicle: ({ subjectName }) =>
    subjectName === null ? null : `/vehicle-info?vehicle=${encodeURIComponent(subjectName)}`,
  device: ({ subjectName }) =>
    subjectName === null ? null : `/vehicle-info?vehicle=${encodeURIComponent(subjectName)}`,
  unknown_device: ({ subjectId }) =>
    `/vehicle/device-access?filter=${encodeURIComponent(JSON.stringify({ keyword: subjectId }))}`,
  role: ({ subjectId }) => `/permissions/role-detail?id=${subjectId}`,
  operator: ({ subjectId }) => `/permissions/user?tab=review&person=${subjectId}`,
  agent: ({ subjectId }) => `/agent/account-management?agent=${subjectId}`,
  area: ({ subjectId }) => `/agent/service-area-management?area=${subjectId}`,
  order: ({ subjectId }) => `/user-order-detail?order=${subjectId}`,
  rider: ({ subjectId }) => `/user-info-detail?rider=${subjectId}`,
}

/** Kinds that have no name of their own, only a number. */
const numbered: ReadonlySet<string> = new Set(['order', 'rider', 'unknown_device'])

/** The page of the thing that a line is about; null when it has none, is gone, or the reader may not open it. */
export function placeOf(
  line: Pick<AuditRecord, 'subjectKind' | 'subjectId' | 'subjectName'>,
  held: ReadonlySet<string>,
): string | null {
  const isNamed = line.subjectName !== null || numbered.has(line.subjectKind)
  if (!isNamed || line.subjectId === '' || !Object.hasOwn(places, line.subjectKind)) return null
  const to = places[line.subjectKind]?.(line) ?? null
  return to !== null && isRoutePermitted(to.split('?')[0] ?? '', held) ? to : null
}

/** A span of whole days by business time; an empty day leaves its side open. */
export function spanOf(days: { readonly from: string; readonly to: string }): Pick<AuditFilter, 'from' | 'to'> {
  const [from, to] = [businessDayStart(days.from), businessDayEnd(days.to)]
  return {
    ...(Number.isFinite(from) && { from }),
    ...(Number.isFinite(to) && { to }),
  }
}
