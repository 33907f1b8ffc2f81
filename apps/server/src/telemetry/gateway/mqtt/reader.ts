import { parser as createParser, type Packet } from 'mqtt-packet'

export type PacketReader = {
  /** Takes what has arrived. Returns how many bytes of an unfinished packet there are behind its length. */
  read(chunk: Buffer): number
}

type Listener = {
  readonly onPacket: (packet: Packet) => void
  /** Nothing is read after it. */
  readonly onError: (error: Error) => void
}

const publish = 3
/** By the type of a packet: what the lower half of its first byte has to be; that of a PUBLISH says more. */
const flagsOf: readonly (number | null)[] = [null, 0, 0, null, 0, 0, 2, 0, 2, 0, 2, 0, 0, 0, 0, 0]
const noBytes = Buffer.alloc(0)
const longestLength = 4

/**
 * Cuts what a device sends into packets. It reads a PUBLISH itself, where the time goes; all other packets, and a PUBLISH
 * with properties, go to `mqtt-packet` one by one. Like this no field is ever read beyond its packet.
 */
export function createPacketReader({ onPacket, onError }: Listener): PacketReader {
  const parser = createParser()
  let rest: Buffer = noBytes
  let version = 0
  const state = { isBroken: false }
  let lastTopic = ''
  let topicBytes: Buffer = noBytes

  const fail = (error: Error): number => {
    state.isBroken = true
    rest = noBytes
    onError(error)
    return 0
  }
  parser.on('packet', (packet) => {
    if (packet.cmd === 'connect') version = packet.protocolVersion ?? 0
    onPacket(packet)
  })
  parser.on('error', (error) => void fail(error))

  /** A device says nearly everything on one topic. */
  const topicAt = (bytes: Buffer, start: number, end: number): string => {
    let isSame = topicBytes.length === end - start
    for (let at = start; isSame && at < end; at += 1) isSame = bytes[at] === topicBytes[at - start]
    if (isSame) return lastTopic
    topicBytes = Buffer.from(bytes.subarray(start, end))
    lastTopic = topicBytes.toString()
    return lastTopic
  }

  const readPublish = (bytes: Buffer, { head, start, end }: { head: number; start: number; end: number }): void => {
    const first = bytes[head] ?? 0
    const qos = ((first >>> 1) & 3) as 0 | 1 | 2
    const topicStart = start + 2
    const topicEnd = topicStart + (end < topicStart ? 0 : bytes.readUInt16BE(start))
    if (topicEnd > end) return void fail(new Error('Cannot parse topic'))
    let at = topicEnd + (qos === 0 ? 0 : 2)
    if (at > end) return void fail(new Error('Cannot parse messageId'))
    if (version === 5) {
      if (bytes[at] !== 0 || at >= end) return void parser.parse(bytes.subarray(head, end))
      at += 1
    }
    const topic = topicAt(bytes, topicStart, topicEnd)
    const payload = bytes.subarray(at, end)
    const dup = (first & 8) !== 0
    const retain = (first & 1) !== 0
    if (qos === 0) return onPacket({ cmd: 'publish', topic, payload, qos, dup, retain })
    const messageId = bytes.readUInt16BE(topicEnd)
    return onPacket({ cmd: 'publish', topic, payload, qos, dup, retain, messageId })
  }

  return {
    read(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      rest = noBytes
      let head = 0
      while (!state.isBroken && head < bytes.length) {
        const first = bytes[head] ?? 0
        const flags = flagsOf[first >>> 4]
        if (typeof flags === 'number' && (first & 15) !== flags) return fail(new Error('Invalid header flag bits'))
        if ((first & 6) === 6) return fail(new Error('Packet must not have both QoS bits set to 1'))
        let start = head + 1
        let length = 0
        let isWhole = false
        for (let shift = 0; !isWhole && start < bytes.length; shift += 7) {
          if (start - head > longestLength) return fail(new Error('Invalid variable byte integer'))
          const byte = bytes[start] ?? 0
          length |= (byte & 127) << shift
          isWhole = byte < 128
          start += 1
        }
        if (!isWhole && start - head > longestLength) return fail(new Error('Invalid variable byte integer'))
        const end = start + length
        if (!isWhole || end > bytes.length) {
          rest = bytes.subarray(head)
          return bytes.length - start
        }
        if (first >>> 4 === publish) readPublish(bytes, { head, start, end })
        else parser.parse(bytes.subarray(head, end))
        head = end
      }
      return 0
    },
  }
}
