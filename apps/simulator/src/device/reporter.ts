import { demoMetresPerDegree } from '@saddle/contract/demo/city.ts'
import type { DeviceAlarm } from '@saddle/device-protocols/report.ts'
import type { Random } from '#sim/random.ts'
import type { DeviceTiming } from './device.ts'
import type { Troubles } from './troubles.ts'
import { packVoltageV, type VehicleBody } from './vehicle-body.ts'

/** How a vehicle was at one moment, by its device. */
export type QueuedReport = {
  seq: number
  atMs: number
  lat: number
  lng: number
  /** False when the position is an old one. */
  fix: boolean
  speedKmh: number
  headingDeg: number
  satellites: number
  batteryPercent: number
  voltageV: number
  locked: boolean
  signal: number
  odometerM: number
  alarms: DeviceAlarm[]
}

export type Reporter = {
  say(nowMs: number, alarms?: DeviceAlarm[]): void
  /** Queues what is due; returns whether a heartbeat is due too. */
  tick(nowMs: number): boolean
  /** The oldest reports that are not sent yet, in groups for one message each. */
  take(messages: number, perMessage: number): QueuedReport[][]
  /** They were sent and are kept until the platform has acknowledged them. */
  sent(key: number, group: QueuedReport[]): void
  acknowledged(key: number): void
  /** The connection broke: what is not acknowledged is sent again. */
  again(): void
  setTiming(changes: Partial<DeviceTiming>): void
}

/** Beyond this number the oldest reports are lost, as in a real device. */
export const keptReportsMax = 200
const underWayMax = 8
const round6 = (degrees: number) => Math.round(degrees * 1e6) / 1e6

/** Queues a device's reports and keeps them until they are acknowledged. */
export function createReporter({
  body,
  troubles,
  random,
  timing: given,
  startMs,
}: {
  body: VehicleBody
  troubles: Troubles
  random: Random
  timing: DeviceTiming
  startMs: number
}): Reporter {
  const timing = { ...given }
  let waiting: QueuedReport[] = []
  const underWay = new Map<number, QueuedReport[]>()
  let seq = Math.floor(startMs / 1000)
  let known = { lat: body.lat, lng: body.lng }
  let lastLocked = body.locked
  // Each device has its own phase, otherwise the whole fleet would report at the same instant.
  const due = {
    position: startMs + random.between(0, body.locked ? timing.parkedPositionMs : timing.trackingMs),
    heartbeat: startMs + random.between(0, timing.heartbeatMs),
  }

  const look = (nowMs: number, alarms: DeviceAlarm[]): QueuedReport => {
    if (!troubles.noSatellites) {
      known = {
        lat: round6(body.lat + random.gauss(troubles.gpsNoiseM) / demoMetresPerDegree.lat),
        lng: round6(body.lng + random.gauss(troubles.gpsNoiseM) / demoMetresPerDegree.lng),
      }
    }
    return {
      seq: ++seq,
      atMs: Math.floor((nowMs + troubles.clockSkewMs) / 1000) * 1000,
      ...known,
      fix: !troubles.noSatellites,
      speedKmh: Math.round(body.speedKmh * 10) / 10,
      headingDeg: Math.round(body.headingDeg ?? 0) % 360,
      satellites: troubles.noSatellites ? 2 : 7 + random.below(8),
      batteryPercent: Math.max(0, Math.min(100, Math.round(body.batteryPercent))),
      voltageV: packVoltageV(body.batteryPercent),
      locked: body.locked,
      signal: body.signal,
      odometerM: Math.round(body.odometerM / 100) * 100,
      alarms,
    }
  }
  const say = (nowMs: number, alarms: DeviceAlarm[] = []) => {
    const report = look(nowMs, alarms)
    waiting.push(report)
    if (random.chance(troubles.duplicateChance)) waiting.push(report)
    if (waiting.length > keptReportsMax) waiting.splice(0, waiting.length - keptReportsMax)
    due.position = nowMs + (body.locked ? timing.parkedPositionMs : timing.trackingMs)
  }

  return {
    say,
    tick(nowMs) {
      if (body.locked !== lastLocked) {
        lastLocked = body.locked
        due.position = nowMs
      }
      if (nowMs >= due.position) say(nowMs)
      if (nowMs < due.heartbeat) return false
      due.heartbeat = nowMs + timing.heartbeatMs
      return true
    },
    take(messages, perMessage) {
      const groups: QueuedReport[][] = []
      while (groups.length < messages && waiting.length > 0 && underWay.size + groups.length < underWayMax) {
        groups.push(waiting.splice(0, perMessage))
      }
      return groups
    },
    sent(key, group) {
      underWay.set(key, group)
    },
    acknowledged(key) {
      underWay.delete(key)
    },
    again() {
      waiting = [...[...underWay.values()].flat(), ...waiting].slice(-keptReportsMax)
      underWay.clear()
    },
    setTiming(changes) {
      Object.assign(timing, changes)
      due.position = 0
    },
  }
}
