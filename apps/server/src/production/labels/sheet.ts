import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { encode } from 'uqr'
import type { LabelSheet } from '@saddle/contract/production/labels.ts'

/** Sheets of labels: squares of ink and texts, all of it vectors, so that a label is as sharp as the printer. */

/** Millimetres; a page of A4 has 210 by 297 of them. */
type Grid = { readonly columns: number; readonly rows: number; readonly width: number; readonly height: number }
const grids: Readonly<Record<LabelSheet, Grid>> = {
  grid_24: { columns: 3, rows: 8, width: 70, height: 37 },
  grid_40: { columns: 4, rows: 10, width: 52.5, height: 29.7 },
  grid_65: { columns: 5, rows: 13, width: 38.1, height: 21.2 },
}
const page = { width: 210, height: 297 }
const pointsPerMm = 72 / 25.4
const padding = 2

export const labelsOfSheet = (sheet: LabelSheet): number => grids[sheet].columns * grids[sheet].rows

export type Label = {
  /** What the code says. */
  readonly code: string
  readonly title: string
  readonly lines: readonly string[]
}

type Document = InstanceType<typeof PDFDocument>
type Place = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** The labels as a PDF; the first `skip` places of the first page stay empty. */
export async function labelSheet(options: {
  readonly labels: readonly Label[]
  readonly sheet: LabelSheet
  readonly skip: number
}): Promise<Buffer> {
  const { labels, sheet, skip } = options
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    info: { Producer: 'Saddle', Creator: 'Saddle' },
  })
  const parts: Buffer[] = []
  const whole = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (part: Buffer) => parts.push(part))
    doc.on('end', () => resolve(Buffer.concat(parts)))
    doc.on('error', reject)
  })
  const perPage = labelsOfSheet(sheet)
  const first = skip % perPage
  for (const [index, label] of labels.entries()) {
    const place = (first + index) % perPage
    if (index === 0 || place === 0) {
      doc.addPage()
      // A thousand labels take a second: others have their turn between the pages.
      await setImmediate()
    }
    drawLabel(doc, placeOf(grids[sheet], place), label)
  }
  doc.end()
  return await whole
}

function placeOf({ columns, rows, width, height }: Grid, index: number): Place {
  const left = (page.width - columns * width) / 2
  const top = (page.height - rows * height) / 2
  return { x: left + (index % columns) * width, y: top + Math.floor(index / columns) * height, width, height }
}

function drawLabel(doc: Document, { x, y, width, height }: Place, { code, title, lines }: Label): void {
  const side = Math.min(height - 2 * padding, width * 0.45)
  drawCode(doc, { x: x + padding, y: y + (height - side) / 2, side }, code)
  const textX = (x + side + 2 * padding) * pointsPerMm
  const textWidth = (width - side - 3 * padding) * pointsPerMm
  const top = (y + (height - side) / 2) * pointsPerMm
  doc.font('Helvetica-Bold').fontSize(fitting(doc, { text: title, widthPt: textWidth, largest: 14 }))
  doc.text(title, textX, top, { lineBreak: false })
  let lineY = top + doc.currentLineHeight() + 2
  for (const line of lines) {
    doc.font('Helvetica').fontSize(fitting(doc, { text: line, widthPt: textWidth, largest: 7 }))
    doc.text(line, textX, lineY, { lineBreak: false })
    lineY += doc.currentLineHeight() + 1
  }
}

/** The largest size at which a text fits into its width. */
const fitting = (
  doc: Document,
  { text, widthPt, largest }: { readonly text: string; readonly widthPt: number; readonly largest: number },
): number => Math.min(largest, (largest * widthPt) / doc.fontSize(largest).widthOfString(text))

/** Dark modules of a row that lie side by side are one rectangle. */
function drawCode(doc: Document, { x, y, side }: { x: number; y: number; side: number }, code: string): void {
  const { data, size } = encode(code, { ecc: 'M', border: 2 })
  const modulePt = (side * pointsPerMm) / size
  for (const [rowIndex, row] of data.entries()) {
    let from: number | null = null
    for (let column = 0; column <= size; column += 1) {
      const isDark = row[column] === true
      if (isDark && from === null) from = column
      if (isDark || from === null) continue
      const left = x * pointsPerMm + from * modulePt
      doc.rect(left, y * pointsPerMm + rowIndex * modulePt, (column - from) * modulePt, modulePt)
      from = null
    }
  }
  doc.fill('#000')
}
