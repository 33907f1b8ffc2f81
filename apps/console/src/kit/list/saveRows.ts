import type { Field, Fields } from '@saddle/contract/list.ts'
import { dateOnly, dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { saveFile } from '#kit/exports/save.ts'

type Cell = string | number | null

/** Prefixes text that a spreadsheet would read as a formula with an apostrophe. */
const formulaStart = /^\s*[=+\-@]/

function cellText(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = formulaStart.test(value) ? `'${value}` : value
  return /["',\n\r\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Saves the rows already shown as a file and confirms it; the byte order mark makes spreadsheets read UTF-8. */
export function saveRows(shown: {
  readonly fileName: string
  readonly titles: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}): void {
  const lines = [shown.titles, ...shown.rows].map((row) => `${row.map(cellText).join(',')}\r\n`)
  saveFile(shown.fileName, ['\ufeff', ...lines])
  notify.success({ text: t('已导出 {{count}} 行', { count: shown.rows.length }) })
}

/** The same for rows with declared fields: titles with their units, and values as a spreadsheet takes them. */
export function saveFields<Row>(fileName: string, fields: Fields<Row>, rows: readonly Row[]): void {
  const columns = (Object.entries(fields) as [keyof Row & string, Field][]).map(([key, field]) => {
    const declared = typeof field === 'string' ? { title: field } : field
    return { key, declared }
  })
  const shown = columns.filter(({ declared }) => declared.file !== false)
  saveRows({
    fileName,
    titles: shown.map(({ declared: { title, unit, as } }) => {
      const said = unit ?? units[as ?? 'text']
      return said === undefined ? t(title) : t('{{title}}（{{unit}}）', { title: t(title), unit: t(said) })
    }),
    rows: rows.map((row) => shown.map(({ key, declared }) => cellOf(row[key], declared))),
  })
}

const units: Readonly<Partial<Record<string, string>>> = { cents: '元', metres: '米', minutes: '分钟' }

function cellOf(value: unknown, { as, labels }: Exclude<Field, string>): Cell {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.map((one) => cellOf(one, { title: '' })).join('、')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const label = labels?.[text]
  if (label !== undefined) return t(label)
  if (typeof value !== 'number') return text
  if (as === 'cents') return value / 100
  if (as === 'instant') return dateTime(value)
  return as === 'date' ? dateOnly(value) : Math.round(value * 100) / 100
}
