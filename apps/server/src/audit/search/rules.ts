import { auditDifferences } from '@saddle/contract/audit/differences.ts'
import { auditReferences } from '@saddle/contract/audit/fields.ts'
import { auditSubjectName, type AuditRecord } from '@saddle/contract/audit/records.ts'
import type { Language } from '@saddle/contract/constants.ts'
import { businessTime } from '#kit/csv.ts'
import { inLanguage } from '#kit/language.ts'

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
