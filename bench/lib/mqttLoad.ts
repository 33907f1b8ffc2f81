/**
 * Many MQTT devices in one process, as cheap as possible, so that the benchmark measures the server: packets
 * are patched templates, acknowledgements are counted by their bytes. Asked over IPC with `{ type: 'run', … }`.
 */
import { connect, type Socket } from 'node:net'
import { generate } from 'mqtt-packet'

export interface MqttLoadOrder {
  readonly type: 'run'
  readonly port: number
  readonly devices: readonly { imei: string; password: string }[]
  readonly seconds: number
  /** Messages of one device without an answer. */
  readonly window: number
  /** The device's time of the first report; each further one is a millisecond later. */
  readonly firstAt: number
  /** So many of a hundred messages are sent twice. */
  readonly repeatedPercent: number
  /** With 0 nothing is answered: messages go out as fast as the socket takes them, whatever the window. */
  readonly qos: 0 | 1
  /** Reports of all devices together; without it each sends as soon as its window allows. */
  readonly perSecond?: number
}

export interface MqttLoadResult {
  readonly type: 'result'
  readonly acknowledged: number
  /** Those of the warm-up and of the end too. */
  readonly allAcknowledged: number
  readonly seconds: number
  /** Processor time of this process in these seconds. */
  readonly cpuMs: number
  /** How often a socket would take no more for a while. */
  readonly stops: number
  /** From writing a message to its acknowledgement. */
  readonly p50Ms: number
  readonly p99Ms: number
}

const paceMs = 20
const connackBytes = 4
const pubackBytes = 4

function template(imei: string, qos: 0 | 1): { packet: Buffer; idAt: number; timeAt: number } {
  const place = { lat: 31.274151, lng: 120.715123, speedKmh: 17.5, headingDeg: 92, satellites: 11 }
  const facts = { batteryPercent: 64, voltageV: 48.2, locked: false, charging: false, signal: 24, odometerM: 1_234_560 }
  const payload = JSON.stringify({ at: 1_000_000_000_000, seq: 4711, ...place, ...facts })
  const topic = `saddle/v1/${imei}/up/report`
  const packet = generate({ cmd: 'publish', topic, payload, qos, messageId: 1, dup: false, retain: false })
  return { packet, idAt: packet.indexOf(topic) + topic.length, timeAt: packet.indexOf('1000000000000') }
}

type DeviceOptions = {
  order: MqttLoadOrder
  index: number
  latencies: number[]
  count: () => void
  stopped: () => void
}

function startDevice({ order, index, latencies, count, stopped }: DeviceOptions) {
  const device = order.devices[index]!
  const { packet, idAt, timeAt } = template(device.imei, order.qos)
  const socket: Socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true })
  const sentAt = new Float64Array(65_536)
  let received = -connackBytes
  let acknowledged = 0
  let sent = 0
  let isOver = false
  let at = order.firstAt
  let ready = (): void => {}
  const connected = new Promise<void>((resolve, reject) => {
    ready = resolve
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`device ${index} was closed`)))
  })
  /** Nothing is answered: what the socket took counts, and whoever is stopped waits until it takes more. */
  const flood = (): void => {
    if (isOver) return
    const before = sent
    const isTaken = writeMany(order.window)
    for (let n = before; n < sent; n += 1) count()
    if (isTaken) setImmediate(flood)
    else {
      stopped()
      socket.once('drain', flood)
    }
  }
  const more = (): void => {
    const room = order.window - (sent - acknowledged)
    if (room > 0 && !isOver) writeMany(room)
  }
  /** As many as are due by now and the window allows; what it does not allow is not made up for. */
  const keepPace = (perSecond: number): void => {
    const startedAt = performance.now()
    let due = 0
    const timer = setInterval(() => {
      if (isOver) return clearInterval(timer)
      const now = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond)
      const room = Math.min(now - due, order.window - (sent - acknowledged))
      due = now
      if (room > 0) writeMany(room)
    }, paceMs)
  }
  const writeMany = (room: number): boolean => {
    const bytes = Buffer.allocUnsafe(room * packet.length)
    const now = performance.now()
    for (let n = 0; n < room; n += 1) {
      const start = n * packet.length
      packet.copy(bytes, start)
      const id = (sent % 65_535) + 1
      if (order.qos === 1) bytes.writeUInt16BE(id, start + idAt)
      if ((sent * 37 + index) % 100 >= order.repeatedPercent) at += 1
      bytes.write(String(at), start + timeAt, 'latin1')
      sentAt[id] = now
      sent += 1
    }
    return socket.write(bytes)
  }
  socket.on('data', (chunk) => {
    const before = received
    received += chunk.length
    if (before < 0 && received >= 0) ready()
    const total = Math.floor(Math.max(0, received) / pubackBytes)
    const fresh = total - acknowledged
    acknowledged = total
    if (fresh > 0) {
      latencies.push(performance.now() - sentAt[((total - 1) % 65_535) + 1]!)
      for (let n = 0; n < fresh; n += 1) count()
      if (order.perSecond === undefined) more()
    }
  })
  const { imei, password } = device
  socket.write(
    generate({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: imei,
      keepalive: 60,
      username: imei,
      password: Buffer.from(password),
    }),
  )
  return {
    connected,
    start: (): void => {
      if (order.perSecond !== undefined) keepPace(order.perSecond / order.devices.length)
      else if (order.qos === 1) more()
      else flood()
    },
    stop() {
      isOver = true
    },
    end: () => socket.destroy(),
  }
}

async function run(order: MqttLoadOrder): Promise<MqttLoadResult> {
  let acknowledged = 0
  const latencies: number[] = []
  let stops = 0
  const count = (): void => void (acknowledged += 1)
  const stopped = (): void => void (stops += 1)
  const devices = order.devices.map((_, index) => startDevice({ order, index, latencies, count, stopped }))
  await Promise.all(devices.map(({ connected }) => connected))
  for (const device of devices) device.start()
  // The first second warms up.
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const before = acknowledged
  latencies.length = 0
  const startedAt = performance.now()
  const cpuBefore = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, order.seconds * 1_000))
  const seconds = (performance.now() - startedAt) / 1_000
  const total = acknowledged - before
  const { user, system } = process.cpuUsage(cpuBefore)
  for (const device of devices) device.stop()
  const sorted = latencies.toSorted((a, b) => a - b)
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (const device of devices) {
    device.connected.catch(() => {})
    device.end()
  }
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  return {
    type: 'result',
    acknowledged: total,
    allAcknowledged: acknowledged,
    seconds,
    cpuMs: (user + system) / 1_000,
    stops,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  }
}

process.on('message', (order: MqttLoadOrder) => {
  run(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
