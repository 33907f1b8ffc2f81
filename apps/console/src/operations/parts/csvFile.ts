/** Text that a spreadsheet would take for a formula gets an apostrophe in front. */
const formulaStart = /^\s*[=+\-@]/

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = formulaStart.test(value) ? `'${value}` : value
  return /["',\n\r\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A small file of what the page shows already; the mark in front makes spreadsheets read UTF-8. */
export function csvFileOf(titles: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return `\ufeff${[titles, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}
