/**
 * Reports from MQTT devices (QoS 1) to their acknowledgement after the commit, beside mosquitto's plain QoS 1 by the same
 * load generator, and the stages one by one: `node bench/ingest.ts [devices] [window] [seconds]`. Everything runs on the
 * cores of this machine, the load generator and PostgreSQL too. Without mosquitto its line is left out.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { generate, parser as createParser } from 'mqtt-packet'
import pg from 'pg'
import { decodeMqtt, toReports } from '@saddle/device-protocols/mqtt/codec.ts'
import { openDatabase } from '@saddle/server/kit/db/pool.ts'
import { migrate } from '@saddle/server/kit/db/migrate.ts'
import { createLog, silentLog } from '@saddle/server/kit/log.ts'
import { startEmbedded } from '@saddle/server/kit/postgres/embedded.ts'
import { encodeCopyRows } from '@saddle/server/telemetry/reports/copyRows.ts'
import { soundReport } from '@saddle/server/telemetry/reports/rules.ts'
import { copyReports, ensureReportDays, type PlacedReport } from '@saddle/server/telemetry/reports/store.ts'
import type { MqttLoadOrder, MqttLoadResult } from './lib/mqttLoad.ts'

const [deviceCount = 500, window = 32, seconds = 10] = process.argv.slice(2).map(Number)
const here = fileURLToPath(new URL('.', import.meta.url))
const children = new Set<ChildProcess>()

function startChild(script: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(here, script), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.add(child)
  return child
}

function once<T>(child: ChildProcess, type: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a part ended with ${code}`)))
    child.on('message', (message) => {
      if ((message as { type?: string }).type === type) resolve(message as T)
    })
  })
}

const load = async (order: Omit<MqttLoadOrder, 'type'>): Promise<MqttLoadResult> => {
  const child = startChild('lib/mqttLoad.ts', [], {})
  child.send({ type: 'run', ...order })
  const result = await once<MqttLoadResult>(child, 'result')
  child.removeAllListeners()
  child.kill()
  return result
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const rate = ({ acknowledged, seconds: s }: MqttLoadResult): number => Math.round(acknowledged / s)
const say = (text: string): void => void process.stdout.write(`${text}\n`)

type Devices = MqttLoadOrder['devices']

async function measureMosquitto(devices: Devices, dataDir: string): Promise<number | null> {
  if (spawnSync('mosquitto', ['-h']).error !== undefined) return null
  const port = await freePort()
  const file = join(dataDir, 'mosquitto.conf')
  writeFileSync(file, `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nlog_type error\n`)
  const broker = spawn('mosquitto', ['-c', file], { stdio: 'ignore' })
  children.add(broker)
  await sleep(500)
  try {
    return rate(await load({ port, devices, seconds, window, firstAt: Date.now() - 3_600_000, repeatedPercent: 0 }))
  } finally {
    broker.kill()
  }
}

function measureParsing(): void {
  const lat = 31.274151
  const body = { at: Date.now(), seq: 1, lat, lng: 120.7, speedKmh: 17.5, headingDeg: 92, satellites: 11 }
  const facts = { batteryPercent: 64, voltageV: 48.2, locked: false, charging: false, signal: 24, odometerM: 1_234_560 }
  const topic = 'saddle/v1/861234500000001/up/report'
  const payload = JSON.stringify({ ...body, ...facts })
  const packet = generate({ cmd: 'publish', topic, payload, qos: 1, messageId: 1, dup: false, retain: false })
  const chunk = Buffer.concat(Array.from({ length: 256 }, () => packet))
  const parser = createParser()
  let reports = 0
  parser.on('packet', (packet) => {
    if (packet.cmd !== 'publish') return
    const message = decodeMqtt({ topic: packet.topic, payload: packet.payload as Buffer })
    for (const report of toReports(message)) reports += soundReport(report, Date.now()).faults.length + 1
  })
  const until = performance.now() + 3_000
  const startedAt = performance.now()
  while (performance.now() < until) parser.parse(chunk)
  const perSecond = reports / ((performance.now() - startedAt) / 1_000)
  say(`parse, decode, judge, one core:  ${Math.round(perSecond).toLocaleString()} reports/s`)
}

function rowsOf(batch: number, count: number): PlacedReport[] {
  const nowMs = Date.now()
  const at = Math.floor(nowMs / 86_400_000) * 86_400_000 + 1_000
  return Array.from({ length: count }, (_, n) => {
    const vehicleId = (n % 500) + 1
    const position = { lat: 31.27, lng: 120.71, speedKmh: 17.5, headingDeg: 92, fix: true }
    const facts = { batteryPercent: 64, voltageV: 48.2, locked: false, charging: false, signal: 24, odometerM: 1_234 }
    const occurredAt = at + batch * 100 + Math.floor(n / 500)
    const sound = soundReport({ deviceId: '', occurredAt, position, ...facts }, nowMs)
    const row = { vehicleId, kind: 'report', frameCrc: batch * 7919 + n, commanded: false, isRepeat: false, sound }
    return { row, agentId: 3, areaId: 31 }
  })
}

/** Our COPY with encoding, through the pool and its transaction, beside psql-like COPY of bytes that are ready. */
async function measureWriter(url: string): Promise<void> {
  const db = openDatabase({ url, log: silentLog })
  await db.system((tx) => ensureReportDays(tx, Date.now()))
  const batches = Array.from({ length: 60 }, (_, batch) => rowsOf(batch, 5_000))
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  const results: { ours: number; bare: number }[] = []
  for (let round = 0; round < 3; round += 1) {
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
    const ours = 300_000 / ((performance.now() - startedAt) / 1_000)
    await clear()
    const ready = batches.map((rows) => Array.from(encodeCopyRows(rows)))
    startedAt = performance.now()
    const { copyColumns } = await import('@saddle/server/telemetry/reports/copyRows.ts')
    const sql = `copy device_report_day.d${day} (${copyColumns.join(', ')}) from stdin (format binary)`
    for (const chunks of ready) await db.system((tx) => db.copyIn(tx, { sql, chunks }))
    const bare = 300_000 / ((performance.now() - startedAt) / 1_000)
    results.push({ ours, bare })
  }
  const best = results.toSorted((a, b) => b.ours / b.bare - a.ours / a.bare)[1]!
  say(
    `writer alone:                    ${Math.round(best.ours).toLocaleString()} rows/s = ${(best.ours / best.bare).toFixed(2)} x a bare COPY of the same rows (${Math.round(best.bare).toLocaleString()}/s)`,
  )
  await db.close()
}

async function seed(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    `insert into agent (id, parent_id, company) overriding system value values (2, null, 'A'), (3, 2, 'B')`,
  )
  const ring = JSON.stringify([
    [120, 31],
    [121, 31],
    [121, 32],
    [120, 31],
  ])
  await client.query(
    `insert into service_area (id, agent_id, name, centre_lat, centre_lng, ring) overriding system value values (31, 3, 'N', 31.3, 120.6, $1)`,
    [ring],
  )
  await client.end()
}

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'saddle-ingest-'))
  const postgres = await startEmbedded({ dataDir, log: createLog({ level: 'error' }) })
  try {
    await migrate({ url: postgres.url, log: silentLog })
    await seed(postgres.url)
    measureParsing()
    await measureWriter(postgres.url)
    const server = startChild('lib/gatewayServer.ts', [String(deviceCount)], { DATABASE_URL: postgres.url })
    const { port, devices } = await once<{ port: number; devices: Devices }>(server, 'listening')
    let firstAt = Date.now() - 6 * 3_600_000
    for (let round = 0; round < 2; round += 1) {
      const mosquitto = await measureMosquitto(devices, dataDir)
      const plain = await load({ port, devices, seconds, window, firstAt, repeatedPercent: 0 })
      firstAt += 3_600_000
      const repeated = await load({ port, devices, seconds, window, firstAt, repeatedPercent: 30 })
      firstAt += 3_600_000
      const beside = (n: number): string => (mosquitto === null ? '' : ` = ${(n / mosquitto).toFixed(2)} x mosquitto`)
      if (mosquitto !== null) say(`mosquitto, plain QoS 1:          ${mosquitto.toLocaleString()} messages/s`)
      else say('mosquitto is not installed: no reference')
      say(
        `whole, answered after commit:    ${rate(plain).toLocaleString()} reports/s${beside(rate(plain))}, p50 ${plain.p50Ms.toFixed(0)} ms, p99 ${plain.p99Ms.toFixed(0)} ms`,
      )
      say(`the same with 30 % repeated:     ${rate(repeated).toLocaleString()} reports/s${beside(rate(repeated))}`)
    }
  } finally {
    for (const child of children) {
      child.removeAllListeners()
      child.kill()
    }
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

await main()
