import { ProtocolError } from '../error.ts'
import type { Jt808Packet } from './packets.ts'

export type Jt808ReassemblyLimits = {
  /** Parts of one message. */
  maxParts: number
  /** Unfinished messages of one terminal; a terminal that begins more loses its oldest. */
  maxMessagesPerTerminal: number
  /** Unfinished messages of all terminals. */
  maxMessages: number
  /** Bytes of all unfinished messages. */
  maxBytes: number
  /** A message that is not whole this long after its first part is given up. */
  maxAgeMs: number
}

export const jt808ReassemblyLimits: Jt808ReassemblyLimits = {
  maxParts: 256,
  maxMessagesPerTerminal: 4,
  maxMessages: 1024,
  maxBytes: 16 * 1024 * 1024,
  maxAgeMs: 60_000,
}

export type Jt808Reassembler = {
  /**
   * Returns a whole packet: the one given when it had no parts, the joined one (with the serial number of its first
   * part) when this was the last part missing; else null. Parts may come in any order and more than once.
   *
   * @throws ProtocolError when the message has more parts than the limit.
   */
  add(packet: Jt808Packet, nowMs: number): Jt808Packet | null
  /** Forgets what is too old; `add` does it too. */
  expire(nowMs: number): void
  /** Messages given up so far, by age or by limit. */
  readonly abandonedMessages: number
  readonly pendingMessages: number
  readonly pendingBytes: number
}

type Assembly = {
  key: string
  deviceId: string
  startedAt: number
  parts: Map<number, Buffer>
  bytes: number
}

/**
 * Joins messages that come in parts. The serial numbers of the parts follow each other, so that of the first part
 * tells two messages of one kind apart.
 */
export function createJt808Reassembler(limits: Partial<Jt808ReassemblyLimits> = {}): Jt808Reassembler {
  const { maxParts, maxMessagesPerTerminal, maxMessages, maxBytes, maxAgeMs } = { ...jt808ReassemblyLimits, ...limits }
  // Both maps keep the order of insertion, which is that of age.
  const pending = new Map<string, Assembly>()
  const terminals = new Map<string, Map<string, Assembly>>()
  let bytes = 0
  let abandoned = 0

  const remove = (assembly: Assembly) => {
    pending.delete(assembly.key)
    bytes -= assembly.bytes
    const own = terminals.get(assembly.deviceId)
    own?.delete(assembly.key)
    if (own?.size === 0) terminals.delete(assembly.deviceId)
  }

  const abandonOldest = (assemblies: Map<string, Assembly>) => {
    for (const oldest of assemblies.values()) {
      remove(oldest)
      abandoned++
      return
    }
  }

  const makeRoom = () => {
    let excess = bytes - maxBytes
    for (const oldest of pending.values()) {
      if (excess <= 0) return
      excess -= oldest.bytes
      remove(oldest)
      abandoned++
    }
  }

  const expire = (nowMs: number) => {
    for (const assembly of pending.values()) {
      if (nowMs - assembly.startedAt < maxAgeMs) return
      remove(assembly)
      abandoned++
    }
  }

  const begin = (key: string, deviceId: string, nowMs: number): Assembly => {
    const own = terminals.get(deviceId) ?? new Map<string, Assembly>()
    if (own.size >= maxMessagesPerTerminal) abandonOldest(own)
    if (pending.size >= maxMessages) abandonOldest(pending)
    const assembly: Assembly = { key, deviceId, startedAt: nowMs, parts: new Map(), bytes: 0 }
    pending.set(key, assembly)
    own.set(key, assembly)
    // Losing its oldest message may have taken the terminal out of the map.
    terminals.set(deviceId, own)
    return assembly
  }

  return {
    add(packet, nowMs) {
      if (pending.size > 0) expire(nowMs)
      const { part, deviceId, messageId } = packet
      if (!part) return packet
      if (part.total > maxParts) throw new ProtocolError('the message has too many parts')
      const firstSerial = (packet.serial - part.index + 1) & 0xffff
      const key = `${deviceId}/${messageId}/${part.total}/${firstSerial}`
      const assembly = pending.get(key) ?? begin(key, deviceId, nowMs)
      if (!assembly.parts.has(part.index)) {
        // A view would keep the socket's whole chunk alive.
        assembly.parts.set(part.index, Buffer.from(packet.body))
        assembly.bytes += packet.body.length
        bytes += packet.body.length
      }
      if (assembly.parts.size < part.total) {
        makeRoom()
        return null
      }
      remove(assembly)
      const bodies = Array.from({ length: part.total }, (_, index) => assembly.parts.get(index + 1) ?? Buffer.alloc(0))
      const { part: _, ...head } = packet
      return { ...head, serial: firstSerial, body: Buffer.concat(bodies) }
    },
    expire,
    get abandonedMessages() {
      return abandoned
    },
    get pendingMessages() {
      return pending.size
    },
    get pendingBytes() {
      return bytes
    },
  }
}
