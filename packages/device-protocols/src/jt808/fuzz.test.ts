import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../error.ts'
import { mulberry32 } from '../random.fixture.ts'
import {
  createJt808Reassembler,
  createJt808Splitter,
  decodeJt808,
  decodeJt808Command,
  encodeJt808ToDevice,
  encodeJt808ToPlatform,
  openJt808Frame,
  readJt808Packet,
  toReports,
  type Jt808Packet,
} from './codec.ts'
import { closeJt808Frame, jt808MaxPendingLength } from './frames.ts'
import { jt808Vectors } from './vectors.fixture.ts'
import { thorough } from '../../../../scripts/lib/thorough.mjs'

/** JT808_FUZZ_SEED repeats one. */
const runs = thorough({ normal: 100_000, long: 1_000_000, full: 3_000_000 })
const seed = Number(process.env['JT808_FUZZ_SEED'] ?? 20_130_808)

const head = { headerVersion: 2019, deviceId: '13912345678'.padStart(20, '0'), serial: 7 } as const
const parameters = [
  { id: 0x29, number: 10 },
  { id: 0x13, text: 'gateway.example' },
  { id: 0xf001, hex: '7e7d' },
]
const commands = [
  ...encodeJt808ToDevice({ ...head, message: 'setParameters', parameters }),
  ...encodeJt808ToDevice({ ...head, message: 'registerAnswer', answeredSerial: 1, result: 0, code: 'secret' }),
  ...encodeJt808ToDevice(
    { ...head, message: 'text', flags: 1, kind: 1, text: '请还车'.repeat(30) },
    { maxPartLength: 80 },
  ),
  ...encodeJt808ToPlatform({ ...head, message: 'parameters', answeredSerial: 3, parameters }),
]
const seeds = [
  ...jt808Vectors.map(({ frame }) => openJt808Frame(Buffer.from(frame, 'hex'))),
  ...commands.map(openJt808Frame),
]
const spice = Buffer.from('7e7d017d02000000ffff200040ff7e', 'hex')

/** Mutates the content; every other time the frame is closed with a right checksum, so that the depth is reached. */
function mutate(random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit)
  const sealed = random() < 0.5
  const content = seeds[below(seeds.length)]!
  let bytes = sealed ? Buffer.from(content) : closeJt808Frame(content)
  for (let step = below(4); step > 0; step--) {
    const at = below(bytes.length + 1)
    const kind = below(5)
    if (kind <= 1) bytes[Math.min(at, bytes.length - 1)] = below(256)
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + below(8))])
    else if (kind === 3) {
      bytes = Buffer.concat([bytes.subarray(0, at), spice.subarray(below(spice.length)), bytes.subarray(at)])
    } else bytes = Buffer.concat([bytes, seeds[below(seeds.length)]!.subarray(0, below(400))])
    if (bytes.length < 4) bytes = Buffer.alloc(13)
  }
  if (!sealed) return bytes
  // A length that fits lets a mutated body through the header.
  const attributes = bytes.readUInt16BE(2)
  const headerLength = (attributes & 0x4000 ? 17 : 12) + (attributes & 0x2000 ? 4 : 0)
  const length = Math.max(0, bytes.length - headerLength) & 1023
  if (random() < 0.8) bytes.writeUInt16BE((attributes & 0xe000) | length, 2)
  return closeJt808Frame(bytes)
}

const refused = (error: unknown): false => {
  if (!(error instanceof ProtocolError)) throw error
  return false
}

/** Reads a packet as both sides would; anything but a message or a ProtocolError fails the test. */
function survives(packet: Jt808Packet): boolean {
  try {
    decodeJt808Command(packet)
  } catch (error) {
    refused(error)
  }
  try {
    const message = decodeJt808(packet)
    toReports(message)
    return true
  } catch (error) {
    return refused(error)
  }
}

/** What was understood can be said again and is understood the same. */
function staysTheSame(packet: Jt808Packet): void {
  const message = decodeJt808(packet)
  const [frame, ...more] = encodeJt808ToPlatform(message)
  if (more.length > 0 || message.message === 'unknown') return
  const again = decodeJt808(readJt808Packet(openJt808Frame(frame!)))
  if (again.message !== message.message) throw new Error(`${packet.messageId} changed its meaning`)
}

describe('mutated frames', () => {
  it(`survives ${runs} of them, seed ${seed}`, { timeout: 60_000 + runs / 5 }, () => {
    const random = mulberry32(seed)
    const splitter = createJt808Splitter()
    const limits = { maxMessages: 50, maxBytes: 50_000 }
    const reassembler = createJt808Reassembler(limits)
    let understood = 0
    let joined = 0
    for (let run = 0; run < runs; run++) {
      for (const content of splitter.push(mutate(random))) {
        try {
          const packet = readJt808Packet(content)
          const whole = reassembler.add(packet, run)
          if (whole === null) continue
          if (packet.part) joined++
          if (!survives(whole)) continue
          understood++
          if (run % 16 === 0) staysTheSame(whole)
        } catch (error) {
          refused(error)
        }
      }
      if (splitter.pendingBytes > jt808MaxPendingLength) throw new Error(`the splitter grew at run ${run}`)
      if (reassembler.pendingBytes > limits.maxBytes) throw new Error(`the reassembler grew at run ${run}`)
    }
    // Both kinds must have been met, or the mutations are too tame or too wild to prove anything.
    expect(understood).toBeGreaterThan(runs / 5)
    expect(understood).toBeLessThan(runs * 0.9)
    expect(splitter.refusedFrames).toBeGreaterThan(runs / 10)
    expect(joined).toBeGreaterThan(0)
  })
})
