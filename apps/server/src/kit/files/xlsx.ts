import { businessOffsetMs, dayMs } from '@saddle/contract/time.ts'
import { createEncoder } from './encoder.ts'
import { isFormula, type Cell, type CellFormat, type Column, type TableWriter } from './table.ts'
import { createZip, type Sink, type ZipEntry, type ZipWriter } from './zip.ts'

/** Rows that a sheet may have, its titles included. */
export const sheetRowsMax = 1_048_576
/** Characters that a cell may have. */
const cellTextMax = 32_767
/** Bytes after which the next sheet begins: the archive names at most 4 GiB. */
const sheetBytesMax = 3_500_000_000
/** Bytes that are handed to the compressor together. */
const bytesPerWrite = 131_072

/** Numbers of the cell formats of `styles.xml`. */
const styles = { plain: 0, title: 1, money: 2, instant: 3, date: 4, quoted: 5 } as const
const styleOf: Readonly<Record<CellFormat, number>> = {
  text: styles.plain,
  number: styles.plain,
  money: styles.money,
  instant: styles.instant,
  date: styles.date,
}

interface XlsxOptions {
  /** Of the sheets; from the second on with their number. */
  readonly sheetName: string
  readonly columns: readonly Column[]
  readonly sink: Sink
  /** Rows of a sheet, its titles included. */
  readonly sheetRows?: number
}

/**
 * Writes a table as a workbook: titles bold and frozen, numbers as numbers, instants as business time, texts in their
 * cells. Rows beyond those of one sheet go on in the next.
 */
export function createXlsx({ sheetName, columns, sink, sheetRows = sheetRowsMax }: XlsxOptions): TableWriter {
  const zip = createZip(sink)
  // One is compressed while the next is made.
  const text = createEncoder(2)
  const names = columns.map((_, index) => columnName(index))
  const formats = columns.map(({ format }) => format)
  let widths = columns.map(({ title }) => widthOf(title))
  let sheets = 0
  let sheet: ZipEntry | null = null
  let bytes = 0
  let row = 0

  const begin = async (): Promise<ZipEntry> => {
    sheets += 1
    const titles = columns.map(({ title }, index) => textCell(`${names[index]}1`, title, styles.title))
    text.add(`${sheetHead(widths)}<row r="1">${titles.join('')}</row>`)
    row = 1
    bytes = 0
    return await zip.entry(`xl/worksheets/sheet${sheets}.xml`)
  }
  const flush = async (entry: ZipEntry): Promise<void> => {
    bytes += text.length
    await entry.write(text.take())
  }
  const finish = async (entry: ZipEntry): Promise<void> => {
    text.add('</sheetData></worksheet>')
    await flush(entry)
    await entry.end()
    sheet = null
  }

  return {
    write: async (rows) => {
      if (sheets === 0) widths = widthsOf(columns, rows)
      for (const cells of rows) {
        if (sheet !== null && (row >= sheetRows || bytes > sheetBytesMax)) await finish(sheet)
        sheet ??= await begin()
        row += 1
        text.add(rowText(cells, { row: String(row), names, formats }))
        if (text.length >= bytesPerWrite) await flush(sheet)
      }
    },
    end: async () => {
      sheet ??= await begin()
      await finish(sheet)
      await writeBook(zip, sheetName, sheets)
      await zip.end()
    },
  }
}

function rowText(
  cells: readonly Cell[],
  at: { readonly row: string; readonly names: readonly string[]; readonly formats: readonly CellFormat[] },
): string {
  let text = `<row r="${at.row}">`
  for (let index = 0; index < cells.length; index += 1) {
    const value = cells[index] ?? null
    if (value === null || value === '') continue
    const cell = (at.names[index] ?? '') + at.row
    text +=
      typeof value === 'number'
        ? numberCell(cell, value, at.formats[index] ?? 'number')
        : textCell(cell, value, isFormula(value) ? styles.quoted : styles.plain)
  }
  return `${text}</row>`
}

function numberCell(cell: string, value: number, format: CellFormat): string {
  if (!Number.isFinite(value)) return ''
  const style = styleOf[format]
  const shown = format === 'instant' ? dayNumber(value) : format === 'date' ? Math.floor(dayNumber(value)) : value
  return style === styles.plain
    ? `<c r="${cell}"><v>${shown}</v></c>`
    : `<c r="${cell}" s="${style}"><v>${shown}</v></c>`
}

/** Days since 1899-12-30 by business time, to the second, as spreadsheets count them. */
const dayNumber = (atMs: number): number => (Math.floor((atMs + businessOffsetMs) / 1_000) * 1_000) / dayMs + 25_569

/** A text that would be a formula keeps its characters and is marked as a text, also when somebody edits the cell. */
function textCell(cell: string, value: string, style: number): string {
  const styled = style === styles.plain ? '' : ` s="${style}"`
  const text = value.length > cellTextMax ? value.slice(0, cellTextMax) : value
  return `<c r="${cell}" t="inlineStr"${styled}><is><t${outerSpace.test(text) ? ' xml:space="preserve"' : ''}>${xmlText(text)}</t></is></c>`
}

const outerSpace = /^\s|\s$|\n/
// oxlint-disable-next-line no-control-regex -- XML has no such characters
const unusual = /[&<>\u0000-\u001f\ufffe\uffff\ud800-\udfff]|_x[0-9a-f]{4}_/i
// oxlint-disable-next-line no-control-regex -- XML has no such characters
const barred = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

function xmlText(text: string): string {
  if (!unusual.test(text)) return text
  return (
    text
      .toWellFormed()
      .replaceAll(barred, '')
      // Spreadsheets read `_x0041_` as a character.
      .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\r', '&#13;')
  )
}

/** `A`, `B`, … `Z`, `AA`. */
function columnName(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26))
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter
}

const widthMin = 8
const widthMax = 60
const rowsMeasured = 200
const formatWidths: Readonly<Record<CellFormat, number>> = { text: 0, number: 0, money: 12, instant: 20, date: 12 }

/** Chinese characters are twice as wide as Latin ones. */
function widthOf(text: string): number {
  let width = 2
  for (const char of text.slice(0, widthMax)) width += (char.codePointAt(0) ?? 0) > 0x2e_80 ? 2 : 1
  return Math.min(widthMax, Math.max(widthMin, width))
}

/** By the titles and the first rows: the widths come before the rows. */
function widthsOf(columns: readonly Column[], rows: readonly (readonly Cell[])[]): number[] {
  const measured = rows.slice(0, rowsMeasured)
  return columns.map(({ title, format }, index) =>
    Math.max(
      widthOf(title),
      formatWidths[format],
      ...measured.map((cells) => {
        const cell = cells[index] ?? null
        return typeof cell === 'string' || (cell !== null && formatWidths[format] === 0) ? widthOf(String(cell)) : 0
      }),
    ),
  )
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

function sheetHead(widths: readonly number[]): string {
  const cols = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  return (
    `${xmlHead}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${cols.join('')}</cols><sheetData>`
  )
}

const styleSheet =
  `${xmlHead}<styleSheet xmlns="${main}">` +
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>' +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

async function writeBook(zip: ZipWriter, sheetName: string, sheets: number): Promise<void> {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  const sheetTags = numbers.map((n) => `<sheet name="${nameOf(sheetName, n)}" sheetId="${n}" r:id="rId${n}"/>`)
  const links = numbers.map(
    (n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  )
  const overrides = numbers.map(
    (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${contentType}.worksheet+xml"/>`,
  )
  const parts = {
    'xl/styles.xml': styleSheet,
    'xl/workbook.xml':
      `${xmlHead}<workbook xmlns="${main}" xmlns:r="${office}">` +
      `<bookViews><workbookView/></bookViews><sheets>${sheetTags.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `${xmlHead}<Relationships xmlns="${packages}/relationships">${links.join('')}` +
      `<Relationship Id="rId${sheets + 1}" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    '_rels/.rels':
      `${xmlHead}<Relationships xmlns="${packages}/relationships">` +
      `<Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml':
      `${xmlHead}<Types xmlns="${packages}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      '<Default Extension="xml" ContentType="application/xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/>${overrides.join('')}</Types>`,
  }
  for (const [name, text] of Object.entries(parts)) {
    const entry = await zip.entry(name)
    await entry.write(Buffer.from(text))
    await entry.end()
  }
}

const sheetNameMax = 25

function nameOf(name: string, number: number): string {
  const allowed = name
    .replaceAll(/[[\]:*?/\\']/g, ' ')
    .slice(0, sheetNameMax)
    .trim()
  const shown = allowed === '' ? 'Sheet' : allowed
  return xmlText(number === 1 ? shown : `${shown} ${number}`).replaceAll('"', '&quot;')
}
