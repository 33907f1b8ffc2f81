type Cell = string | number

/** Text that a spreadsheet would take for a formula gets an apostrophe in front. */
const cellOf = (cell: Cell): string =>
  typeof cell === 'number' ? String(cell) : `"${(/^[\s=+\-@]/.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`

/** The pieces of a CSV file, with a mark in front that makes spreadsheets read UTF-8. */
export function csvOf({ titles, rows }: { titles: readonly string[]; rows: readonly (readonly Cell[])[] }): string[] {
  return ['\ufeff', ...[titles, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`)]
}
