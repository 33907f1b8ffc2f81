import type { KeyObject } from 'node:crypto'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { makeCity } from '#sim/city/city.ts'
import { systemClock, type Clock } from '#sim/clock.ts'
import { createDeviceConnection, type DeviceConnection } from '#sim/device/connection.ts'
import type { DeviceTiming } from '#sim/device/device.ts'
import { createFleet, type Fleet, type FleetVehicle } from '#sim/fleet/fleet.ts'
import type { LifeRecord } from '#sim/life/life.ts'
import { makeTown, type Town } from '#sim/life/town.ts'
import { childSeed, createRandom } from '#sim/random.ts'
import type { RiderApi } from '#sim/riders/api.ts'
import { createRiders, type Riders } from '#sim/riders/riders.ts'
import type { StaffApi } from '#sim/staff/api.ts'
import { createStaff, type Staff } from '#sim/staff/staff.ts'

export type Address = { host: string; port: number }

export type SimulatorOptions = {
  /** The gateway's listeners; vehicles of a protocol without one stay offline. */
  gateways: { readonly [protocol in DeviceProtocol]?: Address | undefined }
  vehicles: number
  seed: number
  /** Speed of the city against the clock; devices still report by the clock. */
  speed?: number
  faults?: number
  clock?: Clock
  timing?: DeviceTiming
  town?: Town
  /** A saved state to continue. */
  from?: LifeRecord | undefined
  passwords?: ReadonlyMap<string, string>
  /** Versions that devices run, by IMEI, and the key of those whose firmware they take. */
  firmware?: ReadonlyMap<string, string> | undefined
  artefactKey?: KeyObject | null | undefined
  /** The rider API; without it rides start and end in the simulation only and create no orders. */
  api?: RiderApi | undefined
  /** Codes of coupons that are handed out in the streets, by company. */
  codesOf?: ((agentId: number) => readonly string[]) | undefined
  /** The staff API; without it staff work in the simulation only. */
  staffApi?: StaffApi | undefined
  /** False lets a test call `step` itself. */
  running?: boolean
}

export type Simulator = {
  devices: (FleetVehicle & { connection: DeviceConnection | null })[]
  /** How many devices have a line to the platform. */
  onlineCount(): number
  /** Counts of riders with an app; null without the API. */
  readonly riders: Riders | null
  /** Counts of staff; null without the API. */
  readonly staff: Staff | null
  /** The state, to continue later. */
  record(): LifeRecord
  step(): void
  stop(): void
}

const stepMs = 200
/** After a pause of the machine the city continues where it stopped. */
const longestStepMs = 2_000
/** A saved state is caught up to the present, but at most this long. */
const longestCatchUpMs = 7 * dayMs
/** New connections per step: more would only wait in the platform's queue. */
const linesPerStep = 60

/** Starts the fleet over real sockets; `stop` closes them. */
export function startSimulator(options: SimulatorOptions): Simulator {
  const { gateways, vehicles, seed, speed = 1, faults = 0, clock = systemClock, running = true, passwords } = options
  const lines: (DeviceConnection | null)[] = []
  let isCatchingUp = options.from !== undefined
  let lastMs = clock.now()
  let riders: Riders | null = null
  let staff: Staff | null = null
  const fleet: Fleet = createFleet({
    seed,
    count: vehicles,
    startMs: lastMs,
    faults,
    town: options.town ?? makeTown(makeCity()),
    isReachable: (index) => isCatchingUp || lines[index]?.online === true,
    passwordOf: (imei) => passwords?.get(imei) ?? '',
    firmwareOf: (imei) => options.firmware?.get(imei),
    artefactKey: options.artefactKey,
    isAppControlled: () => riders !== null,
    isAtWork: (person) => staff === null || staff.isAtWork(person),
    miss: (missed) => riders?.miss(missed),
    listen: (event) => {
      const wanted = event.kind === 'ride_wanted' ? fleet.vehicles[event.vehicle.index] : undefined
      if (wanted) riders?.want(wanted)
      staff?.note(event)
    },
    ...(options.timing ? { timing: options.timing } : {}),
    ...(options.from ? { from: atMost(options.from, lastMs) } : {}),
  })
  // Catch up on the time since the saved state.
  if (options.from) fleet.step(lastMs, Math.max(0, lastMs - fleet.life.nowMs))
  isCatchingUp = false
  if (options.api) {
    const { api, codesOf } = options
    riders = createRiders({ api, life: fleet.life, seed, startMs: lastMs, codesOf })
    takeOver(fleet, riders, options.from)
  }
  if (options.staffApi) {
    const { life, vehicles: known } = fleet
    staff = createStaff({ api: options.staffApi, life, vehicles: known, seed, startMs: lastMs })
  }
  const devices = fleet.vehicles.map((vehicle) => {
    const gateway = gateways[vehicle.protocol]
    const random = createRandom(childSeed(seed, vehicle.index + 2_000_000))
    const connection = gateway ? createDeviceConnection({ line: vehicle.device, ...gateway, random }) : null
    lines.push(connection)
    return Object.assign(vehicle, { connection })
  })

  let started = 0
  const step = () => {
    const nowMs = clock.now()
    const passedMs = Math.max(0, Math.min(longestStepMs, nowMs - lastMs))
    lastMs = nowMs
    fleet.step(nowMs, passedMs * speed)
    riders?.tick(nowMs)
    staff?.tick(nowMs)
    started = Math.min(devices.length, started + linesPerStep)
    for (let index = 0; index < started; index++) {
      const vehicle = devices[index]
      if (!vehicle?.connection) continue
      const { connection, troubles, silent } = vehicle
      connection.hold(silent)
      const dropMs = troubles.takeDrop()
      if (dropMs !== null) connection.drop(dropMs)
      connection.tick(nowMs)
    }
  }
  const timer = running ? setInterval(step, stepMs) : undefined
  if (running) step()
  return {
    devices,
    onlineCount: () => devices.filter(({ connection }) => connection?.online).length,
    record: () => fleet.life.record(),
    get riders() {
      return riders
    },
    get staff() {
      return staff
    },
    step,
    stop() {
      clearInterval(timer)
      for (const { connection } of devices) connection?.close()
    },
  }
}

/**
 * Rides of the saved state continue, because the platform knows them. Those that started during the catch-up
 * are requested now.
 */
function takeOver(fleet: Fleet, riders: Riders, from: LifeRecord | undefined): void {
  for (const vehicle of fleet.vehicles) {
    const { ride } = vehicle.life
    if (!ride) continue
    if (ride.order !== undefined) riders.resume(vehicle)
    else if (from === undefined || from.vehicles[vehicle.index]?.ride?.number !== ride.number) {
      fleet.life.appRides.requeueRide(vehicle.life)
    }
  }
}

/** A record from long ago begins its catching up later: its queue is moved as a whole. */
function atMost(record: LifeRecord, nowMs: number): LifeRecord {
  const lateMs = nowMs - record.nowMs - longestCatchUpMs
  if (lateMs <= 0) return record
  // By whole days, so that every ride stays at its hour.
  const shiftMs = Math.ceil(lateMs / dayMs) * dayMs
  const shifted = (ms: number) => ms + shiftMs
  const ride = <R extends LifeRecord['vehicles'][number]['ride']>(one: R): R =>
    one && {
      ...one,
      startMs: shifted(one.startMs),
      endMs: shifted(one.endMs),
      ...(one.heldAtMs !== undefined && { heldAtMs: shifted(one.heldAtMs) }),
    }
  return {
    ...record,
    nowMs: shifted(record.nowMs),
    queue: record.queue.map((coming) => ({ ...coming, atMs: shifted(coming.atMs) })),
    people: record.people.map((person) => ({ ...person, freeAtMs: shifted(person.freeAtMs) })),
    tasks: record.tasks.map((task) => ({
      ...task,
      openedAtMs: shifted(task.openedAtMs),
      claimedAtMs: task.claimedAtMs === null ? null : shifted(task.claimedAtMs),
    })),
    vehicles: record.vehicles.map((vehicle) => ({
      ...vehicle,
      batteryAtMs: shifted(vehicle.batteryAtMs),
      ride: ride(vehicle.ride),
      theft: ride(vehicle.theft),
    })),
  }
}
