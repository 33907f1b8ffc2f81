import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { generate, parser as createParser, type Packet } from 'mqtt-packet'
import { expect, it } from 'vitest'
import { createSeededRandom } from '#kit/random.ts'
import { createPacketReader, type Published } from './reader.ts'

/** MQTT_READER_SEED repeats a run. */
const seed = Number(process.env['MQTT_READER_SEED'] ?? 20_261_124)
const runs = 20_000
const random = createSeededRandom(seed)
const below = (limit: number): number => Math.floor(random.fraction() * limit)
const pick = <T>(values: readonly T[]): T => values[below(values.length)]!

type Heard = { readonly packets: unknown[]; isBroken: boolean }

/** What both readers say of a packet. */
function plain(packet: Packet): unknown {
  if (packet.cmd === 'publish') {
    const { topic, qos, messageId = 0, payload } = packet
    return { topic, qos, messageId, payload: String(payload) }
  }
  const { length: _, ...said } = packet
  return structuredClone(said)
}

function listening() {
  const heard: Heard = { packets: [], isBroken: false }
  return {
    heard,
    onPublished: ({ topic, qos, messageId, bytes, view, start, end }: Published): void => {
      const payload = bytes.toString('utf8', start, end)
      expect(Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('utf8', start, end)).toBe(payload)
      heard.packets.push({ topic, qos, messageId, payload })
    },
    onPacket: (packet: Packet): void => void heard.packets.push(plain(packet)),
    onError: (): void => {
      heard.isBroken = true
    },
  }
}

/** Where the first packet ends, or everything when it does not. */
function endOf(bytes: Buffer): number {
  let length = 0
  for (let n = 1; n <= 4 && n < bytes.length; n += 1) {
    length += (bytes[n]! & 127) * 128 ** (n - 1)
    if (bytes[n]! < 128) return Math.min(bytes.length, n + 1 + length)
  }
  return bytes.length
}

/** What `mqtt-packet` says when it is given one packet after the other, so that it cannot read beyond one. */
function byReference(bytes: Buffer): Heard {
  const { heard, onPacket, onError } = listening()
  const parser = createParser()
  parser.on('packet', (packet) => {
    // It takes a packet id that is not there for -1.
    if (packet.cmd === 'publish' && packet.messageId === -1) onError()
    else onPacket(packet)
  })
  parser.on('error', onError)
  for (let left = bytes; left.length > 0 && !heard.isBroken;) {
    const end = endOf(left)
    parser.parse(left.subarray(0, end))
    left = left.subarray(end)
  }
  return heard
}

function byReader(bytes: Buffer): Heard {
  const { heard, ...listener } = listening()
  const reader = createPacketReader(listener)
  for (let at = 0; at < bytes.length;) {
    const end = Math.min(bytes.length, at + 1 + below(pick([1, 8, 200])))
    reader.read(Buffer.from(bytes.subarray(at, end)))
    at = end
  }
  return heard
}

function aPacket(version: 4 | 5): Packet {
  const messageId = 1 + below(65_535)
  const qos = pick([0, 1, 2] as const)
  return pick<() => Packet>([
    () => ({ cmd: 'pingreq' }),
    () => ({ cmd: 'puback', messageId, reasonCode: 0 }),
    () => ({ cmd: 'subscribe', messageId, subscriptions: [{ topic: pick(['a/#', 'b']), qos: 1 }] }),
    ...Array.from({ length: 6 }, () => (): Packet => ({
      cmd: 'publish',
      topic: pick(['saddle/v1/861234500000001/up/report', 'saddle/v1/861234500000001/up/event', 'ü/車', 'x']),
      payload: Buffer.from(pick(['', '{}', '{"at":1}', 'é'.repeat(below(200))])),
      qos,
      ...(qos > 0 && { messageId }),
      dup: qos > 0 && pick([true, false]),
      retain: pick([true, false]),
      ...(version === 5 && pick([true, false]) && { properties: { messageExpiryInterval: 7, contentType: 'x' } }),
    })),
  ])()
}

function aStream(): Buffer {
  const version = pick([4, 5] as const)
  const connect: Packet = { cmd: 'connect', protocolId: 'MQTT', protocolVersion: version, clean: true, clientId: 'x' }
  const packets = [connect, ...Array.from({ length: 1 + below(5) }, () => aPacket(version))]
  return Buffer.concat(packets.map((packet) => generate(packet, { protocolVersion: version })))
}

function spoiled(bytes: Buffer): Buffer {
  const out = Buffer.from(bytes)
  for (let step = 1 + below(3); step > 0; step -= 1) out[below(out.length)] = pick([0, 1, 2, 127, 128, 255, below(256)])
  const at = below(out.length)
  return pick([out, out.subarray(0, at), Buffer.concat([out.subarray(0, at), out.subarray(at + 1 + below(9))])])
}

it(`reads what mqtt-packet reads, however it is cut (seed ${seed})`, () => {
  for (let run = 0; run < runs / 4; run += 1) {
    const bytes = aStream()
    const heard = byReader(bytes)
    expect(heard, bytes.toString('hex')).toEqual(byReference(bytes))
    expect(heard.isBroken).toBe(false)
  }
})

it(`refuses what mqtt-packet refuses (seed ${seed})`, () => {
  let broken = 0
  for (let run = 0; run < runs; run += 1) {
    const bytes = spoiled(aStream())
    const heard = byReader(bytes)
    expect(heard, bytes.toString('hex')).toEqual(byReference(bytes))
    if (heard.isBroken) broken += 1
  }
  expect(broken).toBeGreaterThan(runs / 20)
  expect(broken).toBeLessThan(runs)
})

it('never reads a field beyond its packet, and tells how much of a packet has arrived', () => {
  const { heard, ...listener } = listening()
  // QoS 1 with a topic and no packet id: the next packet's bytes are not the id.
  const short = Buffer.from('32030001', 'hex')
  createPacketReader(listener).read(Buffer.concat([short, Buffer.from('61c000c000', 'hex')]))
  expect(heard).toEqual({ packets: [], isBroken: true })
  const waiting = createPacketReader(listening())
  expect(waiting.read(Buffer.from('30', 'hex'))).toBe(0)
  expect(waiting.read(Buffer.from('ffff', 'hex'))).toBe(0)
  expect(waiting.read(Buffer.from('03', 'hex'))).toBe(0)
  expect(waiting.read(Buffer.alloc(1_000))).toBe(1_000)
  expect(waiting.read(Buffer.alloc(500))).toBe(1_500)
})

it('keeps nothing of the pools that small buffers of others come from', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const readers = Array.from({ length: 50 }, () => createPacketReader(listening()))
  const pools = readers.map((reader, n) => {
    const topic = `saddle/v1/${n}/up/report`
    reader.read(generate({ cmd: 'publish', topic, payload: '{}', qos: 0, dup: false, retain: false }))
    const pool = new WeakRef(Buffer.from('x').buffer)
    // Others use it up.
    for (let used = 0; used < Buffer.poolSize; used += 1_000) Buffer.from('x'.repeat(1_000))
    return pool
  })
  // What a reference has just shown stays until the end of the turn.
  await setImmediate()
  collect()
  expect(pools.filter((pool) => pool.deref() !== undefined).length).toBeLessThan(5)
  expect(readers.every((reader) => reader.read(Buffer.alloc(0)) === 0)).toBe(true)
})
