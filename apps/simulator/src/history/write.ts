import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  historyManifestFile,
  type HistoryHead,
  type HistoryManifest,
  type HistoryTable,
} from '@saddle/contract/demo/history.ts'
import { dayMs, minuteMs, utcDayOf } from '@saddle/contract/time.ts'
import { toLngLat } from '#sim/city/geometry.ts'
import { createLife, type Life, type LifeRecord } from '#sim/life/life.ts'
import { placeOnWay } from '#sim/life/ride.ts'
import type { Town } from '#sim/life/town.ts'
import { batteryAt, type LifeEvent, type Missed } from '#sim/life/world.ts'
import { createCopyRows, type CopyRows } from './copyRows.ts'
import { createDayBook, type DayBook } from './dayBook.ts'

/** In this time before the end no vehicle is picked up, because the live fleet has no van. */
const quietMs = 75 * minuteMs

export type HistoryOptions = {
  out: string
  days: number
  endMs: number
  vehicles: number
  seed: number
  faults: number
  town: Town
}

/**
 * Simulates the days before `endMs` and writes them as contract/demo/history.ts defines. The saved state at
 * the end lets the live simulator continue from there.
 */
export async function writeHistory(
  options: HistoryOptions,
): Promise<{ manifest: HistoryManifest; record: LifeRecord }> {
  const { out, days, vehicles, seed, faults, town } = options
  const endMs = Math.floor(options.endMs / 1000) * 1000
  const startMs = endMs - days * dayMs
  await rm(join(out, historyManifestFile), { force: true })
  await mkdir(out, { recursive: true })
  let book: DayBook | null = null
  const listen = (event: LifeEvent) => book?.note(event)
  const miss = (missed: Missed) => book?.miss(missed)
  const from = { count: vehicles, startMs }
  const life = createLife({ seed, town, from, faults, listen, miss, quietFromMs: endMs - quietMs })
  book = createDayBook(life.vehicles, startMs)

  const manifest: HistoryManifest = {
    version: 1,
    seed,
    vehicles,
    startedAt: startMs,
    endedAt: endMs,
    days: [],
    state: 'state.rows',
  }
  for (let dayStart = Math.floor(startMs / dayMs) * dayMs; dayStart < endMs; dayStart += dayMs) {
    const until = Math.min(dayStart + dayMs, endMs)
    life.advance(until)
    const tables = book.turnPage(until, until === endMs, life.openTasks)
    const day = utcDayOf(dayStart)
    const rows = Object.fromEntries(Object.entries(tables).map(([name, table]) => [name, table.rows]))
    await writeTables(join(out, `${day}.rows`), tables)
    manifest.days.push({ day, file: `${day}.rows`, rows })
  }
  await writeTables(join(out, manifest.state), { status: statusRows(life, book) })
  return { manifest, record: life.record() }
}

/** Writes the manifest, after all other files. */
export async function publishHistory(out: string, manifest: HistoryManifest): Promise<void> {
  await writeWhole(join(out, historyManifestFile), `${JSON.stringify(manifest)}\n`)
}

/** Written atomically, so that an existing file is complete. */
export async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, data)
  await rename(draft, path)
}

async function writeTables(path: string, tables: { readonly [name in HistoryTable]?: CopyRows }): Promise<void> {
  const streams = Object.entries<CopyRows>(tables).map(([name, table]) => ({
    name,
    rows: table.rows,
    bytes: table.finish(),
  }))
  const head = {
    version: 1,
    tables: streams.map(({ name, rows, bytes }) => ({ name: name as HistoryTable, rows, bytes: bytes.length })),
  } satisfies HistoryHead
  const parts = [Buffer.from(`${JSON.stringify(head)}\n`), ...streams.map(({ bytes }) => bytes)]
  await writeWhole(path, Buffer.concat(parts))
}

function statusRows(life: Life, book: DayBook): CopyRows {
  const rows = createCopyRows()
  const { nowMs } = life
  for (const vehicle of life.vehicles) {
    const moving = vehicle.ride ?? vehicle.theft
    const point = moving ? placeOnWay(moving.way, (nowMs - moving.startMs) / 1000).point : vehicle.point
    const [lng, lat] = toLngLat(point)
    const lastRideMs = book.lastRideMs[vehicle.index] ?? 0
    rows.row(9)
    rows.int4(vehicle.index)
    rows.text(vehicle.state)
    rows.int4(Math.round(lat * 1e6))
    rows.int4(Math.round(lng * 1e6))
    rows.float4(batteryAt(vehicle, nowMs))
    rows.int4(Math.round(vehicle.odometerM))
    rows.bool(vehicle.ride === null)
    rows.time(nowMs)
    if (lastRideMs > 0) rows.time(lastRideMs)
    else rows.nothing()
  }
  return rows
}
