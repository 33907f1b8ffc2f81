import { readFileSync } from 'node:fs'
import { brotliDecompressSync, inflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { yuanText } from '@saddle/contract/money.ts'
import { businessDayEnd } from '@saddle/contract/time.ts'
import { readStatement, sumsOf, verifyStatement, type ReadStatement, type StatementSums } from './statementText.ts'

/** The pages of a statement for people: its sums by day, area and party, with the file of its lines attached. */

/** Stands in the PDF; a change of the pages gets another number, since the same file must give the same bytes. */
const producer = 'Saddle statement pages 1'
/** Rows of a table; the attached file has all. */
const rowsMax = 400

const margin = 40
const footHeight = 40
const fontSize = 8
const rowHeight = 15

let font: Buffer | null = null
function readFont(): Buffer {
  font ??= brotliDecompressSync(readFileSync(new URL('font/NotoSansSC-Regular.ttf.br', import.meta.url)))
  return font
}

type Document = InstanceType<typeof PDFDocument>
type Column = { readonly title: string; readonly width: number; readonly isNumber?: boolean }

/** The same text gives the same bytes, so that whoever has the file can prove the pages. */
export function statementPages(text: string): Promise<Buffer> {
  const statement = readStatement(text)
  const at = new Date(businessDayEnd(statement.lastDay))
  const doc = new PDFDocument({
    size: 'A4',
    margins: { top: margin, left: margin, right: margin, bottom: margin + footHeight },
    bufferPages: true,
    info: { Title: titleOf(statement), Producer: producer, Creator: producer, CreationDate: at, ModDate: at },
  })
  const parts: Buffer[] = []
  const whole = new Promise<Buffer>((resolve, reject) => {
    doc.on('data', (part: Buffer) => parts.push(part))
    doc.on('end', () => resolve(Buffer.concat(parts)))
    doc.on('error', reject)
  })
  doc.registerFont('text', readFont()).font('text')
  doc.file(Buffer.from(text), { name: attachedName, type: 'text/csv', creationDate: at, modifiedDate: at })
  writePages(doc, statement)
  doc.end()
  return whole
}

const attachedName = 'statement.csv'
const titleOf = ({ company, firstDay, lastDay }: ReadStatement): string =>
  `分账对账单 ${company} ${firstDay} 至 ${lastDay}`

function writePages(doc: Document, statement: ReadStatement): void {
  const { company, agentId, firstDay, lastDay, hash, previousHash, bills, corrections, totals } = statement
  doc.fontSize(18).text('分账对账单').moveDown(0.4)
  doc.fontSize(11).text(`${company}（编号 ${agentId}）`).text(`${firstDay} 至 ${lastDay}`).moveDown(0.6)
  sumTable(doc, '合计', '', [['全部账单', totals]])
  partyTable(doc, statement)
  sumTable(
    doc,
    '按日',
    '日期',
    groupsOf(bills, ({ day }) => day),
  )
  sumTable(
    doc,
    '按服务区',
    '服务区',
    groupsOf(bills, ({ areaName }) => areaName || '不属于服务区的收入'),
  )
  if (corrections.length > 0) {
    const columns = [
      { title: '记入日期', width: 90 },
      { title: '记账编号', width: 90 },
      { title: '原账单', width: 90 },
      { title: '金额（元）', width: 90, isNumber: true },
    ]
    const rows = corrections.map(({ day, entryNumber, billId, cents }) => [day, entryNumber, billId, yuanText(cents)])
    table(doc, '其中更正以前的账单', columns, rows)
  }
  if (doc.y > doc.page.height - margin - footHeight - 90) doc.addPage()
  doc.moveDown(1).fontSize(9).text('核验', margin).moveDown(0.2)
  doc
    .fontSize(fontSize)
    .text(`校验值（SHA-256） ${hash}`)
    .text(`上一份校验值 ${previousHash === '' ? '无，这是第一份' : previousHash}`)
    .text(
      '每张账单的明细在附件 statement.csv 中，校验值由其各行算出；本页由附件生成。用 statement:verify 命令核验本文件，不需要数据库；校验值应与平台对账单页面所示一致。',
    )
  footPages(doc, statement)
}

function footPages(doc: Document, statement: ReadStatement): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page)
    // Below the margin a text would begin a new page.
    doc.page.margins.bottom = 0
    const y = doc.page.height - margin
    doc.fontSize(7).text(`${titleOf(statement)} · ${statement.hash}`, margin, y, { lineBreak: false })
    doc.text(`${page - start + 1} / ${count}`, margin, y, { align: 'right', width: doc.page.width - 2 * margin })
  }
}

function groupsOf(
  bills: ReadStatement['bills'],
  nameOf: (bill: ReadStatement['bills'][number]) => string,
): (readonly [string, StatementSums])[] {
  const groups = Map.groupBy(bills, nameOf)
  return [...groups].map(([name, of]) => [name, sumsOf(of)] as const)
}

const moneyColumn = (title: string): Column => ({ title, width: 66, isNumber: true })

function sumTable(
  doc: Document,
  title: string,
  first: string,
  groups: readonly (readonly [string, StatementSums])[],
): void {
  const columns = [
    { title: first, width: 115 },
    { title: '账单', width: 34, isNumber: true },
    { title: '笔数', width: 44, isNumber: true },
    ...['收入', '渠道手续费', '他方承担优惠', '分账方所得', '加盟商所得'].map(moneyColumn),
  ]
  const rows = groups.map(([name, of]) => [
    name,
    String(of.bills),
    String(of.lines),
    ...[of.paidCents, of.feeCents, of.borneCents, of.partiesCents, of.ownerCents].map(yuanText),
  ])
  table(doc, title === '合计' ? '合计（元）' : `${title}（元）`, columns, rows)
}

function partyTable(doc: Document, { bills }: ReadStatement): void {
  const groups = Map.groupBy(
    bills.flatMap(({ parties }) => parties),
    ({ name }) => name,
  )
  if (groups.size === 0) return
  const rows = [...groups].map(([name, of]) => [name, yuanText(of.reduce((all, { cents }) => all + cents, 0))])
  table(doc, '分账方（元）', [{ title: '分账方', width: 200 }, moneyColumn('所得')], rows)
}

function table(doc: Document, title: string, columns: readonly Column[], rows: readonly (readonly string[])[]): void {
  const limit = (): number => doc.page.height - margin - footHeight
  const write = (cells: readonly string[], isHead: boolean): void => {
    if (doc.y + rowHeight > limit()) {
      doc.addPage()
      if (!isHead) write(headOf(columns), true)
    }
    const y = doc.y
    let x = margin
    for (const [at, { width, isNumber = false }] of columns.entries()) {
      doc.fontSize(fontSize).fillColor(isHead ? '#555555' : '#000000')
      doc.text(cells[at] ?? '', x, y, { width, height: rowHeight, ellipsis: true, align: isNumber ? 'right' : 'left' })
      x += width
    }
    const line = y + rowHeight - 3
    doc.moveTo(margin, line).lineTo(x, line).lineWidth(0.4).strokeColor('#cccccc').stroke()
    doc.fillColor('#000000')
    doc.x = margin
    doc.y = y + rowHeight
  }
  if (doc.y + 3 * rowHeight > limit()) doc.addPage()
  doc.moveDown(0.8).fontSize(10).text(title, margin).moveDown(0.3)
  write(headOf(columns), true)
  for (const row of rows.slice(0, rowsMax)) write(row, false)
  if (rows.length > rowsMax) {
    doc.fontSize(fontSize).text(`只列出前 ${rowsMax} 行，全部 ${rows.length} 行在附件中`, margin)
  }
}

const headOf = (columns: readonly Column[]): string[] => columns.map(({ title }) => title)

const attachedMax = 64 * 1_048_576

/** The file that is attached to the pages of a statement; null where these are no such pages. */
export function attachedText(pdf: Buffer): string | null {
  const at = pdf.indexOf('/Type /EmbeddedFile')
  const begin = at < 0 ? -1 : pdf.indexOf('stream\n', at)
  if (begin < 0) return null
  const dictionary = pdf.subarray(at, begin).toString('latin1')
  const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1])
  if (!Number.isSafeInteger(length)) return null
  const start = begin + 'stream\n'.length
  const stream = pdf.subarray(start, start + length)
  try {
    const bytes = dictionary.includes('/FlateDecode') ? inflateSync(stream, { maxOutputLength: attachedMax }) : stream
    return bytes.toString('utf8')
  } catch {
    return null
  }
}

export const isPdf = (file: Buffer): boolean => file.subarray(0, 5).toString('latin1') === '%PDF-'

/**
 * Proves a statement's file in either form without the database. Of pages, also that they are what the attached file gives:
 * otherwise a page could show what the attachment does not say.
 */
export async function verifyStatementFile(
  file: Buffer,
  shownHash?: string,
): Promise<ReturnType<typeof verifyStatement>> {
  if (!isPdf(file)) return verifyStatement(file.toString('utf8'), shownHash)
  const text = attachedText(file)
  if (text === null) return { hash: '', bills: 0, paidCents: 0, faults: ['no statement is attached to these pages'] }
  const verdict = verifyStatement(text, shownHash)
  if (verdict.faults.length > 0) return verdict
  const same = (await statementPages(text)).equals(file)
  const fault = file.includes(producer)
    ? 'the pages are not those of the attached file'
    : `the pages are not of "${producer}": only the attached file can be proved`
  return same ? verdict : { ...verdict, faults: [fault] }
}
