import { ProtocolError } from '../error.ts'

const flag = 0x7e
const escape = 0x7d

/** The longest content of a frame: the header of 2019 with its sub-packet fields, a body of 1023 bytes, the checksum. */
export const jt808MaxContentLength = 21 + 1023 + 1
/** The header of 2013 and the checksum. */
const minContentLength = 12 + 1
/** A run may be all escapes; beside it stands what may be the beginning of a frame without escapes. */
const maxRunLength = 2 * jt808MaxContentLength
export const jt808MaxPendingLength = maxRunLength + jt808MaxContentLength

export type Jt808Splitter = {
  /**
   * Takes bytes as they come from the socket and returns the contents (header and body, unescaped, without
   * checksum) of the whole frames that they completed. A content may be a view on the chunk: copy what is kept.
   */
  push(chunk: Uint8Array): Buffer[]
  /** Bytes thrown away so far because they belonged to no sound frame. */
  readonly discardedBytes: number
  /** Runs between two flags that were no frame: too short or long, a wrong escape or checksum. */
  readonly refusedFrames: number
  /** Bytes kept for the next push; never above `jt808MaxPendingLength`. */
  readonly pendingBytes: number
}

const asBuffer = (bytes: Uint8Array) =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Undoes the escapes of what stood between two flags; null when one is wrong. */
function unescape(run: Buffer): Buffer | null {
  const first = run.indexOf(escape)
  if (first < 0) return run
  const out = Buffer.allocUnsafe(run.length)
  run.copy(out, 0, 0, first)
  let length = first
  for (let at = first; at < run.length; at++) {
    let byte = run[at] ?? 0
    if (byte === escape) {
      const kind = run[++at]
      if (kind !== 1 && kind !== 2) return null
      byte = kind === 1 ? escape : flag
    }
    out[length++] = byte
  }
  return out.subarray(0, length)
}

function xorOf(bytes: Uint8Array, length: number): number {
  let sum = 0
  for (let at = 0; at < length; at++) sum ^= bytes[at] ?? 0
  return sum
}

/** The content of what stood between two flags, or the reason why it is none. */
function contentOf(run: Buffer): Buffer | string {
  if (run.length > maxRunLength) return 'the frame is too long'
  const content = unescape(run)
  if (content === null) return 'an escape is neither 7d01 nor 7d02'
  if (content.length < minContentLength) return 'the frame is too short'
  if (content.length > jt808MaxContentLength) return 'the frame is too long'
  const body = content.length - 1
  if (xorOf(content, body) !== content[body]) return 'the checksum is wrong'
  return content.subarray(0, body)
}

/** How long the content is by its own header, checksum included; null when it is too short to say. */
function declaredLength(content: Buffer): number | null {
  if (content.length < 4) return null
  const attributes = content.readUInt16BE(2)
  return (attributes & 0x4000 ? 17 : 12) + (attributes & 0x2000 ? 4 : 0) + (attributes & 1023) + 1
}

/**
 * The content of a frame whose sender did not escape, which is met in the field. Only the declared length tells
 * that a 7e or 7d is not a flag or an escape, so it must hold to the byte.
 */
function plainContentOf(run: Buffer): Buffer | null {
  const body = run.length - 1
  return declaredLength(run) === run.length && xorOf(run, body) === run[body] ? run.subarray(0, body) : null
}

/**
 * The content of one frame, from flag to flag, escaped or not.
 *
 * @throws ProtocolError when the frame is malformed.
 */
export function openJt808Frame(frame: Uint8Array): Buffer {
  const bytes = asBuffer(frame)
  if (bytes.length < 2 || bytes[0] !== flag) throw new ProtocolError('the frame does not start with 7e')
  if (bytes.at(-1) !== flag) throw new ProtocolError('the frame does not end with 7e')
  const run = bytes.subarray(1, -1)
  const content = run.includes(flag) ? 'there is a 7e inside the frame' : contentOf(run)
  if (typeof content !== 'string') return content
  const plain = plainContentOf(run)
  if (plain === null) throw new ProtocolError(content)
  return plain
}

/** Adds the checksum, the escapes and the flags around a content. */
export function closeJt808Frame(content: Uint8Array): Buffer {
  const out = Buffer.allocUnsafe(2 * (content.length + 1) + 2)
  let length = 0
  out[length++] = flag
  const put = (byte: number) => {
    if (byte === flag || byte === escape) {
      out[length++] = escape
      out[length++] = byte === flag ? 2 : 1
    } else out[length++] = byte
  }
  for (const byte of content) put(byte)
  put(xorOf(content, content.length))
  out[length++] = flag
  return out.subarray(0, length)
}

/**
 * Splits the byte stream of one connection into JT/T 808 frames. Every flag both ends a run and begins the next
 * one, so a lost or doubled flag costs at most one frame and whatever came before is forgotten at the next flag.
 * A run that makes no frame but declares a longer one may be cut by a 7e that its sender did not escape: it waits
 * for the next run, which is still tried on its own first.
 */
export function createJt808Splitter(): Jt808Splitter {
  let pending: Buffer | null = null
  let cut: Buffer | null = null
  /** True until a flag comes: before the first one, and after a run that grew too long. */
  let lost = true
  let discarded = 0
  let refused = 0

  const refuse = (run: Buffer | null) => {
    if (run === null) return
    discarded += run.length
    refused++
  }

  const finish = (run: Buffer, contents: Buffer[]) => {
    const content = run.length === 0 ? null : contentOf(run)
    if (content !== null && typeof content !== 'string') {
      refuse(cut)
      cut = null
      contents.push(content)
      return
    }
    const joined = cut === null ? run : Buffer.concat([cut, Buffer.of(flag), run])
    cut = null
    if (joined.length === 0) return
    const plain = plainContentOf(joined)
    if (plain !== null) contents.push(plain)
    else if ((declaredLength(joined) ?? 0) > joined.length) cut = Buffer.from(joined)
    else refuse(joined)
  }

  /** Keeps the beginning of a frame, copied, so that it does not hold on to the whole chunk. */
  const keep = (rest: Buffer) => {
    const length = (pending?.length ?? 0) + rest.length
    if (length > maxRunLength) {
      discarded += length
      refused++
      lost = true
      pending = null
      refuse(cut)
      cut = null
    } else if (rest.length > 0) pending = pending ? Buffer.concat([pending, rest]) : Buffer.from(rest)
  }

  return {
    push(chunk) {
      const bytes = asBuffer(chunk)
      const contents: Buffer[] = []
      let start = 0
      for (let end = bytes.indexOf(flag); end >= 0; end = bytes.indexOf(flag, start)) {
        const run = bytes.subarray(start, end)
        if (lost) discarded += run.length
        else finish(pending ? Buffer.concat([pending, run]) : run, contents)
        pending = null
        lost = false
        start = end + 1
      }
      if (start < bytes.length) {
        const rest = bytes.subarray(start)
        if (lost) discarded += rest.length
        else keep(rest)
      }
      return contents
    },
    get discardedBytes() {
      return discarded
    },
    get refusedFrames() {
      return refused
    },
    get pendingBytes() {
      return (pending?.length ?? 0) + (cut?.length ?? 0)
    },
  }
}
