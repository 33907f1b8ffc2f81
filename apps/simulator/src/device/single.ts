import { systemClock, type Clock } from '#sim/clock.ts'
import { createRandom } from '#sim/random.ts'
import { createDeviceConnection } from './connection.ts'
import { demoTiming, type DeviceTiming } from './device.ts'
import { createOmniDeviceCore } from './omni-device.ts'
import { createOmniLine } from './omni-line.ts'
import { turnLock, type VehicleBody } from './vehicle-body.ts'

export type OmniDevice = {
  /** The vehicle as it truly is; read it to see whether a command has turned the lock. */
  readonly state: Readonly<VehicleBody>
  readonly online: boolean
  /** Goes to a place at once, at a speed, and reports it. */
  move(lat: number, lng: number, speedKmh?: number): void
  alarm(code: number): void
  setBattery(percent: number): void
  /** Breaks or mends the bolt: a broken one answers "failed". */
  setStuckBolt(stuck: boolean): void
  /** Cuts the line; the device reconnects by itself. */
  drop(): void
  stop(): void
}

const tickMs = 50

/** One real device on demand, for end-to-end tests: it connects at once and runs by itself until `stop`. */
export function createOmniDevice({
  imei,
  host,
  port,
  lat,
  lng,
  locked = true,
  batteryPercent = 80,
  seed = 1,
  clock = systemClock,
  timing = demoTiming,
}: {
  imei: string
  host: string
  port: number
  lat: number
  lng: number
  locked?: boolean
  batteryPercent?: number
  seed?: number
  clock?: Clock
  timing?: DeviceTiming
}): OmniDevice {
  const random = createRandom(seed)
  const body: VehicleBody = {
    lat,
    lng,
    speedKmh: 0,
    locked: true,
    batteryPercent,
    odometerM: 0,
    signal: 28,
    openSinceMs: null,
  }
  if (!locked) turnLock(body, false, clock.now())
  const core = createOmniDeviceCore({ imei, body, random, timing, startMs: clock.now() })
  const connection = createDeviceConnection({ line: createOmniLine(core), host, port, random })
  const tick = () => connection.tick(clock.now())
  const timer = setInterval(tick, tickMs)
  tick()
  return {
    state: body,
    get online() {
      return connection.online
    },
    move(toLat, toLng, speedKmh = 0) {
      Object.assign(body, { lat: toLat, lng: toLng, speedKmh })
      core.position(clock.now())
      tick()
    },
    alarm(code) {
      core.alarm(code)
      tick()
    },
    setBattery(percent) {
      body.batteryPercent = percent
      core.heartbeat()
      tick()
    },
    setStuckBolt(stuck) {
      core.troubles.stuckBolt = stuck
    },
    drop: () => connection.drop(),
    stop() {
      clearInterval(timer)
      connection.close()
    },
  }
}
