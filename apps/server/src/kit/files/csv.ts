import { businessTime, csvCell } from '#kit/csv.ts'
import type { Cell, CellFormat, Column, TableWriter } from './table.ts'
import { createEncoder } from './encoder.ts'
import type { Sink } from './zip.ts'

/** Bytes that are handed over together. */
const bytesPerWrite = 131_072
/** Lines that are encoded together: to encode each by itself takes longer. */
const unitsPerEncoding = 16_384
const lineEnd = '\r\n'

/** Writes a table as CSV, after a byte order mark that makes spreadsheets read UTF-8. */
export function createCsv({
  columns,
  sink,
}: {
  readonly columns: readonly Column[]
  readonly sink: Sink
}): TableWriter {
  const formats = columns.map(({ format }) => format)
  const text = createEncoder(1)
  text.add(`\ufeff${columns.map(({ title }) => csvCell(title)).join(',')}${lineEnd}`)
  const flush = async (): Promise<void> => {
    if (text.length > 0) await sink(text.take())
  }
  return {
    write: async (rows) => {
      let lines = ''
      for (const cells of rows) {
        lines += lineOf(cells, formats)
        if (lines.length < unitsPerEncoding) continue
        text.add(lines)
        lines = ''
        if (text.length >= bytesPerWrite) await flush()
      }
      text.add(lines)
    },
    end: flush,
  }
}

function lineOf(cells: readonly Cell[], formats: readonly CellFormat[]): string {
  let line = ''
  for (let index = 0; index < cells.length; index += 1) {
    if (index > 0) line += ','
    const cell = cells[index]
    if (typeof cell === 'string') line += csvCell(cell)
    else if (typeof cell === 'number') line += numberText(cell, formats[index])
  }
  return line + lineEnd
}

function numberText(value: number, format: CellFormat | undefined): string {
  if (format === 'instant') return businessTime(value)
  return format === 'date' ? businessTime(value).slice(0, 10) : String(value)
}
