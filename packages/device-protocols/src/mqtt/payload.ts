import { ProtocolError } from '../error.ts'
import { mqttLimits } from './messages.ts'

/** The bytes of a payload; absent values are left out. */
export function encodePayload(value: object): Buffer {
  const payload = Buffer.from(JSON.stringify(value))
  if (payload.length > mqttLimits.payload) throw new ProtocolError('the payload is too long')
  return payload
}
