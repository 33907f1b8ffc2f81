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
