/** The longest frame of the protocol is far below this; a longer run without an end is noise. */
export const omniMaxFrameLength = 1024

export type OmniSplitter = {
  /** Takes bytes as they come from the socket and returns the whole frames, `*` to `#`, that they completed. */
  push(chunk: Uint8Array): string[]
  /** Bytes thrown away so far because they belonged to no frame (FF FF prefixes and line ends are not counted). */
  readonly discardedBytes: number
  /** Bytes kept for the next push; never above the frame limit. */
  readonly pendingBytes: number
}

const isExpectedBetweenFrames = (code: number) => code === 0xff || code === 0x0a || code === 0x0d

/**
 * Splits the byte stream of one connection into Omni frames. The stream is read as Latin-1 because the FF FF
 * prefix is no valid UTF-8. A `*` always opens a new frame and a control character or an overlong run always
 * drops the current one, so the splitter is back in step after at most one frame whatever came before.
 */
export function createOmniSplitter({ maxFrameLength = omniMaxFrameLength } = {}): OmniSplitter {
  let pending = ''
  let discarded = 0

  const drop = (length: number) => {
    discarded += length
    pending = ''
  }

  return {
    push(chunk) {
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1')
      const frames: string[] = []
      let start = pending === '' ? -1 : 0
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at)
        const length = start < 0 ? 0 : pending.length + at - start
        if (code === 0x2a) {
          if (start >= 0) drop(length)
          start = at
        } else if (start < 0) {
          if (!isExpectedBetweenFrames(code)) discarded++
        } else if (code === 0x23) {
          frames.push(pending + text.slice(start, at + 1))
          pending = ''
          start = -1
        } else if (code < 0x20 || code > 0x7e || length + 1 >= maxFrameLength) {
          drop(length + 1)
          start = -1
        }
      }
      if (start >= 0) pending += text.slice(start)
      return frames
    },
    get discardedBytes() {
      return discarded
    },
    get pendingBytes() {
      return pending.length
    },
  }
}
