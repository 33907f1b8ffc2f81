import { t } from '#kit/i18n/index.ts'
import { saveFile } from '#kit/list/useExport.ts'
import { notify } from '#kit/notify.ts'

type Cell = string | number | null

/** Text that a spreadsheet would take for a formula gets an apostrophe in front. */
const formulaStart = /^\s*[=+\-@]/

function cellOf(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = formulaStart.test(value) ? `'${value}` : value
  return /["',\n\r\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Saves what the page shows already as a file, and says so; the mark in front makes spreadsheets read UTF-8. */
export function saveShown(shown: {
  readonly fileName: string
  readonly titles: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}): void {
  const lines = [shown.titles, ...shown.rows].map((row) => `${row.map(cellOf).join(',')}\r\n`)
  saveFile(shown.fileName, ['\ufeff', ...lines])
  notify.success({ text: t('已导出 {{count}} 行', { count: shown.rows.length }) })
}
