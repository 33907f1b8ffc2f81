import type { ExportFormat } from '@saddle/contract/exported.ts'
import { shownTableEndpoints, type ShownTable } from '@saddle/contract/exports/shown.ts'
import type { Field, Fields } from '@saddle/contract/list.ts'
import { call } from '#kit/api/client.ts'
import { dateOnly, dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import type { ExportRead } from './useExport.ts'

type Cell = ShownTable['rows'][number][number]

/** A table that the page has, as a file of the export centre. */
export const readTable =
  (name: string, table: ShownTable, format?: ExportFormat): ExportRead =>
  async ({ language }) => {
    const asked = { name, table: JSON.stringify(table), language, ...(format !== undefined && { format }) }
    return (await call(shownTableEndpoints.exportShownTable, asked, { quiet: true })).data
  }

/** Rows with declared fields as a table: titles with their units, and values as a spreadsheet takes them. */
export function tableOf<Row>(fields: Fields<Row>, rows: readonly Row[], leftOut: readonly string[] = []): ShownTable {
  const columns = (Object.entries(fields) as [keyof Row & string, Field][]).map(([key, field]) => {
    const declared = typeof field === 'string' ? { title: field } : field
    return { key, declared }
  })
  const shown = columns.filter(({ key, declared }) => declared.file !== false && !leftOut.includes(key))
  return {
    titles: shown.map(({ declared: { title, unit, as } }) => {
      const said = unit ?? units[as ?? 'text']
      return said === undefined ? t(title) : t('{{title}}（{{unit}}）', { title: t(title), unit: t(said) })
    }),
    rows: rows.map((row) => shown.map(({ key, declared }) => cellOf(row[key], declared))),
  }
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
