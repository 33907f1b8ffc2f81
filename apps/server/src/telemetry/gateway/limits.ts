import { minuteMs } from '@saddle/contract/time.ts'
import type { Clock } from '#kit/clock.ts'

/** Limits of one connection. A healthy device stays far below them, even when it sends what it stored offline. */
export const gatewayLimits = {
  /** Connections that have not signed in, of all networks together: a flood of the ports cannot take the vehicles' places. */
  maxUnsigned: 5_000,
  /** Time for the first frame that names the device. */
  signInWithinMs: 10_000,
  /** Bytes before sign-in; the message that names a device is far shorter. */
  maxUnsignedMqttBytes: 4 * 1024,
  /** Time for a device to answer a probe when another network claims its vehicle. */
  contestMs: 5_000,
  /** Devices send a heartbeat at least every few minutes. */
  idleMs: 10 * minuteMs,
  framesPerSecond: 20,
  framesBurst: 400,
  /** Packages of an upgrade to one device: far below what a device may answer, so that no upgrade counts as a flood. */
  packagesPerSecond: 10,
  packagesBurst: 200,
  /** A package that is not answered by then is sent again; so often, then the upgrade waits for the next line. */
  packageWithinMs: 15_000,
  packageTriesMax: 8,
  /** An Omni device is asked for its version once its line has stood for so long. */
  versionAfterMs: minuteMs,
  maxMalformedFrames: 20,
  /** Log lines about malformed frames: per device, and of all devices. */
  faultLogEveryMs: minuteMs,
  noticesPerSecond: 1,
  noticesBurst: 20,
  /** Bytes outside any frame, over the life of a connection. */
  maxGarbageBytes: 16 * 1024,
  /** Reports of one connection on their way to the database before its socket is paused. */
  maxPendingReports: 64,
  /** Unsent bytes for a device that does not read. */
  maxUnsentBytes: 32 * 1024,
  /** Time for a refused device to read the reason before its connection is cut. */
  flushWithinMs: 5_000,
  /** Fixed header, topic and properties beside the longest payload of the scheme. */
  maxMqttPacketBytes: 20 * 1024,
  /** Unanswered reports of an MQTT device: announced in CONNACK, and the limit at which its socket is paused. */
  mqttReceiveMaximum: 256,
} as const

/** Lets `burst` pass at once and `perSecond` in the long run. */
export function createBucket(options: { clock: Clock; perSecond: number; burst: number }): { take(): boolean } {
  const { clock, perSecond, burst } = options
  let left = burst
  let filledAt = clock.now()
  return {
    take() {
      const nowMs = clock.now()
      left = Math.min(burst, left + (Math.max(0, nowMs - filledAt) / 1000) * perSecond)
      filledAt = nowMs
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
