import { parser as createParser, type IPublishPacket, type Packet } from 'mqtt-packet'

export type PacketReader = {
  /** Takes what has arrived. Returns how many bytes of an unfinished packet there are behind its length. */
  read(chunk: Buffer): number
}

/** A PUBLISH, whose payload lies in what has arrived. There is one object for all of them: it says this until the next one is read. */
export type Published = {
  topic: string
  qos: 0 | 1 | 2
  /** 0 without one. */
  messageId: number
  /** `view` is over the same bytes. */
  bytes: Buffer
  view: DataView
  /** Where the payload starts and ends. */
  start: number
  end: number
}

type Listener = {
  readonly onPublished: (published: Published) => void
  /** Every other packet. */
  readonly onPacket: (packet: Exclude<Packet, IPublishPacket>) => void
  /** Nothing is read after it. */
  readonly onError: (error: Error) => void
}

export const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
const noBytes = Buffer.alloc(0)
const published: Published = {
  topic: '',
  qos: 0,
  messageId: 0,
  bytes: noBytes,
  view: viewOf(noBytes),
  start: 0,
  end: 0,
}

/** What has arrived, and where a packet lies in it: its first byte, that behind its length, and its end. */
type Arrived = Pick<Published, 'bytes' | 'view'>
type PacketPlace = { readonly head: number; readonly start: number; readonly end: number }

const publish = 3
/** By the type of a packet: what the lower half of its first byte has to be; that of a PUBLISH says more. */
const flagsOf: readonly (number | null)[] = [null, 0, 0, null, 0, 0, 2, 0, 2, 0, 2, 0, 0, 0, 0, 0]
const longestLength = 4

/**
 * Cuts what a device sends into packets. It reads a PUBLISH itself, where the time goes; all other packets, and a PUBLISH
 * with properties, go to `mqtt-packet` one by one. Like this no field is ever read beyond its packet.
 */
export function createPacketReader({ onPublished, onPacket, onError }: Listener): PacketReader {
  const parser = createParser()
  let rest: Buffer = noBytes
  let version = 0
  const state = { isBroken: false }
  let lastTopic = ''
  let topicView = viewOf(noBytes)

  const fail = (error: Error): number => {
    state.isBroken = true
    rest = noBytes
    onError(error)
    return 0
  }
  parser.on('packet', (packet) => {
    if (packet.cmd === 'connect') version = packet.protocolVersion ?? 0
    if (packet.cmd !== 'publish') return onPacket(packet)
    const { topic, qos, messageId = 0 } = packet
    const bytes = packet.payload as Buffer
    return onPublished({ topic, qos, messageId, bytes, view: viewOf(bytes), start: 0, end: bytes.length })
  })
  parser.on('error', (error) => void fail(error))

  /** A device says nearly everything on one topic. */
  const topicAt = (view: DataView, start: number, length: number): string => {
    let isSame = topicView.byteLength === length
    let at = 0
    for (; isSame && at + 4 <= length; at += 4) isSame = view.getInt32(start + at) === topicView.getInt32(at)
    for (; isSame && at < length; at += 1) isSame = view.getUint8(start + at) === topicView.getUint8(at)
    if (isSame) return lastTopic
    // Bytes of its own: a part of Node's pool would keep 64 kB of it for as long as the connection lasts.
    const bytes = Buffer.from(view.buffer.slice(view.byteOffset + start, view.byteOffset + start + length))
    topicView = viewOf(bytes)
    lastTopic = bytes.toString()
    return lastTopic
  }

  const readPublish = ({ bytes, view }: Arrived, { head, start, end }: PacketPlace): void => {
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
    published.topic = topicAt(view, topicStart, topicEnd - topicStart)
    published.qos = qos
    published.messageId = qos === 0 ? 0 : bytes.readUInt16BE(topicEnd)
    published.bytes = bytes
    published.view = view
    published.start = at
    published.end = end
    return onPublished(published)
  }

  return {
    read(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      rest = noBytes
      const arrived = { bytes, view: viewOf(bytes) }
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
        if (first >>> 4 === publish) readPublish(arrived, { head, start, end })
        else parser.parse(bytes.subarray(head, end))
        head = end
      }
      return 0
    },
  }
}
