import { auditDifferences } from '@saddle/contract/audit/differences.ts'
import { auditReferences } from '@saddle/contract/audit/fields.ts'
import {
  auditExportCutText,
  auditExportRowsMax,
  auditSubjectName,
  type AuditRecord,
} from '@saddle/contract/audit/records.ts'
import type { Language } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { businessTime, csvLine } from '#kit/csv.ts'
import { inLanguage } from '#kit/language.ts'

/** The cursor of a file's next part, with the rows that the file has up to there. */
export const countedCursor = (rows: number, cursor: string): string => `${rows}.${cursor}`

/** Throws bad_request on a cursor without a number of rows. */
export function readCountedCursor(text: string | undefined): { rows: number; cursor: string | undefined } {
  if (text === undefined) return { rows: 0, cursor: undefined }
  const [, rows, cursor] = /^(\d{1,9})\.(.+)$/.exec(text) ?? []
  if (cursor === undefined) throw new AppError('bad_request', { values: { detail: 'cursor' } })
  return { rows: Number(rows), cursor }
}

/** The last line of a file that was cut. */
export function fileEnd(language: Language): string {
  const text = inLanguage(language, auditExportCutText)
  return csvLine([text.replace('{{rows}}', String(auditExportRowsMax))])
}

/** Ids of one record that are shown as names; a record about five hundred vehicles shows no more of them. */
const referencesPerRecord = 60

type Detail = Readonly<Record<string, unknown>> | null

/** The subjects a record names by id in its details, as `kind` and `id`. */
export function referencesOf(record: {
  readonly before: Detail
  readonly after: Detail
}): { kind: string; id: string }[] {
  const found = new Map<string, { kind: string; id: string }>()
  const visit = (field: string, value: unknown): void => {
    if (found.size >= referencesPerRecord) return
    if (Array.isArray(value)) for (const part of value.slice(0, referencesPerRecord)) visit(field, part)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) visit(name, part)
    } else {
      const kind = Object.hasOwn(auditReferences, field) ? auditReferences[field] : undefined
      if (kind !== undefined && (typeof value === 'number' || typeof value === 'string')) {
        found.set(`${kind}:${value}`, { kind, id: String(value) })
      }
    }
  }
  for (const detail of [record.before, record.after]) {
    for (const [field, value] of Object.entries(detail ?? {})) visit(field, value)
  }
  return [...found.values()]
}

/** A record as a file has it: names and changes in words. */
export function fileRowOf(record: AuditRecord, language: Language): object {
  const say = (words: string): string => inLanguage(language, words)
  const changes = auditDifferences({ ...record, say, time: businessTime })
  const { operatorId, operatorName } = record
  return {
    ...record,
    operatorName: operatorId === null ? say(operatorName ?? '系统') : (operatorName ?? `#${operatorId}`),
    subjectName: auditSubjectName(record) ?? record.subjectId,
    changes: changes.map((change) => changeText(change, language)).join(language === 'en' ? '; ' : '；'),
  }
}

function changeText({ title, before, after }: ReturnType<typeof auditDifferences>[number], language: Language): string {
  const is = language === 'en' ? ': ' : '：'
  return before === null ? `${title}${is}${after ?? ''}` : `${title}${is}${before} → ${after ?? ''}`
}
