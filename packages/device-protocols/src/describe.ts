import type { FrameDescription } from './description.ts'
import { ProtocolError } from './error.ts'
import { describeJt808 } from './jt808/describe.ts'
import { describeMqtt } from './mqtt/describe.ts'
import { describeOmni } from './omni/describe.ts'

/** What explains a frame of each protocol. */
const describers: { [protocol: string]: (frame: string) => FrameDescription } = {
  omni: describeOmni,
  jt808: describeJt808,
  mqtt: describeMqtt,
}

/**
 * Explains a frame of a named protocol.
 *
 * @throws ProtocolError when the protocol is unknown or the frame malformed.
 */
export function describeFrame(protocol: string, frame: string): FrameDescription {
  const describe = Object.hasOwn(describers, protocol) ? describers[protocol] : undefined
  if (!describe) {
    throw new ProtocolError(`unknown protocol "${protocol}"; known: ${Object.keys(describers).join(', ')}`)
  }
  return describe(frame)
}
