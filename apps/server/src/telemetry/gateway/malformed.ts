import type { Connection } from './connection.ts'
import { gatewayLimits } from './limits.ts'

/** What is wrong with a frame, as it is counted. */
export type FrameFault = 'frame' | 'payload' | 'topic' | 'not_authorized' | 'too_large'

/** Counts and logs a frame that breaks its protocol. Returns true while the connection may continue. */
export function noteMalformed(connection: Connection, fault: FrameFault, reason: string): boolean {
  const { protocol, deps } = connection
  deps.metrics.malformed.inc({ protocol, fault })
  deps.tallies[protocol].rejected += 1
  connection.malformed += 1
  logFault(connection, fault, reason)
  return connection.malformed <= gatewayLimits.maxMalformedFrames
}

/** Device makers read these lines. They are limited per device and in total, so that no device can fill the log. */
function logFault(connection: Connection, fault: FrameFault, reason: string): void {
  const { protocol, address, device, deps } = connection
  const nowMs = deps.kit.clock.now()
  const isDue = device !== null && nowMs >= connection.nextFaultLogAt && deps.faultLines.take()
  if (isDue) connection.nextFaultLogAt = nowMs + gatewayLimits.faultLogEveryMs
  const { malformed } = connection
  const fields = { imei: device?.imei, protocol, address, fault, reason, malformed }
  deps.kit.log[isDue ? 'warn' : 'debug'](fields, 'a device sent a malformed frame')
}
