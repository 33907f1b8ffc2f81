/**
 * Files of 1,000,000 rows with 12 columns, written as a workbook by ours and by exceljs' streaming writer, and as CSV, each
 * in a process of its own: time and memory: `node bench/export.ts [--quick]`.
 */
import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createCsv } from '@saddle/server/kit/files/csv.ts'
import type { Cell, Column } from '@saddle/server/kit/files/table.ts'
import { createXlsx } from '@saddle/server/kit/files/xlsx.ts'
import type { Sink } from '@saddle/server/kit/files/zip.ts'
import { compare, isQuick, say, whole } from './lib/report.ts'

const rows = isQuick ? 100_000 : 1_000_000
const rowsPerPart = 1_000
const rounds = isQuick ? 1 : 3
const firstAt = Date.UTC(2026, 9, 1)
const columns: readonly Column[] = [
  { title: '订单号', format: 'text' },
  { title: '车辆编号', format: 'text' },
  { title: '服务区', format: 'text' },
  { title: '加盟商', format: 'text' },
  { title: '状态', format: 'text' },
  { title: '开始时间', format: 'instant' },
  { title: '结束时间', format: 'instant' },
  { title: '时长(分钟)', format: 'number' },
  { title: '里程(米)', format: 'number' },
  { title: '金额(元)', format: 'money' },
  { title: '实付(元)', format: 'money' },
  { title: '备注', format: 'text' },
]

const rowOf = (n: number): Cell[] => [
  `2026${String(n).padStart(14, '0')}`,
  `SB${100_000 + (n % 20_000)}`,
  `服务区 ${n % 40}`,
  `第${n % 7}加盟商有限公司`,
  n % 9 === 0 ? '已退款' : '已完成',
  firstAt + n * 1_000,
  firstAt + n * 1_000 + (n % 3_000) * 1_000,
  n % 90,
  n % 9_000,
  (n % 2_000) / 100,
  (n % 1_900) / 100,
  n % 50 === 0 ? '=1+1' : null,
]

const partOf = (from: number): Cell[][] => Array.from({ length: rowsPerPart }, (_, index) => rowOf(from + index))

function fileSink(path: string): { readonly sink: Sink; readonly close: () => Promise<void> } {
  const stream = createWriteStream(path)
  return {
    sink: (bytes) =>
      new Promise((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(error) : resolve()))
      }),
    close: async () => {
      stream.end()
      await finished(stream)
    },
  }
}

async function writeOurs(kind: 'csv' | 'xlsx', path: string): Promise<void> {
  const { sink, close } = fileSink(path)
  const file = kind === 'csv' ? createCsv({ columns, sink }) : createXlsx({ sheetName: '订单', columns, sink })
  for (let from = 0; from < rows; from += rowsPerPart) await file.write(partOf(from))
  await file.end()
  await close()
}

async function writeExceljs(path: string): Promise<void> {
  const { default: exceljs } = await import('exceljs')
  const book = new exceljs.stream.xlsx.WorkbookWriter({ filename: path, useStyles: true, useSharedStrings: false })
  const sheet = book.addWorksheet('订单', { views: [{ state: 'frozen', ySplit: 1 }] })
  const formats = { money: '#,##0.00', instant: 'yyyy-mm-dd hh:mm:ss', date: 'yyyy-mm-dd' } as const
  sheet.columns = columns.map(({ title, format }) => ({
    header: title,
    width: 16,
    ...(format === 'money' || format === 'instant' ? { style: { numFmt: formats[format] } } : {}),
  }))
  for (let from = 0; from < rows; from += rowsPerPart) {
    for (const cells of partOf(from)) {
      const typed = cells.map((cell, index) =>
        columns[index]?.format === 'instant' && typeof cell === 'number' ? new Date(cell) : cell,
      )
      sheet.addRow(typed).commit()
    }
    // Its streams write only when the loop is left.
    await new Promise((resolve) => setImmediate(resolve))
  }
  sheet.commit()
  await book.commit()
}

const kinds = ['csv', 'xlsx', 'exceljs'] as const
type Kind = (typeof kinds)[number]
interface Measured {
  readonly ms: number
  readonly peakBytes: number
}

async function measureHere(kind: Kind, path: string): Promise<Measured> {
  const startedAt = performance.now()
  await (kind === 'exceljs' ? writeExceljs(path) : writeOurs(kind, path))
  return { ms: performance.now() - startedAt, peakBytes: process.resourceUsage().maxRSS * 1_024 }
}

function measure(kind: Kind, path: string): Measured {
  const args = ['--disable-warning=ExperimentalWarning', fileURLToPath(import.meta.url), `--only=${kind}`, path]
  const { stdout, status } = spawnSync(process.execPath, isQuick ? [...args, '--quick'] : args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${kind} ended with ${status}`)
  return JSON.parse(stdout) as Measured
}

function compareAll(): void {
  const dir = mkdtempSync(join(tmpdir(), 'saddle-bench-'))
  try {
    const best = Object.fromEntries(
      kinds.map((kind) => {
        const path = join(dir, `${kind}.${kind === 'csv' ? 'csv' : 'xlsx'}`)
        const runs = Array.from({ length: rounds }, () => measure(kind, path))
        const found = {
          ms: Math.min(...runs.map(({ ms }) => ms)),
          peakBytes: Math.min(...runs.map(({ peakBytes }) => peakBytes)),
        }
        say(`${kind.padEnd(8)} ${time(found)}, ${memory(found)}, file ${megabytes(statSync(path).size)}`)
        return [kind, found]
      }),
    ) as Record<Kind, Measured>
    const { csv, xlsx, exceljs } = best
    const of = `${whole(rows)} × ${columns.length}`
    compare({
      what: `xlsx of ${of}, time`,
      figure: time(xlsx),
      reference: `${time(exceljs)} of exceljs`,
      ratio: xlsx.ms / exceljs.ms,
      goal: { atMost: 0.4 },
    })
    compare({
      what: `xlsx of ${of}, memory`,
      figure: memory(xlsx),
      reference: `${memory(exceljs)} of exceljs`,
      ratio: xlsx.peakBytes / exceljs.peakBytes,
      goal: { atMost: 0.3 },
    })
    compare({
      what: `csv of ${of}, time`,
      figure: time(csv),
      reference: `${time(xlsx)} as xlsx`,
      ratio: xlsx.ms / csv.ms,
      goal: { atLeast: 3 },
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const megabytes = (bytes: number): string => `${whole(bytes / 1e6)} MB`
const time = ({ ms }: Measured): string => `${(ms / 1_000).toFixed(2)} s`
const memory = ({ peakBytes }: Measured): string => megabytes(peakBytes)

const only = process.argv.find((one) => one.startsWith('--only='))?.slice('--only='.length)
if (only === undefined) compareAll()
else {
  const kind = kinds.find((one) => one === only)
  const path = process.argv.find((one) => one.endsWith('.csv') || one.endsWith('.xlsx'))
  if (kind === undefined || path === undefined) throw new Error('what is to be written?')
  process.stdout.write(JSON.stringify(await measureHere(kind, path)))
}
