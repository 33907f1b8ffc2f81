import { visibleText } from '@saddle/contract/answers.ts'
import type { Language } from '@saddle/contract/constants.ts'
import type { Field, FieldKind } from '@saddle/contract/list.ts'
import { businessTime } from '#kit/csv.ts'
import { inLanguage } from '#kit/language.ts'

type Cell = string | number | null
type Declared = Exclude<Field, string>

const units: Readonly<Partial<Record<FieldKind, string>>> = { cents: '元', metres: '米', minutes: '分钟', percent: '%' }

/** The columns of a file: the titles of the declared fields with their units, and the cells of a row. */
export function fileColumns(
  fields: Readonly<Record<string, Field | undefined>>,
  language: Language,
): { readonly titles: readonly string[]; readonly cellsOf: (row: unknown) => Cell[] } {
  const columns = Object.entries(fields).flatMap(([key, field]) => {
    if (field === undefined) return []
    const declared: Declared = typeof field === 'string' ? { title: field } : field
    return declared.file === false ? [] : [{ key, declared }]
  })
  return {
    titles: columns.map(({ declared }) => titleOf(declared, language)),
    cellsOf: (row) => {
      const values = row as Readonly<Record<string, unknown>>
      return columns.map(({ key, declared }) => cellOf(values[key], declared, language))
    },
  }
}

function titleOf({ title, unit, as }: Declared, language: Language): string {
  const shown = unit ?? (as === undefined ? undefined : units[as])
  const text = inLanguage(language, title)
  if (shown === undefined) return text
  return language === 'en' ? `${text} (${inLanguage(language, shown)})` : `${text}(${shown})`
}

/** A value as a spreadsheet takes it: numbers stay numbers, instants are business time. */
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
  if (as === 'instant') return businessTime(value)
  if (as === 'date') return businessTime(value).slice(0, 10)
  if (as === 'metres') return Math.round(value)
  return value
}
