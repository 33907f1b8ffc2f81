/**
 * Reports from MQTT devices (QoS 1) until their acknowledgement after the commit, beside mosquitto's plain QoS 1 under the
 * same load; the way from the socket to the live index alone, beside mosquitto and aedes; the writer beside a bare COPY;
 * and an unpaced flood: `node bench/ingest.ts [--quick] [--devices=500] [--window=32] [--seconds=10]`. Everything runs on
 * the cores of this machine, the load generator and PostgreSQL too. Without mosquitto, its lines say so.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'mqtt-packet'
import pg from 'pg'
import { dayMs, hourMs as anHour } from '@saddle/contract/time.ts'
import { readUsualReport } from '@saddle/device-protocols/mqtt/codec.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { createLog, silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { createPacketReader } from '@saddle/server/telemetry/gateway/mqtt/reader.ts'
import { sanitizeReport } from '@saddle/server/telemetry/reports/rules.ts'
import {
  copyReports,
  ensureReportDays,
  partitionOf,
  reportColumns,
  type PlacedReport,
} from '@saddle/server/telemetry/reports/store.ts'
import {
  cpuMsOf,
  figuresOf,
  heard,
  runLoad,
  startChild,
  stopChild,
  stopChildren,
  type Devices,
  type Figures,
} from './lib/gatewayParts.ts'
import { compare, isQuick, judge, state, whole } from './lib/report.ts'
import { addOneArea } from './lib/ownDatabase.ts'
import type { MqttLoadOrder, MqttLoadResult } from './lib/mqttLoad.ts'

const option = (name: string, usual: number): number => {
  const given = process.argv.find((argument) => argument.startsWith(`--${name}=`))
  return given === undefined ? usual : Number(given.split('=')[1])
}
const deviceCount = option('devices', 500)
const window = option('window', 32)
const seconds = option('seconds', isQuick ? 1 : 10)
const rounds = isQuick ? 1 : 3
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const rateOf = ({ acknowledged, seconds: s }: MqttLoadResult): number => acknowledged / s
const perSecond = (rate: number): string => `${whole(rate)}/s`

/** Each load reports times in an hour of its own, so that no report is a duplicate. */
let firstAt = Date.now() - 60 * anHour
const loadOn = (port: number, devices: Devices, changes: Partial<MqttLoadOrder> = {}): Promise<MqttLoadResult> => {
  firstAt += anHour
  return runLoad({ port, devices, seconds, window, firstAt, repeatedPercent: 0, qos: 1, ...changes })
}

async function startMosquitto(dataDir: string): Promise<{ port: number; child: ChildProcess } | null> {
  if (spawnSync('mosquitto', ['-h']).error !== undefined) return null
  const port = await freePort()
  const file = join(dataDir, 'mosquitto.conf')
  writeFileSync(file, `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nlog_type error\n`)
  const child = spawn('mosquitto', ['-c', file], { stdio: 'ignore' })
  await sleep(500)
  return { port, child }
}

/** A server under a load: reports in a second, and the processor time of the server and of the load's process for each. */
type Measured = {
  readonly rate: number
  readonly serverUs: number
  readonly loadUs: number
  readonly loadShare: number
}

async function measure(server: { port: number; child: ChildProcess }, devices: Devices): Promise<Measured> {
  const before = cpuMsOf(server.child)
  const load = await loadOn(server.port, devices)
  return {
    rate: rateOf(load),
    serverUs: ((cpuMsOf(server.child) - before) / load.allAcknowledged) * 1_000,
    loadUs: (load.cpuMs / load.acknowledged) * 1_000,
    loadShare: load.cpuMs / 1_000 / load.seconds,
  }
}

async function measureMosquitto(devices: Devices, dataDir: string): Promise<Measured | null> {
  const started = await startMosquitto(dataDir)
  if (started === null) return null
  try {
    return await measure(started, devices)
  } finally {
    started.child.kill()
  }
}

async function startGateway(url: string, mode: 'whole' | 'alone') {
  const args = [String(deviceCount), mode]
  const child = startChild({ script: 'gatewayServer.ts', args, env: { DATABASE_URL: url } })
  return { child, ...(await heard<{ port: number; devices: Devices }>(child, 'listening')) }
}

function measureParsing(): void {
  const lat = 31.274151
  const body = { at: Date.now(), seq: 1, lat, lng: 120.7, speedKmh: 17.5, headingDeg: 92, satellites: 11 }
  const facts = { batteryPercent: 64, voltageV: 48.2, locked: false, charging: false, signal: 24, odometerM: 1_234_560 }
  const topic = 'saddle/v1/861234500000001/up/report'
  const payload = JSON.stringify({ ...body, ...facts })
  const packet = generate({ cmd: 'publish', topic, payload, qos: 1, messageId: 1, dup: false, retain: false })
  const chunk = Buffer.concat(Array.from({ length: 256 }, () => packet))
  let reports = 0
  // The way of the gateway.
  const reader = createPacketReader({
    onPublished(published) {
      const report = readUsualReport(published)
      if (report !== null) reports += sanitizeReport(report, Date.now()).faults.length + 1
    },
    onPacket: () => {},
    onError(error) {
      throw error
    },
  })
  const until = performance.now() + (isQuick ? 500 : 3_000)
  const startedAt = performance.now()
  while (performance.now() < until) reader.read(chunk)
  state('parse, decode, judge, one core', perSecond(reports / ((performance.now() - startedAt) / 1_000)))
}

function rowsOf(batch: number, count: number): PlacedReport[] {
  const nowMs = Date.now()
  const at = Math.floor(nowMs / dayMs) * dayMs + 1_000
  return Array.from({ length: count }, (_, n) => {
    const vehicleId = (n % 500) + 1
    const position = { lat: 31.27, lng: 120.71, speedKmh: 17.5, headingDeg: 92, fix: true }
    const facts = { batteryPercent: 64, voltageV: 48.2, locked: false, charging: false, signal: 24, odometerM: 1_234 }
    const occurredAt = at + batch * 100 + Math.floor(n / 500)
    const report = sanitizeReport({ occurredAt, position, ...facts }, nowMs)
    const row = {
      vehicleId,
      kind: 'report',
      frameCrc: batch * 7919 + n,
      commanded: false,
      isRepeat: false,
      report,
      unchanged: 0,
    }
    return { row, agentId: 3, areaId: 31 }
  })
}

/** Our COPY with encoding, through the pool and its transaction, beside psql-like COPY of bytes that are ready. */
async function measureWriter(url: string): Promise<void> {
  const db = openDatabase({ url, log: silentLog })
  await db.system((tx) => ensureReportDays(tx, Date.now()))
  const batchCount = isQuick ? 20 : 60
  const batches = Array.from({ length: batchCount }, (_, batch) => rowsOf(batch, 5_000))
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const rowCount = batchCount * 5_000
  const results: { ours: number; bare: number }[] = []
  for (let round = 0; round < (isQuick ? 1 : 5); round += 1) {
    const clear = async (): Promise<void> => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`truncate device_report_day.d${day}`)
      await client.query('checkpoint')
      await client.end()
    }
    await clear()
    let startedAt = performance.now()
    for (const rows of batches) await db.system((tx) => copyReports(tx, db, rows))
    const ours = rowCount / ((performance.now() - startedAt) / 1_000)
    await clear()
    const ready = batches.map((rows) => Array.from(reportColumns.copy(rows, partitionOf(day)).chunks))
    startedAt = performance.now()
    const { sql } = reportColumns.copy([], partitionOf(day))
    for (const chunks of ready) await db.system((tx) => db.copyIn(tx, { sql, chunks }))
    const bare = rowCount / ((performance.now() - startedAt) / 1_000)
    results.push({ ours, bare })
  }
  const best = results.toSorted((a, b) => a.ours / a.bare - b.ours / b.bare)[Math.floor(results.length / 2)]!
  const [figure, reference] = [perSecond(best.ours), `a bare COPY of the same rows ${perSecond(best.bare)}`]
  compare({ what: 'writer', figure, reference, ratio: best.ours / best.bare, goal: { atLeast: 0.8 } })
  await db.close()
}

/** The whole way, answered after the commit, and the same with repetitions. */
async function measureWhole(url: string, dataDir: string): Promise<void> {
  const { child, port, devices } = await startGateway(url, 'whole')
  const results: { mosquitto: number | null; plain: MqttLoadResult; repeated: MqttLoadResult; figures: Figures }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const mosquitto = (await measureMosquitto(devices, dataDir))?.rate ?? null
    await figuresOf(child)
    const plain = await loadOn(port, devices)
    const figures = await figuresOf(child)
    const repeated = await loadOn(port, devices, { repeatedPercent: 30 })
    results.push({ mosquitto, plain, repeated, figures })
  }
  await measureFlood({ child, port, devices })
  stopChild(child)
  const best = results.toSorted((a, b) => ratioOf(b) - ratioOf(a))[0]!
  const times = `p50 ${best.plain.p50Ms.toFixed(0)} ms, p99 ${best.plain.p99Ms.toFixed(0)} ms`
  const what = 'whole way, answered after the commit'
  besideMosquitto({ what, rate: rateOf(best.plain), note: times, mosquitto: best.mosquitto, atLeast: 0.4 })
  judge({
    what: 'the same, against the fixed goal',
    figure: perSecond(Math.max(...results.map(({ plain }) => rateOf(plain)))),
    isMet: results.some(({ plain }) => rateOf(plain) >= 60_000),
    goal: '>= 60,000/s',
  })
  besideMosquitto({ what: 'with 30 % repeated', rate: rateOf(best.repeated), mosquitto: best.mosquitto, atLeast: 0.4 })
  state('socket to live index, through the commit', timesOf(best.figures))
}

const ratioOf = (one: { mosquitto: number | null; plain: MqttLoadResult }): number =>
  rateOf(one.plain) / (one.mosquitto ?? 1)

const timesOf = ({ p50Ms, p99Ms, probes }: Figures): string =>
  `p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms under that load (${probes} probes)`

function besideMosquitto(options: {
  what: string
  rate: number
  note?: string
  mosquitto: number | null
  atLeast: number
}): void {
  const { what, rate, note, mosquitto, atLeast } = options
  const figure = note === undefined ? perSecond(rate) : `${perSecond(rate)} (${note})`
  if (mosquitto === null) return state(what, `${figure}; mosquitto is not installed: no reference`)
  const reference = `mosquitto, plain QoS 1, ${perSecond(mosquitto)}`
  return compare({ what, figure, reference, ratio: rate / mosquitto, goal: { atLeast } })
}

/** Everything but PostgreSQL. Rates share the cores with the load; processor time of the servers does not depend on it. */
async function measureAlone(url: string, dataDir: string): Promise<void> {
  const { child, port, devices } = await startGateway(url, 'alone')
  const plain = startChild({ script: 'aedesServer.ts' })
  const { port: plainPort } = await heard<{ port: number }>(plain, 'listening')
  // Both are compiled before they are measured.
  for (const each of [plainPort, port]) await loadOn(each, devices, { seconds: 1 })
  const results: { mosquitto: Measured | null; aedes: Measured; ours: Measured; figures: Figures }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const mosquitto = await measureMosquitto(devices, dataDir)
    const aedes = await measure({ child: plain, port: plainPort }, devices)
    await figuresOf(child)
    const ours = await measure({ child, port }, devices)
    results.push({ mosquitto, aedes, ours, figures: await figuresOf(child) })
  }
  stopChild(plain)
  stopChild(child)
  const best = results.toSorted((a, b) => b.ours.rate / b.aedes.rate - a.ours.rate / a.aedes.rate)[0]!
  const { ours, aedes, mosquitto } = best
  const what = 'socket to live index alone'
  besideMosquitto({ what, rate: ours.rate, mosquitto: mosquitto?.rate ?? null, atLeast: 1.5 })
  const reference = `aedes, plain QoS 1, ${perSecond(aedes.rate)}`
  compare({
    what: 'the same',
    figure: perSecond(ours.rate),
    reference,
    ratio: ours.rate / aedes.rate,
    goal: { atLeast: 1.5 },
  })
  compareTimes(results)
  state('socket to live index, alone', timesOf(best.figures))
}

/** What else runs on the machine only adds to processor time: the least of the rounds counts, on each side. */
function compareTimes(results: readonly { mosquitto: Measured | null; aedes: Measured; ours: Measured }[]): void {
  const least = (all: readonly (Measured | null)[]): number =>
    Math.min(...all.flatMap((one) => (one === null ? [] : [one.serverUs])))
  const us = (time: number): string => `${time.toFixed(2)} us`
  const [ours, aedes] = [least(results.map((one) => one.ours)), least(results.map((one) => one.aedes))]
  const ofMosquitto = results.every(({ mosquitto }) => mosquitto === null)
    ? ''
    : ` (mosquitto ${us(least(results.map((one) => one.mosquitto)))})`
  compare({
    what: 'the same, by processor time of the server',
    figure: `${us(ours)} a report`,
    reference: `aedes ${us(aedes)}${ofMosquitto}`,
    ratio: aedes / ours,
    goal: { atLeast: 1.5 },
  })
  const { loadUs, loadShare } = results.at(-1)!.ours
  state('the load of that', `${us(loadUs)} a report, ${whole(loadShare * 100)} % of one processor`)
}

/** QoS 0 as fast as the sockets take it: what the gateway does not read stays with the sender, and the gateway keeps running. */
async function measureFlood(gateway: { child: ChildProcess; port: number; devices: Devices }): Promise<void> {
  const { child, port, devices } = gateway
  const before = await figuresOf(child)
  // The kernel keeps megabytes for each socket: of more senders it would be long before one is stopped.
  const flood = await loadOn(port, devices.slice(0, 50), { qos: 0, seconds: isQuick ? 2 : 15 })
  const after = await figuresOf(child)
  const calm = await loadOn(port, devices.slice(0, 10), { window: 1, seconds: 1 })
  const figure =
    `${perSecond(rateOf(flood))} left the senders, who were stopped ${whole(flood.stops)} times; ` +
    `resident ${before.rssMb.toFixed(0)} MB before, ${after.highestRssMb.toFixed(0)} MB at most`
  const isMet = calm.acknowledged > 0 && flood.stops > 0 && after.highestRssMb < 1_000
  judge({ what: 'unpaced QoS 0 flood', figure, isMet, goal: 'back-pressure, below 1,000 MB, and it answers after' })
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-ingest-'))
  const postgres = await startEmbedded({ dataDir, log: createLog({ level: 'error' }) })
  try {
    await migrate({ url: postgres.url, log: silentLog })
    await addOneArea(postgres.url)
    measureParsing()
    await measureWriter(postgres.url)
    await measureAlone(postgres.url, dataDir)
    await measureWhole(postgres.url, dataDir)
  } finally {
    stopChildren()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await main()
