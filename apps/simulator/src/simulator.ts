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
  /** How many times faster than the clock the city lives; devices still speak by the clock. */
  speed?: number
  faults?: number
  clock?: Clock
  timing?: DeviceTiming
  town?: Town
  /** A life to go on with. */
  from?: LifeRecord | undefined
  passwords?: ReadonlyMap<string, string>
  /** What riders ask with their app; without it rides begin and end by themselves, and no order comes of them. */
  api?: RiderApi | undefined
  /** What the people of the street ask with their phones; without it they work unseen. */
  staffApi?: StaffApi | undefined
  /** False lets a test call `step` itself. */
  running?: boolean
}

export type Simulator = {
  devices: (FleetVehicle & { connection: DeviceConnection | null })[]
  /** How many devices have a line to the platform. */
  onlineCount(): number
  /** What the riders with the app did so far; null without one. */
  readonly riders: Riders | null
  /** What the people of the street did; null without phones. */
  readonly staff: Staff | null
  /** The life so far, to go on with later. */
  record(): LifeRecord
  step(): void
  stop(): void
}

const stepMs = 200
/** After a pause of the machine the city does not leap: it goes on where it stood. */
const longestStepMs = 2_000
/** A record is taken up to the present, but no longer than this: whoever was away for a month sees the last week. */
const longestCatchUpMs = 7 * dayMs
/** New lines in one step: a city that switches on at once would only wait in the platform's queue. */
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
    isHailed: () => riders !== null,
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
  // What went on while nobody simulated it.
  if (options.from) fleet.step(lastMs, Math.max(0, lastMs - fleet.life.nowMs))
  isCatchingUp = false
  if (options.api) {
    riders = createRiders({ api: options.api, life: fleet.life, seed, startMs: lastMs })
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

  let begun = 0
  const step = () => {
    const nowMs = clock.now()
    const passedMs = Math.max(0, Math.min(longestStepMs, nowMs - lastMs))
    lastMs = nowMs
    fleet.step(nowMs, passedMs * speed)
    riders?.tick(nowMs)
    staff?.tick(nowMs)
    begun = Math.min(devices.length, begun + linesPerStep)
    for (let index = 0; index < begun; index++) {
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
 * Rides that the record knows of go on: the platform was told of them. Those that began while nobody simulated the city
 * are wished for now.
 */
function takeOver(fleet: Fleet, riders: Riders, from: LifeRecord | undefined): void {
  for (const vehicle of fleet.vehicles) {
    const { ride } = vehicle.life
    if (!ride) continue
    if (ride.order !== undefined) riders.goOn(vehicle)
    else if (from === undefined || from.vehicles[vehicle.index]?.ride?.number !== ride.number) {
      fleet.life.hailed.askAgain(vehicle.life)
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
