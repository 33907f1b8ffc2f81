import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { reportNames, reports } from '@saddle/contract/reports/reports.ts'
import { addDays, businessDayOf, businessDayStart, minuteMs } from '@saddle/contract/time.ts'
import { sessionCall } from '#test/kit.ts'
import { reportWorld } from './reports.fixture.ts'
import { isLong } from '../../../../scripts/lib/thorough.mjs'

/**
 * Workbooks of a report and of the rows behind it, opened by LibreOffice in the longer checks: the same rows and sums. As root on
 * Debian the test installs it, 41 MB in about a minute; where it cannot be had the test says so.
 */
const run = promisify(execFile)
const installMs = 10 * minuteMs
const convertMs = 5 * minuteMs

async function officeOf(): Promise<string | null> {
  const find = () =>
    run('which', ['soffice']).then(
      ({ stdout }) => stdout.trim(),
      () => null,
    )
  const found = await find()
  if (found !== null || process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return found
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) => run('apt-get', ['-qq', ...args], { env, timeout: installMs })
  await apt('update').catch(() => null)
  await apt('install', '--yes', '--no-install-recommends', 'libreoffice-calc').catch(() => null)
  return find()
}

/** The cells of a workbook as LibreOffice shows them. */
async function cellsOf(office: string, workbook: Buffer): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'saddle-office-'))
  try {
    writeFileSync(join(folder, 'file.xlsx'), workbook)
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
    const filter = 'csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,false'
    await run(office, [profile, '--headless', '--convert-to', filter, '--outdir', folder, join(folder, 'file.xlsx')], {
      timeout: convertMs,
    })
    const text = readFileSync(join(folder, 'file.csv'), 'utf8').replace(/^\uFEFF/, '')
    return text
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t').map((cell) => cell.replace(/^"(.*)"$/, '$1')))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const orderCount = isLong ? 4_000 : 40
const world = await reportWorld()
const { handlers } = world.reports
const permissions = reportNames.map((name) => reports[name].permission)
const clerk = sessionCall({ operatorId: 7, agentId: 3, grant: { agentIds: [3], areaIds: [31, 32] }, permissions })
const to = businessDayOf(world.kit.clock.now())
const filter = { report: 'orders', by: 'day', from: addDays(to, -9), to } as const

async function workbooks() {
  const first = businessDayStart(filter.from)
  await world.addOrders(
    Array.from({ length: orderCount }, (_, n) => ({
      area: n % 2,
      vehicle: n % 2,
      placedAt: first + n * minuteMs,
      minutes: 5 + (n % 20),
      cents: 100 + (n % 900),
      state: 'due' as const,
    })),
  )
  await world.reports.runRollups()
  const { data: report } = await handlers.exportReportRows({ filter, sort: 'key', format: 'xlsx' }, clerk)
  const source = { ...filter, metric: 'chargedCents', part: 'top' } as const
  const { data: rows } = await handlers.exportSourceRows({ filter: source, sort: 'at', format: 'xlsx' }, clerk)
  return { report, rows }
}

it(
  'a workbook of a report and of its rows is written, and LibreOffice reads the same rows and sums',
  async ({ skip }) => {
    const { report, rows } = await workbooks()
    expect(rows.rows).toBe(orderCount)
    const { data } = await handlers.readReport({ filter }, clerk)
    if (!isLong) return
    const office = await officeOf()
    if (office === null) return skip('LibreOffice is not there and cannot be installed: no workbook was opened')
    const charged = data.total.chargedCents ?? 0
    for (const [file, column] of [
      [report, '订单金额(元)'],
      [rows, '计入数值(元、次、秒、米)'],
    ] as const) {
      const [titles = [], ...cells] = await cellsOf(office, Buffer.from(file.base64 ?? '', 'base64'))
      const at = titles.indexOf(column)
      expect(at, titles.join(' ')).toBeGreaterThan(0)
      expect(cells).toHaveLength(file.rows)
      expect(Math.round(cells.reduce((sum, row) => sum + Number(row[at]?.replaceAll(',', '')) * 100, 0))).toBe(charged)
    }
  },
  installMs + convertMs,
)
