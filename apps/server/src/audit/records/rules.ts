import { hash } from 'node:crypto'
import type { Tx } from '#kit/db/pool.ts'

export type AuditDetail = Readonly<Record<string, unknown>>

/** One action. Details name what changed; never put a code, key, token or full phone number into them. */
export interface AuditEntry {
  readonly agentId: number
  /** Null when no operator acted: a failed login, a job. */
  readonly operatorId: number | null
  /** `subject.verb` in lower case, e.g. `session.login`, `vehicle.lock`. */
  readonly action: string
  readonly subjectKind: string
  readonly subjectId: string | number
  /** Service area of the subject; absent for what belongs to the whole company. */
  readonly areaId?: number | null
  /** Other subjects of the same company that the action affected: a search for one of them finds the record. */
  readonly about?: readonly { readonly kind: string; readonly id: string | number }[]
  readonly before?: AuditDetail | null
  readonly after?: AuditDetail | null
  readonly address?: string | null
  readonly requestId?: string | null
}

export type WriteAudit = (tx: Tx, entry: AuditEntry) => Promise<void>

export interface BoundedEntry {
  readonly agentId: number
  readonly operatorId: number | null
  readonly action: string
  readonly subjectKind: string
  readonly subjectId: string
  readonly areaId: number | null
  readonly about: readonly { readonly kind: string; readonly id: string }[]
  readonly before: string | null
  readonly after: string | null
  readonly address: string | null
  readonly requestId: string | null
}

export const auditLimits = { subjectId: 80, detailBytes: 16_384, address: 64, requestId: 64, about: 500 } as const

/**
 * The entry as it is stored. Input is cut to its limit, because an action must not fail for the length of its record;
 * a detail over the limit is replaced by its size, its hash and its beginning.
 */
export function boundedEntry(entry: AuditEntry): BoundedEntry {
  const subjectId = cleanText(String(entry.subjectId), auditLimits.subjectId)
  return {
    agentId: entry.agentId,
    operatorId: entry.operatorId,
    action: entry.action,
    subjectKind: entry.subjectKind,
    subjectId,
    areaId: entry.areaId ?? null,
    about: mentionsOf(entry, subjectId),
    before: detailText(entry.before),
    after: detailText(entry.after),
    address: cleanText(entry.address ?? '', auditLimits.address) || null,
    requestId: cleanText(entry.requestId ?? '', auditLimits.requestId) || null,
  }
}

interface OfArea {
  readonly agent_id: number
  readonly area_id: number
}

/**
 * Rows by company and service area, in the order in which their audit records have to be written: a record belongs to
 * one area, so that users of another area do not read it.
 */
export function byArea<R extends OfArea>(rows: readonly R[]): { agentId: number; areaId: number; rows: R[] }[] {
  return [...Map.groupBy(rows, (row) => `${row.agent_id} ${row.area_id}`).values()]
    .flatMap((own) => {
      const [first] = own
      return first === undefined ? [] : [{ agentId: first.agent_id, areaId: first.area_id, rows: own }]
    })
    .toSorted((a, b) => a.agentId - b.agentId || a.areaId - b.areaId)
}

/** Each mentioned subject once, without the subject of the record itself. */
function mentionsOf(entry: AuditEntry, subjectId: string): BoundedEntry['about'] {
  const found = new Map<string, { kind: string; id: string }>()
  for (const { kind, id: given } of entry.about ?? []) {
    const id = cleanText(String(given), auditLimits.subjectId)
    if (kind !== entry.subjectKind || id !== subjectId) found.set(`${kind} ${id}`, { kind, id })
  }
  return [...found.values()].slice(0, auditLimits.about)
}

function cleanText(text: string, limit: number): string {
  return withoutNul(text).slice(0, limit)
}

/** Characters kept of a detail that is too long. */
const keptOfOmitted = 1_000

function detailText(detail: AuditDetail | null | undefined): string | null {
  if (detail === null || detail === undefined) return null
  const text = JSON.stringify(detail, (_, value: unknown) => (typeof value === 'string' ? withoutNul(value) : value))
  const bytes = Buffer.byteLength(text)
  if (bytes <= auditLimits.detailBytes) return text
  // An oversized detail must not hide what the action was: its beginning stays, and its hash proves the rest.
  const sha256 = hash('sha256', text, 'hex')
  return JSON.stringify({ omittedBytes: bytes, sha256, begins: text.slice(0, keptOfOmitted).toWellFormed() })
}

// PostgreSQL stores no NUL and no lone surrogate, in text or in jsonb.
function withoutNul(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
