import { demoVehicleCount } from '@saddle/contract/demo/city.ts'
import { toReport } from '@saddle/device-protocols/omni/codec.ts'
import type { OmniBody } from '@saddle/device-protocols/omni/codec.ts'
import { deviceAlarms, type DeviceAlarm, type DeviceReport } from '@saddle/device-protocols/report.ts'
import { makeCity } from '@saddle/simulator/src/city/city.ts'
import { timingFor } from '@saddle/simulator/src/device/device.ts'
import { heartbeatOf, positionOf, vehicleDataOf } from '@saddle/simulator/src/device/omni-encoder.ts'
import { createReporter, type QueuedReport } from '@saddle/simulator/src/device/reporter.ts'
import { createFleet, type FleetVehicle } from '@saddle/simulator/src/fleet/fleet.ts'
import { makeTown } from '@saddle/simulator/src/life/town.ts'
import { childSeed, createRandom } from '@saddle/simulator/src/random.ts'

/** A report of a vehicle of the city, as the gateway decodes it. */
export type CityReport = {
  /** From 0. */
  readonly index: number
  readonly atMs: number
  readonly kind: string
  readonly report: DeviceReport
}

const stepMs = 1_000
/** The simulator looks after its devices so often; those of one look come together. */
const looksAStep = 5

type Teller = {
  tick(nowMs: number, tell: (kind: string, report: DeviceReport) => void): void
  alarm(alarm: DeviceAlarm, nowMs: number): void
}

/**
 * A day of the demo's city in the order of its time: what its devices report and when, without sockets and frames. Devices
 * answer no commands and none is ever offline but those of the city's own life.
 */
export function* cityReports(options: {
  readonly startMs: number
  readonly lengthMs: number
  readonly seed: number
}): Generator<CityReport> {
  const { startMs, lengthMs, seed } = options
  const tellers: Teller[] = []
  const fleet = createFleet({
    seed,
    count: demoVehicleCount,
    startMs,
    town: makeTown(makeCity()),
    listen(event) {
      if (event.kind !== 'alarm' || !event.open) return
      const alarm = deviceAlarms.find((name) => name === event.alarm)
      if (alarm !== undefined) tellers[event.vehicle.index]?.alarm(alarm, fleet.life.nowMs)
    },
  })
  for (const vehicle of fleet.vehicles) tellers.push(tellerOf(vehicle, startMs, seed))
  const told: CityReport[] = []
  for (let at = startMs; at < startMs + lengthMs; at += stepMs) {
    fleet.step(at, stepMs)
    for (let look = 0; look < looksAStep; look += 1) {
      const atMs = at + (look * stepMs) / looksAStep
      for (let index = look; index < fleet.vehicles.length; index += looksAStep) {
        if (fleet.vehicles[index]?.silent === true) continue
        tellers[index]?.tick(atMs, (kind, report) => told.push({ index, atMs, kind, report }))
      }
    }
    yield* told.splice(0)
  }
}

function tellerOf(vehicle: FleetVehicle, startMs: number, seed: number): Teller {
  const { body, device, imei, index, protocol } = vehicle
  const { troubles } = device
  const random = createRandom(childSeed(seed, index + 9_000_000))
  const timing = timingFor(demoVehicleCount)
  if (protocol !== 'omni') {
    const reporter = createReporter({ body, troubles, random, timing, startMs })
    return {
      alarm: (alarm, nowMs) => reporter.say(nowMs, [alarm]),
      tick(nowMs, tell) {
        // A keep-alive of MQTT is no report; a heartbeat of JT/T 808 is one without facts.
        if (reporter.tick(nowMs) && protocol === 'jt808')
          tell('0002', { deviceId: imei, occurredAt: null, position: null })
        for (const report of reporter.take(1, 32).flat()) tell('report', reportOf(imei, report))
      },
    }
  }
  const due = {
    heartbeat: startMs + random.between(0, timing.heartbeatMs),
    position: startMs + random.between(0, timing.parkedPositionMs),
    data: startMs,
  }
  const alarms: DeviceAlarm[] = []
  let wasLocked = body.locked
  return {
    alarm: (alarm) => alarms.push(alarm),
    tick(nowMs, tell) {
      const say = (message: OmniBody): void => {
        const report = toReport({ header: 'SCOR', vendor: 'OM', deviceId: imei, ...message })
        if (report !== null) tell(message.instruction, report)
      }
      if (body.locked !== wasLocked) {
        wasLocked = body.locked
        due.heartbeat = nowMs
        due.position = nowMs
      }
      for (const alarm of alarms.splice(0))
        tell('W0', { deviceId: imei, occurredAt: null, position: null, alarms: [alarm] })
      if (nowMs >= due.heartbeat) {
        say(heartbeatOf(body))
        due.heartbeat = nowMs + timing.heartbeatMs
      }
      if (nowMs >= due.position) {
        say(positionOf({ body, troubles, random, nowMs, trigger: 1 }))
        due.position = nowMs + (body.locked ? timing.parkedPositionMs : timing.trackingMs)
      }
      if (!body.locked && nowMs >= due.data) {
        say(vehicleDataOf(body))
        due.data = nowMs + timing.vehicleDataMs
      }
    },
  }
}

function reportOf(deviceId: string, said: QueuedReport): DeviceReport {
  const { lat, lng, fix, speedKmh, headingDeg, batteryPercent, voltageV, locked, signal, odometerM, alarms } = said
  const moving = speedKmh > 0 ? { speedKmh, headingDeg } : { speedKmh: 0 }
  const facts = { batteryPercent, voltageV, locked, charging: false, signal, odometerM }
  return { deviceId, occurredAt: said.atMs, position: { lat, lng, fix, ...moving }, ...facts, alarms }
}
