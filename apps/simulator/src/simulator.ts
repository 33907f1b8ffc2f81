import { systemClock, type Clock } from '#sim/clock.ts'
import { createDeviceConnection, type DeviceConnection } from '#sim/device/connection.ts'
import type { OmniTiming } from '#sim/device/omni-device.ts'
import { createFleet, type FleetVehicle } from '#sim/fleet/fleet.ts'
import { childSeed, createRandom } from '#sim/random.ts'

export type SimulatorOptions = {
  /** The gateway's Omni listener. */
  host: string
  port: number
  vehicles: number
  seed: number
  /** How many times faster than the clock the city lives; devices still speak by the clock. */
  speed?: number
  faults?: number
  clock?: Clock
  timing?: OmniTiming
  /** False lets a test call `step` itself. */
  running?: boolean
}

export type Simulator = {
  devices: (FleetVehicle & { connection: DeviceConnection })[]
  /** How many devices have a line to the platform. */
  onlineCount(): number
  step(): void
  stop(): void
}

const stepMs = 200
/** After a pause of the machine the city does not leap: it goes on where it stood. */
const longestStepMs = 2_000

/** Starts the fleet over real sockets; `stop` closes them. */
export function startSimulator({
  host,
  port,
  vehicles,
  seed,
  speed = 1,
  faults = 0,
  clock = systemClock,
  timing,
  running = true,
}: SimulatorOptions): Simulator {
  let lastMs = clock.now()
  const fleet = createFleet({ seed, count: vehicles, startMs: lastMs, faults, ...(timing ? { timing } : {}) })
  const devices = fleet.vehicles.map((vehicle) => {
    const random = createRandom(childSeed(seed, vehicle.index + 2_000_000))
    const connection = createDeviceConnection({ core: vehicle.core, host, port, random })
    return Object.assign(vehicle, { connection })
  })

  const step = () => {
    const nowMs = clock.now()
    const passedMs = Math.max(0, Math.min(longestStepMs, nowMs - lastMs))
    lastMs = nowMs
    fleet.step(nowMs, passedMs * speed)
    for (const { connection, troubles } of devices) {
      if (troubles.takeDrop()) connection.drop()
      connection.tick(nowMs)
    }
  }
  const timer = running ? setInterval(step, stepMs) : undefined
  if (running) step()
  return {
    devices,
    onlineCount: () => devices.filter(({ connection }) => connection.online).length,
    step,
    stop() {
      clearInterval(timer)
      for (const { connection } of devices) connection.close()
    },
  }
}
