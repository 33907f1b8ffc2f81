import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  historyHeadSchema,
  historyManifestSchema,
  historyTables,
  type HistoryTable,
} from '@saddle/contract/demo/history.ts'
import { decodeTrack } from '@saddle/contract/telemetry/track.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayMs } from '@saddle/contract/time.ts'
import { makeCity } from '#sim/city/city.ts'
import { makeTown } from '#sim/life/town.ts'
import { createLife } from '#sim/life/life.ts'
import { publishHistory, writeHistory } from './write.ts'

const town = makeTown(makeCity())
const endMs = Date.UTC(2026, 10, 18, 9, 30)
const options = { days: 3, endMs, vehicles: 90, seed: 8, faults: 0.5, town }

type Row = Record<string, number | string | boolean | Buffer | null>

/** Reads what PostgreSQL would. */
function readRows(table: HistoryTable, stream: Buffer): Row[] {
  expect(stream.subarray(0, 11).toString('latin1')).toBe('PGCOPY\n\xff\r\n\0')
  const columns = Object.entries(historyTables[table])
  const rows: Row[] = []
  let at = 19
  for (;;) {
    const fields = stream.readInt16BE(at)
    at += 2
    if (fields === -1) break
    expect(fields).toBe(columns.length)
    const row: Row = {}
    for (const [name, type] of columns) {
      const length = stream.readInt32BE(at)
      at += 4
      const value = stream.subarray(at, at + Math.max(0, length))
      at += value.length
      if (length === -1) row[name] = null
      else if (type === 'int4') row[name] = value.readInt32BE()
      else if (type === 'float4') row[name] = value.readFloatBE()
      else if (type === 'bool') row[name] = value[0] === 1
      else if (type === 'timestamptz') row[name] = Number(value.readBigInt64BE() / 1000n) + Date.UTC(2000, 0, 1)
      else row[name] = type === 'text' ? value.toString() : value
    }
    rows.push(row)
  }
  expect(at).toBe(stream.length)
  return rows
}

async function readFileTables(path: string): Promise<Map<string, Row[]>> {
  const bytes = await readFile(path)
  const end = bytes.indexOf('\n')
  const head = historyHeadSchema.parse(JSON.parse(bytes.toString('utf8', 0, end)))
  let at = end + 1
  const tables = new Map<string, Row[]>()
  for (const { name, rows, bytes: length } of head.tables) {
    const read = readRows(name, bytes.subarray(at, at + length))
    expect(read).toHaveLength(rows)
    tables.set(name, read)
    at += length
  }
  expect(at).toBe(bytes.length)
  return tables
}

let out = ''
let made: Awaited<ReturnType<typeof writeHistory>>
beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'history-'))
  made = await writeHistory({ ...options, out })
})
afterAll(() => rm(out, { recursive: true, force: true }))

const all = async (table: HistoryTable) => {
  const rows: Row[] = []
  for (const { file } of made.manifest.days) rows.push(...((await readFileTables(join(out, file))).get(table) ?? []))
  return rows
}

describe('the history', () => {
  it('has a file for every day, and no manifest before all is there', async () => {
    const days = made.manifest.days.map(({ day }) => day)
    expect(days).toEqual(['2026-11-15', '2026-11-16', '2026-11-17', '2026-11-18'])
    await expect(readFile(join(out, 'manifest.json'))).rejects.toThrow('ENOENT')
    await publishHistory(out, made.manifest)
    const read = historyManifestSchema.parse(JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')))
    expect(read).toEqual(made.manifest)
    for (const { file, rows } of read.days) {
      for (const [name, table] of await readFileTables(join(out, file))) {
        expect(table).toHaveLength(rows[name as HistoryTable] ?? -1)
      }
    }
  })

  it('is the same for the same seed, byte for byte', async () => {
    const other = await mkdtemp(join(tmpdir(), 'history-'))
    try {
      const again = await writeHistory({ ...options, out: other })
      expect(again.manifest).toEqual(made.manifest)
      for (const file of [...again.manifest.days.map((day) => day.file), again.manifest.state]) {
        expect(await readFile(join(other, file))).toEqual(await readFile(join(out, file)))
      }
    } finally {
      await rm(other, { recursive: true })
    }
  })

  it('knows of every vehicle where it was, in stretches that neither overlap nor cross midnight', async () => {
    const segments = await all('segment')
    const last = new Map<unknown, Row>()
    const gaps: Row[] = []
    for (const row of segments) {
      const [start, end] = [Number(row['started_at']), Number(row['ended_at'])]
      expect(end).toBeGreaterThan(start)
      expect(Math.floor(start / dayMs)).toBe(Math.floor((end - 1) / dayMs))
      const before = last.get(row['vehicle'])
      if (before) {
        expect(start).toBeGreaterThanOrEqual(Number(before['ended_at']))
        if (start > Number(before['ended_at'])) gaps.push(row)
        else expect([row['start_lat'], row['start_lng']]).toEqual([before['end_lat'], before['end_lng']])
      } else expect(start).toBe(made.manifest.startedAt)
      last.set(row['vehicle'], row)
    }
    expect(last.size).toBe(options.vehicles)
    // Off the street only while staff carried it.
    const events = await all('event')
    const dropped = events.filter(({ event }) => event === 'provider_drop_off')
    expect(gaps).toHaveLength(dropped.length)
    for (const row of last.values()) expect(row['ended_at']).toBe(endMs)
  })

  it('has a track for every ride, from its start to its end', async () => {
    const moved = (await all('segment')).filter((row) => row['moved'] === true)
    expect(moved.length).toBeGreaterThan(100)
    for (const row of moved) {
      const points = decodeTrack(row['points'] as Buffer)
      expect(points).toHaveLength(row['point_count'] as number)
      expect(points[0]!.at).toBe(row['started_at'])
      expect(points.at(-1)!.at).toBe(row['ended_at'])
      expect(Math.abs(points[0]!.lat * 1e6 - Number(row['start_lat']))).toBeLessThan(60)
      expect(Number(row['battery_end'])).toBeLessThanOrEqual(Number(row['battery_start']))
    }
    const trips = await all('trip')
    for (const trip of trips) {
      const own = moved.filter(
        (row) =>
          row['vehicle'] === trip['vehicle'] &&
          Number(row['started_at']) >= Number(trip['started_at']) &&
          Number(row['ended_at']) <= Number(trip['ended_at'] ?? endMs),
      )
      const metres = own.reduce((sum, row) => sum + Number(row['distance_m']), 0)
      if (trip['ended_at'] !== null) expect(Math.abs(metres - Number(trip['distance_m']))).toBeLessThan(1)
    }
  })

  it('ends with what goes on, and with where every vehicle is', async () => {
    const status = (await readFileTables(join(out, made.manifest.state))).get('status')!
    expect(status).toHaveLength(options.vehicles)
    const riding = status.filter((row) => row['locked'] === false).map((row) => row['vehicle'])
    const open = (await all('trip')).filter((row) => row['ended_at'] === null).map((row) => row['vehicle'])
    expect(open).toEqual(riding)
    for (const row of status) expect(row['state']).not.toBe('removed')
    // Each state follows from the events before it.
    const states = new Map<unknown, unknown>()
    for (const event of await all('event')) {
      expect(event['from_state']).toBe(states.get(event['vehicle']) ?? 'available')
      states.set(event['vehicle'], event['to_state'])
    }
    for (const row of status) expect(row['state']).toBe(states.get(row['vehicle']) ?? 'available')
    const tasks = await all('task')
    expect(
      tasks.filter(({ state }) => state === 'open' || state === 'claimed').every((row) => row['done_at'] === null),
    ).toBe(true)
  })

  it('leads on: the life that was written down begins at its end', () => {
    const life = createLife({ seed: options.seed, town, from: made.record, faults: 0.5 })
    expect(life.nowMs).toBe(endMs)
    life.advance(endMs + dayMs)
    expect(life.vehicles.some((vehicle) => vehicle.odometerM > made.record.vehicles[vehicle.index]!.odometerM)).toBe(
      true,
    )
  })
})
