import { z } from 'zod'
import { AppError } from '@saddle/contract/errors.ts'
import { auditDifferences } from '@saddle/contract/audit/differences.ts'
import type { AuditRecord, AuditNames } from '@saddle/contract/audit/records.ts'
import { auditActionTitle, auditReferences, auditSubjectTitle } from '@saddle/contract/audit/words.ts'
import { businessTime, csvLine } from '#kit/csv.ts'

/** Where a page ended, and how many rows an export had up to there. */
export interface AuditCursor {
  readonly atMicros: number
  readonly id: number
  readonly rows: number
}

const placeSchema = z.tuple([z.int().nonnegative(), z.int(), z.int().nonnegative()])

export function encodeCursor({ atMicros, id, rows }: AuditCursor): string {
  return Buffer.from(JSON.stringify([atMicros, id, rows])).toString('base64url')
}

/** Throws bad_request on a malformed cursor. */
export function decodeCursor(text: string): AuditCursor {
  try {
    const [atMicros, id, rows] = placeSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
    return { atMicros, id, rows }
  } catch (cause) {
    throw new AppError('bad_request', { values: { detail: 'cursor' }, cause })
  }
}

/** Ids of one record that are shown as names; a record about five hundred vehicles shows no more of them. */
const referencesPerLine = 60

type Detail = Readonly<Record<string, unknown>> | null

/** The subjects a record names by id in its details, as `kind` and `id`. */
export function referencesOf(line: {
  readonly before: Detail
  readonly after: Detail
}): { kind: string; id: string }[] {
  const found = new Map<string, { kind: string; id: string }>()
  const visit = (field: string, value: unknown): void => {
    if (found.size >= referencesPerLine) return
    if (Array.isArray(value)) for (const part of value.slice(0, referencesPerLine)) visit(field, part)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) visit(name, part)
    } else {
      const kind = Object.hasOwn(auditReferences, field) ? auditReferences[field] : undefined
      if (kind !== undefined && (typeof value === 'number' || typeof value === 'string')) {
        found.set(`${kind}:${value}`, { kind, id: String(value) })
      }
    }
  }
  for (const detail of [line.before, line.after]) {
    for (const [field, value] of Object.entries(detail ?? {})) visit(field, value)
  }
  return [...found.values()]
}

export const csvTitles: readonly string[] = [
  '时间',
  '公司',
  '人员',
  '动作',
  '对象',
  '对象名称',
  '变更',
  '来源地址',
  '请求编号',
  '行号',
]

export function csvRow(line: AuditRecord, names: AuditNames): string {
  const changes = auditDifferences({ ...line, names, say: (words) => words, time: businessTime })
  return csvLine([
    businessTime(line.at),
    line.company,
    line.operatorName ?? (line.operatorId === null ? '系统' : `#${line.operatorId}`),
    auditActionTitle(line.action),
    auditSubjectTitle(line.subjectKind),
    line.subjectName ?? line.subjectId,
    changes.map(changeText).join('；'),
    line.address,
    line.requestId,
    line.id,
  ])
}

function changeText({ title, before, after }: ReturnType<typeof auditDifferences>[number]): string {
  if (before === null) return `${title}：${after ?? ''}`
  return `${title}：${before} → ${after ?? ''}`
}
