import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'

/** A message with the name of its topic. */
export type Named = readonly [topic: string, message: unknown]

/** Messages of one process, in the order in which it published them. */
export interface Batch {
  readonly node: string
  /** Rises by one with each batch that has messages; one without (a sign of life) repeats the last number. */
  readonly sequence: number
  readonly messages: readonly Named[]
}

/** PostgreSQL takes 7,999 bytes in a notification, NATS a megabyte: the smaller one counts for both. */
const maxFrameBytes = 7_900
/** Bound of what one batch may unpack to: a wrong frame must not fill the memory. */
const maxBatchBytes = 64 * 1_024 * 1_024
const maxParts = 2_000
const batchSchema = z.array(z.tuple([z.string(), z.unknown()]))

/** Splits a batch into frames of at most 7,900 ASCII characters: `node sequence part parts data`. */
export function framesOf({ node, sequence, messages }: Batch): string[] {
  if (messages.length === 0) return [`${node} ${sequence} 0 0 `]
  const data = deflateRawSync(JSON.stringify(messages), { level: 1 }).toString('base64')
  const room = maxFrameBytes - node.length - 40
  const parts = Math.ceil(data.length / room)
  return Array.from(
    { length: parts },
    (_, part) => `${node} ${sequence} ${part} ${parts} ${data.slice(part * room, (part + 1) * room)}`,
  )
}

/** A frame that could not be understood. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

interface Open {
  readonly sequence: number
  readonly parts: string[]
}

/** Puts frames together again. Frames of one process arrive in order; a batch that lacks a part is dropped. */
export function createAssembler() {
  const open = new Map<string, Open>()
  return {
    /** The batch that this frame completes; null while parts are missing. Throws FrameError. */
    take(frame: string): Batch | null {
      const match = /^([\w-]{1,64}) (\d{1,15}) (\d{1,6}) (\d{1,6}) ([A-Za-z0-9+/=]*)$/.exec(frame)
      if (match === null) throw new FrameError('not a frame of the bus')
      const [, node = '', sequenceText, partText, partsText, data = ''] = match
      const [sequence, part, parts] = [Number(sequenceText), Number(partText), Number(partsText)]
      if (parts === 0) return { node, sequence, messages: [] }
      if (parts > maxParts) throw new FrameError('a batch of too many frames')
      if (part === 0) open.set(node, { sequence, parts: [] })
      const batch = open.get(node)
      if (batch?.sequence !== sequence || batch.parts.length !== part) {
        open.delete(node)
        return null
      }
      batch.parts.push(data)
      if (batch.parts.length < parts) return null
      open.delete(node)
      return { node, sequence, messages: unpack(batch.parts.join('')) }
    },
    forget: (node: string): void => void open.delete(node),
  }
}

function unpack(data: string): Named[] {
  try {
    const bytes = inflateRawSync(Buffer.from(data, 'base64'), { maxOutputLength: maxBatchBytes })
    return batchSchema.parse(JSON.parse(bytes.toString('utf8')))
  } catch (error) {
    throw new FrameError('a batch of the bus cannot be read', { cause: error })
  }
}
