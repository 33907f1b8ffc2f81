import type { KeyObject } from 'node:crypto'
import type { DemoVehicle } from '@saddle/contract/demo/city.ts'
import type { DeviceAlarm } from '@saddle/device-protocols/report.ts'
import { systemClock, type Clock } from '#sim/clock.ts'
import { createDeviceConnection } from '#sim/device/connection.ts'
import { demoTiming, type DeviceTiming } from '#sim/device/device.ts'
import type { VehicleBody } from '#sim/device/vehicle-body.ts'
import { createRandom } from '#sim/random.ts'
import { makeDevice } from '#sim/device/protocols.ts'

export type SingleDevice = {
  /** The physical state of the vehicle; read it to see whether a command has moved the lock. */
  readonly state: Readonly<VehicleBody>
  readonly online: boolean
  /** The firmware that it runs. */
  readonly version: string
  /** Goes to a place at once, at a speed, and reports it. */
  move(lat: number, lng: number, speedKmh?: number): void
  alarm(name: DeviceAlarm): void
  setBattery(percent: number): void
  /** Breaks or mends the bolt: a broken one answers "failed". */
  setStuckBolt(stuck: boolean): void
  /** Closes the connection; the device reconnects by itself. */
  drop(): void
  stop(): void
}

const tickMs = 50

/** One real device on demand, for end-to-end tests: it connects at once and runs by itself until `stop`. */
export function createSingleDevice({
  vehicle,
  host,
  port,
  password = '',
  seed = 1,
  clock = systemClock,
  timing = demoTiming,
  firmware,
  artefactKey,
}: {
  vehicle: DemoVehicle
  host: string
  /** Of the listener for the vehicle's protocol. */
  port: number
  /** What it shows to be let in: an MQTT password, or the code of an earlier JT/T 808 registration. */
  password?: string
  seed?: number
  clock?: Clock
  timing?: DeviceTiming
  /** What it runs, and the key of those whose firmware it takes. */
  firmware?: string
  artefactKey?: KeyObject
}): SingleDevice {
  const random = createRandom(seed)
  const { lat, lng } = vehicle
  const body: VehicleBody = {
    lat,
    lng,
    speedKmh: 0,
    locked: true,
    batteryPercent: 80,
    odometerM: 0,
    signal: 28,
    openSinceMs: null,
  }
  const line = makeDevice({
    demo: vehicle,
    index: 0,
    password,
    body,
    random,
    timing,
    startMs: clock.now(),
    firmware,
    artefactKey,
  })
  const connection = createDeviceConnection({ line, host, port, random })
  const tick = () => connection.tick(clock.now())
  const timer = setInterval(tick, tickMs)
  tick()
  const report = () => {
    line.report(clock.now())
    tick()
  }
  return {
    state: body,
    get online() {
      return connection.online
    },
    get version() {
      return line.flasher.version
    },
    move(toLat, toLng, speedKmh = 0) {
      Object.assign(body, { lat: toLat, lng: toLng, speedKmh })
      report()
    },
    alarm(name) {
      line.alarm(name, clock.now())
      tick()
    },
    setBattery(percent) {
      body.batteryPercent = percent
      report()
    },
    setStuckBolt(stuck) {
      line.troubles.stuckBolt = stuck
    },
    drop: () => connection.drop(),
    stop() {
      clearInterval(timer)
      connection.close()
    },
  }
}
