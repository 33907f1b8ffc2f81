/** A value of a table in a file: instants and dates are milliseconds, money is in yuan. */
export type Cell = string | number | null

export type CellFormat = 'text' | 'number' | 'money' | 'instant' | 'date'

export interface Column {
  readonly title: string
  /** Of numbers; a text in the column stays a text. */
  readonly format: CellFormat
}

/** Writes a table into a file, some rows at a time. */
export interface TableWriter {
  write(rows: readonly (readonly Cell[])[]): Promise<void>
  end(): Promise<void>
}

// oxlint-disable-next-line no-control-regex -- spreadsheets read control characters in front of a formula away
const formulaStart = /^[\s\u0000-\u001f\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n\u0000]/

/** Whether a spreadsheet would take a text for a formula. */
export function isFormula(text: string): boolean {
  const first = text.charCodeAt(0)
  // Digits, letters and Chinese characters, with which nearly every text begins.
  if ((first > 0x2f && first < 0x3a) || (first > 0x40 && first < 0x7f) || (first > 0x4d_ff && first < 0xa0_00))
    return false
  return formulaStart.test(text)
}
