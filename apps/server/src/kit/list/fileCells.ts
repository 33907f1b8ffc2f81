import { visibleText } from '@saddle/contract/answers.ts'
import type { Language } from '@saddle/contract/constants.ts'
import type { Field, FieldKind } from '@saddle/contract/list.ts'
import type { Cell, CellFormat, Column } from '#kit/files/table.ts'
import { inLanguage } from '#kit/language.ts'

type Declared = Exclude<Field, string>

const units: Readonly<Partial<Record<FieldKind, string>>> = { cents: '元', metres: '米', minutes: '分钟', percent: '%' }
const formats: Readonly<Partial<Record<FieldKind, CellFormat>>> = {
  cents: 'money',
  instant: 'instant',
  date: 'date',
  count: 'number',
  metres: 'number',
  minutes: 'number',
  percent: 'number',
}

/** The columns of a file: the titles of the declared fields with their units, and the cells of a row. */
export function fileColumns(
  fields: Readonly<Record<string, Field | undefined>>,
  { language, leftOut = [] }: { readonly language: Language; readonly leftOut?: readonly string[] | undefined },
): { readonly columns: readonly Column[]; readonly cellsOf: (row: unknown) => Cell[] } {
  const absent = new Set(leftOut)
  const found = Object.entries(fields).flatMap(([key, field]) => {
    if (field === undefined || absent.has(key)) return []
    const declared: Declared = typeof field === 'string' ? { title: field } : field
    return declared.file === false ? [] : [{ key, declared }]
  })
  return {
    columns: found.map(({ declared }) => ({
      title: titleOf(declared, language),
      format: formats[declared.as ?? 'text'] ?? 'text',
    })),
    cellsOf: (row) => {
      const values = row as Readonly<Record<string, unknown>>
      return found.map(({ key, declared }) => cellOf(values[key], declared, language))
    },
  }
}

function titleOf({ title, unit, as }: Declared, language: Language): string {
  const shown = unit ?? (as === undefined ? undefined : units[as])
  const text = inLanguage(language, title)
  if (shown === undefined) return text
  return language === 'en' ? `${text} (${inLanguage(language, shown)})` : `${text}(${shown})`
}

/** A value as a spreadsheet takes it: numbers stay numbers. */
function cellOf(value: unknown, { as, ...labelled }: Declared, language: Language): Cell {
  if (Array.isArray(value)) {
    const cells = value.map((one) => cellOf(one, labelled, language))
    return cells.join(language === 'en' ? ', ' : '、')
  }
  const label = labelled.labels?.[String(value)]
  if (label !== undefined) return inLanguage(language, label, labelled.context)
  if (value === null || value === undefined) return null
  if (typeof value === 'boolean') return inLanguage(language, value ? '是' : '否')
  if (typeof value === 'number') return numberCell(value, as)
  // Invisible characters would keep a text from being found and joined.
  return visibleText(typeof value === 'string' ? value : JSON.stringify(value))
}

function numberCell(value: number, as: FieldKind | undefined): Cell {
  if (as === 'cents') return value / 100
  return as === 'metres' ? Math.round(value) : value
}
