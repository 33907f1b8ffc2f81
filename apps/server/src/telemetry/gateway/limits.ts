import { minuteMs } from '@saddle/contract/time.ts'
import type { Clock } from '#kit/clock.ts'

/** What one connection may do. A healthy device is far below all of them, also after a night in a tunnel. */
export const gatewayLimits = {
  maxConnections: 20_000,
  /** Lines of nobody yet, of all networks together: whoever floods the ports takes no more of the vehicles' room. */
  maxUnsigned: 5_000,
  /** The first frame that names the device. */
  signInWithinMs: 10_000,
  /** Of one line, before that: what names a device is far shorter. */
  maxUnsignedMqttBytes: 4 * 1024,
  /** For a device to answer when a line from another network wants its place; a sound one takes a moment. */
  contestMs: 5_000,
  /** Devices beat every few minutes at the longest. */
  idleMs: 10 * minuteMs,
  framesPerSecond: 20,
  framesBurst: 400,
  maxMalformedFrames: 20,
  /** A device's faults in the log, and those of all devices. */
  faultLogEveryMs: minuteMs,
  noticesPerSecond: 1,
  noticesBurst: 20,
  /** Bytes that belong to no frame, over the life of a connection. */
  maxGarbageBytes: 16 * 1024,
  /** Reports of one connection on their way to the database before its socket is paused. */
  maxPendingReports: 64,
  /** A device that does not take what we send. */
  maxUnsentBytes: 32 * 1024,
  /** For taking the reason of a refusal before its line is cut. */
  flushWithinMs: 5_000,
  /** Fixed header, topic and properties beside the longest payload of the scheme. */
  maxMqttPacketBytes: 20 * 1024,
  /** Reports that an MQTT device may have sent without an answer: told to it, and where its socket is paused. */
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
