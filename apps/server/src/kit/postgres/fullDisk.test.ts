import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { hourMs } from '@saddle/contract/time.ts'
import { silentLog } from '#kit/log.ts'
import { connectPacket, openMqtt } from '#telemetry/gateway/mqtt/mqtt.fixture.ts'
import { startEmbedded } from './embedded.ts'

const main = fileURLToPath(new URL('../../main.ts', import.meta.url))
const waitMs = 120_000
const folder = mkdtempSync(join(tmpdir(), 'saddle-full-'))
chmodSync(folder, 0o755)
// Mounting a small disk needs root; without root, PostgreSQL is made to report the error of a full disk.
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=360m,mode=755', 'saddle', folder]).status === 0
const ballast = join(folder, 'ballast')
let child: ChildProcess | null = null

afterAll(async () => {
  if (child !== null && child.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  rmSync(ballast, { force: true })
  await (await startEmbedded({ dataDir: folder, log: silentLog })).stop()
  if (isMounted) spawnSync('umount', ['-l', folder])
  rmSync(folder, { recursive: true, force: true })
})

async function start(): Promise<{ url: string; mqttPort: number }> {
  child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      DEMO: 'true',
      DATA_DIR: folder,
      DATABASE_URL: '',
      LOG_LEVEL: 'silent',
      PORT: '0',
      OMNI_PORT: '0',
      JT808_PORT: '0',
      MQTT_PORT: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [message] = (await once(child, 'message')) as [{ url: string; devicePorts: { mqtt: number } }]
  return { url: message.url.replace('localhost', '127.0.0.1'), mqttPort: message.devicePorts.mqtt }
}

/** The embedded one as its owner; a connection that PostgreSQL ends under it is no fault of the test. */
async function withOwner<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const base = join(folder, 'postgres')
  const password = readFileSync(join(base, 'cluster', 'password'), 'utf8').trim()
  const client = new Client({ host: join(base, 'run'), port: 5432, user: 'saddle', password, database: 'saddle' })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

const refuseRows = `
  create function public.no_space() returns trigger language plpgsql as $$
  begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
  create trigger no_space before insert or update on vehicle_status for each statement execute function public.no_space();
  create trigger no_space before insert or update on rider for each statement execute function public.no_space()`
const takeRows = 'drop function public.no_space() cascade'

async function fill(): Promise<void> {
  if (!isMounted) return void (await withOwner((client) => client.query(refuseRows)))
  const file = openSync(ballast, 'w')
  for (const size of [1_048_576, 4_096]) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
  // Uses up the preallocated write-ahead log segments, so that the next commit needs disk space.
  await withOwner(async (client) => {
    for (let turn = 0; turn < 40; turn += 1)
      await client.query(`select pg_logical_emit_message(false, 'ballast', 'x'), pg_switch_wal()`)
  }).catch(() => {})
}

async function empty(): Promise<void> {
  if (isMounted) rmSync(ballast)
  else await withOwner((client) => client.query(takeRows))
}

it('answers 503 while the disk is full, acknowledges nothing that it did not store, and goes on when there is room', async () => {
  const { url, mqttPort } = await start()
  const devices = JSON.parse(readFileSync(join(folder, 'demo-devices.json'), 'utf8')) as {
    imei: string
    protocol: string
    password: string
  }[]
  const { imei, password } = devices.find(({ protocol }) => protocol === 'mqtt')!
  const acknowledged: number[] = []
  const startedAt = Date.now() - hourMs
  /** Sends reports until `enough`, over as many lines as it takes; a line that breaks acknowledges no more. */
  const talk = async (enough: () => boolean): Promise<void> => {
    let next = acknowledged.length * 1_000
    while (!enough()) {
      const line = await openMqtt({ port: mqttPort })
      line.send(connectPacket({ imei, password }))
      await line.next().catch(() => null)
      while (!enough() && !line.socket.destroyed) {
        const n = (next += 1)
        const payload = Buffer.from(JSON.stringify({ at: startedAt + n, batteryPercent: n % 100 }))
        const messageId = (n % 60_000) + 1
        line.send({
          cmd: 'publish',
          topic: `saddle/v1/${imei}/up/report`,
          payload,
          qos: 1,
          messageId,
          dup: false,
          retain: false,
        })
        const answer = await Promise.race([line.next().catch(() => null), pause(1_000)])
        if (answer === null) break
        if (answer.cmd === 'puback' && answer.messageId === messageId) acknowledged.push(n)
      }
      line.end()
    }
  }
  const pause = (ms: number): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), ms))
  const { key } = JSON.parse(readFileSync(join(folder, 'demo-riders.json'), 'utf8')) as { key: string }
  let riders = 0
  /** A call that has to write a row. */
  const openRider = async (): Promise<number> => {
    riders += 1
    const response = await fetch(`${url}/rider/v1/open`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({
        phone: `139${String(riders).padStart(8, '0')}`,
        agentId: 3,
        device: { id: 'x', model: 'x', system: 'x', appVersion: '1' },
      }),
    }).catch(() => null)
    return response?.status ?? 0
  }

  await talk(() => acknowledged.length >= 20)
  expect(await openRider()).toBe(200)
  await fill()
  let isFull = true
  const talking = talk(() => !isFull)
  // Calls already running may still have found space; later ones must fail.
  await expect.poll(openRider, { timeout: waitMs, interval: 500 }).toBe(503)
  const before = acknowledged.length
  await pause(2_000)
  expect(acknowledged.length).toBe(before)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)

  await empty()
  isFull = false
  await talking
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status, { timeout: waitMs, interval: 500 }).toBe(200)
  const enough = acknowledged.length + 20
  await talk(() => acknowledged.length >= enough)
  const stored = await withOwner(async (client) => {
    const { rows } = await client.query<{ at: Date }>('select occurred_at as at from device_report')
    return new Set(rows.map(({ at }) => at.getTime() - startedAt))
  })
  expect(acknowledged.filter((n) => !stored.has(n))).toEqual([])
}, 400_000)
