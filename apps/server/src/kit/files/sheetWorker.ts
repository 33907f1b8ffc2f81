import { createGunzip } from 'node:zlib'
import { parentPort, workerData } from 'node:worker_threads'
import { streamCsvRows } from 'hucre/csv'
import { streamXlsxRows } from 'hucre/xlsx'
import { digitsKept, lostDigits } from './sheetMarks.ts'

/**
 * Reads a workbook or a CSV text in a thread of its own and posts its lines as texts, some at a time. What it is given and
 * what it posts are declared in `sheet.ts`, which also bounds its memory and its time.
 */
interface Given {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly linesMax: number
  readonly unpackedMax: number
  readonly cellsMax: number
}

const batch = 2_000

class SheetFault extends Error {}

const { bytes, linesMax, unpackedMax, cellsMax } = workerData as Given
const port = parentPort
if (port === null) throw new Error('this file runs in a thread of its own')

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'number')
    return value === null || value === undefined || typeof value === 'object' ? '' : `${value as boolean}`
  const text = Number.isSafeInteger(value) ? String(value) : value.toString()
  return text.replace('-', '').length > digitsKept ? `${lostDigits}${text}` : text
}

let lines: { line: number; cells: string[] }[] = []
let count = 0
const send = (): void => {
  if (lines.length === 0) return
  port.postMessage({ rows: lines })
  lines = []
}

/** Empty lines are passed over and keep their number. */
function take(line: number, values: readonly unknown[]): void {
  const cells = values.slice(0, cellsMax).map(textOf)
  if (cells.every((cell) => cell.trim() === '')) return
  count += 1
  if (count > linesMax) throw new SheetFault('sheet_rows')
  lines.push({ line, cells })
  if (lines.length >= batch) send()
}

/** The sizes that the archive's own list tells, before anything is unpacked: a small file may claim to be a huge one. */
function assertUnpacked(zip: Buffer): void {
  const entryMark = 0x02_01_4b_50
  let at = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (at === -1 || at + 22 > zip.length) throw new SheetFault('sheet_format')
  const entries = zip.readUInt16LE(at + 10)
  at = zip.readUInt32LE(at + 16)
  let total = 0
  for (let index = 0; index < entries; index += 1) {
    if (at + 46 > zip.length || zip.readUInt32LE(at) !== entryMark) throw new SheetFault('sheet_format')
    total += zip.readUInt32LE(at + 24)
    if (total > unpackedMax) throw new SheetFault('sheet_too_large')
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
}

/** A text that a console has compressed; unpacked no further than allowed. */
async function unpacked(packed: Buffer): Promise<Buffer> {
  const gunzip = createGunzip()
  gunzip.end(packed)
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of gunzip) {
    size += (piece as Buffer).length
    if (size > unpackedMax) throw new SheetFault('sheet_too_large')
    pieces.push(piece as Buffer)
  }
  return Buffer.concat(pieces)
}

/** Spreadsheets of China write GB 18030, those of Windows UTF-16 with a mark; everybody else UTF-8. */
function decode(file: Buffer): string {
  if (file[0] === 0xff && file[1] === 0xfe) return new TextDecoder('utf-16le', { fatal: true }).decode(file)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file)
  } catch {
    return new TextDecoder('gb18030', { fatal: true }).decode(file)
  }
}

async function read(): Promise<void> {
  let file: Buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (file[0] === 0x1f && file[1] === 0x8b) file = await unpacked(file)
  if (file.subarray(0, 4).equals(Buffer.from([0x50, 0x4b, 0x03, 0x04]))) {
    assertUnpacked(file)
    for await (const { index, values } of streamXlsxRows(file)) take(index + 1, values)
    return
  }
  const text = decode(file)
  // A text has none of these; what has is a picture, a program or an old workbook.
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0008\u000e-\u001f]/.test(text)) throw new SheetFault('sheet_format')
  let line = 0
  for (const values of streamCsvRows(text)) take((line += 1), values)
}

try {
  await read()
  send()
  port.postMessage({ end: true })
} catch (error) {
  port.postMessage({ fault: error instanceof SheetFault ? error.message : 'sheet_format' })
}
