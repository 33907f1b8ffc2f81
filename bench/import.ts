/**
 * A file of 100,000 vehicles through production's import: preview, commit and undo as the server's calls do them, with the
 * memory of the process that serves them, beside a plain COPY of the same lines: `node bench/import.ts [--quick]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Client } from 'pg'
import { demoAreas } from '@saddle/contract/demo/city.ts'
import { importEndpoints } from '@saddle/contract/production/imports.ts'
import { createAudit } from '@saddle/server/audit/public.ts'
import { createFleet } from '@saddle/server/fleet/public.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { columnTable } from '@saddle/server/kit/db/columnTable.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { createXlsx } from '@saddle/server/kit/files/xlsx.ts'
import { silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { createProduction } from '@saddle/server/production/public.ts'
import { sessionCall, testKit } from '@saddle/server/test/kit.ts'
import { compare, isQuick, judge, state, whole } from './lib/report.ts'

const count = isQuick ? 10_000 : 100_000
const scale = count / 100_000
const titles = ['车辆编号', 'IMEI', 'SN', 'MAC', 'ICCID', '型号']
/** One line in a thousand has a number that another one has, and one an IMEI that does not check. */
const oddEvery = 1_000

function checked(stem: string): string {
  let sum = 0
  for (let index = 0; index < 14; index += 1) {
    const digit = Number(stem[index])
    const weighed = index % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return `${stem}${(10 - (sum % 10)) % 10}`
}

const lineOf = (set: string, n: number): string[] => {
  const hex = (0xa4_c1_38_00_00_00 + (set.codePointAt(0) ?? 0) * 0x10_00_00 + n)
    .toString(16)
    .toUpperCase()
    .padStart(12, '0')
  const imei = checked(`86${String(set.codePointAt(0)).padStart(4, '0')}${String(n).padStart(8, '0')}`)
  return [
    `${set}${String(n % oddEvery === 1 ? n - 1 : n).padStart(7, '0')}`,
    n % oddEvery === 2 ? `${imei.slice(0, -1)}${(Number(imei.at(-1)) + 1) % 10}` : imei,
    `SN${set}${String(n).padStart(8, '0')}`,
    hex,
    `8986${String((set.codePointAt(0) ?? 0) * 1_000_000 + n).padStart(16, '0')}`,
    'B1',
  ]
}

async function workbook(set: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  const writer = createXlsx({
    sheetName: 'vehicles',
    columns: titles.map((title) => ({ title, format: 'text' })),
    sink: async (bytes) => void pieces.push(Buffer.from(bytes)),
  })
  for (let at = 0; at < count; at += 1_000) {
    await writer.write(Array.from({ length: Math.min(1_000, count - at) }, (_, index) => lineOf(set, at + index)))
  }
  await writer.end()
  return Buffer.concat(pieces)
}

const csv = (set: string): Buffer =>
  gzipSync(
    [titles, ...Array.from({ length: count }, (_, n) => lineOf(set, n))].map((line) => line.join(',')).join('\n'),
  )

const seconds = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
  const startedAt = performance.now()
  const found = await work()
  return [(performance.now() - startedAt) / 1_000, found]
}

const dataDir = mkdtempSync(join(tmpdir(), 'saddle-bench-'))
const postgres = await startEmbedded({ dataDir, log: silentLog })
const stops: (() => unknown)[] = []
try {
  await migrate({ url: postgres.url, log: silentLog })
  const owner = new Client({ connectionString: postgres.url })
  await owner.connect()
  owner.on('error', () => {})
  stops.push(() => owner.end())
  await owner.query(`insert into agent (id, parent_id, company) values (2, null, 'platform'), (3, 2, 'company')`)
  await owner.query(
    `insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring) values (31, 3, 'area', 31.3, 120.7, $1)`,
    [JSON.stringify(demoAreas[0]?.ring)],
  )
  const db = openDatabase({ url: postgres.url, log: silentLog })
  stops.push(() => db.close())
  const kit = testKit(db)
  const audit = createAudit(kit)
  const fleet = createFleet(kit, { audit })
  const { handlers } = createProduction(kit, { audit, fleet })
  const call = sessionCall({
    operatorId: 7,
    agentId: 3,
    grant: { agentIds: [3], areaIds: [31] },
    permissions: ['0601'],
  })
  const run = async (name: string, file: Buffer) => {
    const input = importEndpoints.uploadCarIdExcel.input.parse({
      areaId: 31,
      protocol: 'omni',
      newModels: ['B1'],
      name: `${name}.${name}`,
      base64: file.toString('base64'),
    })
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 20)
    const [previewS, { data: batch }] = await seconds(() => handlers.uploadCarIdExcel(input, call))
    const [commitS, { data: made }] = await seconds(() =>
      handlers.commitVehicleImport({ id: batch.id, rows: 'good' }, call),
    )
    const [undoS] = await seconds(() => handlers.undoVehicleImport({ id: batch.id }, call))
    clearInterval(watch)
    const grown = (peak - before) / 1_048_576
    state(
      `${name}, ${(file.length / 1_048_576).toFixed(1)} MiB`,
      `${whole(batch.total)} lines, ${whole(batch.bad)} bad`,
    )
    if (made.made !== batch.total - batch.bad) throw new Error('vehicles are missing')
    if (batch.bad !== Math.floor(count / oddEvery) * 3) throw new Error('bad lines were missed')
    const goal = (most: number): number => Math.max(most * scale, 1)
    judge({ what: `${name}: preview`, figure: `${previewS.toFixed(2)} s`, isMet: previewS <= goal(5), goal: '<= 5 s' })
    judge({ what: `${name}: commit`, figure: `${commitS.toFixed(2)} s`, isMet: commitS <= goal(20), goal: '<= 20 s' })
    state(`${name}: undo`, `${undoS.toFixed(2)} s`)
    judge({
      what: `${name}: memory`,
      figure: `${grown.toFixed(0)} MiB more, ${(peak / 1_048_576).toFixed(0)} in all`,
      isMet: grown <= 300,
      goal: '<= 300 MiB more',
    })
    return { previewS, file }
  }
  const book = await run('xlsx', await workbook('XB'))
  await run('csv', csv('CB'))
  await owner.query('create table bench_lines (number text, imei text, serial text, mac text, iccid text, model text)')
  await owner.query('grant all on bench_lines to saddle_system')
  const lines = Array.from({ length: count }, (_, n) => lineOf('PC', n))
  const text = (index: number) => ['text', (line: string[]) => line[index] ?? ''] as const
  const table = columnTable<string[]>()(
    'bench_lines' as never,
    {
      number: text(0),
      imei: text(1),
      serial: text(2),
      mac: text(3),
      iccid: text(4),
      model: text(5),
    } as never,
  )
  const [copyS] = await seconds(() => db.system((tx) => db.copyIn(tx, table.copy(lines))))
  compare({
    what: 'xlsx: preview',
    figure: `${book.previewS.toFixed(2)} s`,
    reference: `${copyS.toFixed(2)} s of a plain COPY`,
    ratio: book.previewS / copyS,
    goal: { atMost: 50 },
  })
} finally {
  for (const stop of stops.toReversed()) await stop()
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
