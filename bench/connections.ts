/**
 * Memory of connected vehicles: the real gateway with MQTT vehicles that have signed in and reported once, at several counts:
 * `node bench/connections.ts [--quick] [--connections=19000]`. Nothing is stored: everything but PostgreSQL. What a connection takes
 * is the slope between the first count and the last, after the garbage was collected; the kernel's buffers are told by
 * /proc/net/sockstat, for both ends. One process can hold as many as its limit of open files allows.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { generate } from 'mqtt-packet'
import { addOneArea, withOwnDatabase } from './lib/ownDatabase.ts'
import { isQuick, say, state, whole } from './lib/report.ts'

const given = process.argv.find((one) => one.startsWith('--connections='))?.split('=')[1]
const most = Number(given ?? (isQuick ? 2_000 : 18_000))
const looks = 3
/** Signed in together: far below what may be waiting to sign in. */
const wave = 250
const settleMs = 2_000
const startMs = 120_000

type Device = { readonly imei: string; readonly password: string }
type Figures = { readonly rssMb: number; readonly heapMb: number }
type Look = Figures & { readonly connections: number; readonly kernelMb: number }

function asked<T>(child: ChildProcess, type: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no ${type} from the gateway`)), startMs)
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}`)))
    child.on('message', (message) => {
      if ((message as { type?: string }).type !== type) return
      clearTimeout(timer)
      resolve(message as T)
    })
  })
}

/** Signs in and reports once; resolves with the acknowledgement of the report. */
function signIn({ imei, password }: Device, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let received = 0
    const fail = (): void => reject(new Error('a vehicle was cut off'))
    socket.once('error', reject).once('close', fail)
    const signInPacket = {
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: imei,
      keepalive: 600,
    } as const
    socket.write(generate({ cmd: 'connect', ...signInPacket, username: imei, password: Buffer.from(password) }))
    const place = { lat: 31.274151, lng: 120.715123, speedKmh: 17.5, headingDeg: 92, satellites: 11 }
    const payload = JSON.stringify({ at: Date.now(), seq: 1, ...place, batteryPercent: 64, locked: true })
    const topic = `saddle/v1/${imei}/up/report`
    socket.write(generate({ cmd: 'publish', topic, payload, qos: 1, messageId: 1, dup: false, retain: false }))
    socket.on('data', (chunk) => {
      received += chunk.length
      // CONNACK and PUBACK, four bytes each.
      if (received < 8) return
      socket.off('error', reject).off('close', fail)
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}

/** Memory of the kernel for TCP, in megabytes: pages of 4 kB. */
function kernelMb(): number {
  const [, pages = '0'] = /^TCP: .* mem (\d+)/m.exec(readFileSync('/proc/net/sockstat', 'utf8')) ?? []
  return (Number(pages) * 4_096) / 1e6
}

await withOwnDatabase({ name: 'connections' }, async ({ url }) => {
  await addOneArea(url)
  const script = fileURLToPath(new URL('lib/gatewayServer.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--disable-warning=ExperimentalWarning', script, String(most), 'alone'],
    { env: { ...process.env, DATABASE_URL: url }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const { port, devices } = await asked<{ port: number; devices: readonly Device[] }>(child, 'listening')
  const sockets: Socket[] = []
  const found: Look[] = []
  const kernelBefore = kernelMb()
  for (let look = 1; look <= looks; look += 1) {
    const wanted = Math.floor((most * look) / looks)
    while (sockets.length < wanted) {
      const next = devices.slice(sockets.length, Math.min(sockets.length + wave, wanted))
      sockets.push(...(await Promise.all(next.map((device) => signIn(device, port)))))
    }
    await sleep(settleMs)
    child.send({ type: 'figures' })
    const figures = await asked<Figures>(child, 'figures')
    found.push({ ...figures, connections: sockets.length, kernelMb: kernelMb() - kernelBefore })
  }
  for (const { connections, rssMb, heapMb, kernelMb: kernel } of found)
    state(
      `${whole(connections)} vehicles`,
      `${whole(rssMb)} MB resident, heap ${whole(heapMb)} MB; kernel ${whole(kernel)} MB for both ends`,
    )
  const [first, last] = [found[0]!, found.at(-1)!]
  const slope = (of: (look: Look) => number): number =>
    ((of(last) - of(first)) * 1e6) / (last.connections - first.connections)
  state(
    'a connection',
    `${whole(slope(({ rssMb }) => rssMb))} bytes resident, ${whole(slope(({ heapMb }) => heapMb))} of them in the heap`,
  )
  const open = sockets.filter(({ destroyed }) => !destroyed).length
  say(`${whole(open)} of ${whole(sockets.length)} are still connected`)
  for (const socket of sockets) socket.destroy()
  child.removeAllListeners()
  child.kill()
})
