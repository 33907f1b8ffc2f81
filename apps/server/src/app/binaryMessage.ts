import type { Duplex } from 'node:stream'
import type { LiveFrameBytes } from '@saddle/contract/telemetry/live.ts'

const finalBinary = 0x82
/** Of the length: the next two bytes hold it, or the next eight. */
const inTwoBytes = 126
const inEightBytes = 127

/**
 * Writes a frame as one WebSocket message without compression to the stream of its socket. `ws` writes header and frame as
 * two pieces, which takes longer than the frame itself; messages that `ws` writes to the same stream keep their order.
 */
export function writeBinaryMessage(stream: Duplex, frame: LiveFrameBytes): void {
  const { length } = frame
  const headBytes = length < inTwoBytes ? 2 : length < 65_536 ? 4 : 10
  const message = Buffer.from(frame.buffer, frame.byteOffset - headBytes, headBytes + length)
  message[0] = finalBinary
  if (headBytes === 2) message[1] = length
  else if (headBytes === 4) {
    message[1] = inTwoBytes
    message.writeUInt16BE(length, 2)
  } else {
    message[1] = inEightBytes
    message.writeBigUInt64BE(BigInt(length), 2)
  }
  stream.write(message)
}
