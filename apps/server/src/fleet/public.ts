import type { alarmEndpoints } from '@saddle/contract/fleet/alarms.ts'
import type { serviceEndpoints } from '@saddle/contract/fleet/service.ts'
import type { analysisEndpoints } from '@saddle/contract/fleet/analysis.ts'
import type { Command, commandEndpoints } from '@saddle/contract/fleet/commands.ts'
import type { deviceEndpoints } from '@saddle/contract/fleet/devices.ts'
import type { lifeEndpoints } from '@saddle/contract/fleet/life.ts'
import type { pastEndpoints } from '@saddle/contract/fleet/past.ts'
import type { searchEndpoints } from '@saddle/contract/fleet/search.ts'
import type { tripEndpoints } from '@saddle/contract/fleet/trips.ts'
import type { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { startJob } from '#kit/job.ts'
import { closeAlarms, type Closing } from './alarms/close.ts'
import { createAlarmHandlers } from './alarms/handlers.ts'
import { createServiceHandlers } from './service/handlers.ts'
import { makeFleetDays } from './analysis/days.ts'
import { makeFleetHours } from './analysis/hours.ts'
import { createAnalysisHandlers } from './analysis/handlers.ts'
import { commandsDuring, type CommandsDuring } from './commands/during.ts'
import { createCommandHandlers } from './commands/handlers.ts'
import { queueCommand, type QueuedByPlatform } from './commands/queue.ts'
import { announceCommand, createCommands, type Commands } from './commands/service.ts'
import { createDeviceHandlers } from './devices/handlers.ts'
import { createLeases, type Leases } from './leases/leases.ts'
import { createLifeHandlers } from './life/handlers.ts'
import { compactTrips } from './past/compact.ts'
import { createPastHandlers } from './past/handlers.ts'
import { createReports, type Reports } from './reports/apply.ts'
import { createSearchHandlers } from './search/handlers.ts'
import { createTripHandlers } from './trips/handlers.ts'
import { deviceMessages, vehicleDays } from './usage/meters.ts'
import { createVehicleHandlers } from './vehicles/handlers.ts'
import { turnReservation } from './vehicles/reservation.ts'
import { createVehicles, type Vehicles } from './vehicles/service.ts'
import { turnByBattery, turnVehicles, type Turn } from './vehicles/turn.ts'

export { isImei } from './devices/rules.ts'
export { commandAnswerMs, commandFailures } from './commands/rules.ts'
export type { ClaimedCommand, Commands } from './commands/service.ts'
export {
  fleetTopics,
  type AlarmMessage,
  type CommandChangedMessage,
  type CommandQueuedMessage,
  type DeviceRevokedMessage,
  type ModelChangedMessage,
  type VehicleNow,
} from './messages.ts'
export type { Leases, SignIn } from './leases/leases.ts'
export { inOrderOfArrival, type Judged } from './batteries/judge.ts'
export { schemeColumns, schemeOf } from './batteries/inForce.ts'
export {
  judgeBattery,
  lowBatteryAfter,
  nothingKnown,
  nothingSaidOfBattery,
  type BatteryReading,
  type BatteryScheme,
} from './batteries/rules.ts'
export type { LockedVehicles } from './reports/apply.ts'
export type { VehicleReport } from './reports/rules.ts'
export type { DeviceConfig, KnownDevice, TerminalClaim } from './vehicles/devices.ts'
export type { ModelRow } from './vehicles/models.ts'
export {
  countedState,
  heardSince,
  idleSince,
  idleSinceCondition,
  isHeard,
  lowBatteryBelow,
  lowBatteryCondition,
  offlineCondition,
  offlineMinutes,
} from './states/counted.ts'
export {
  createVehicleLimits,
  usualLimits,
  usualVehicleLimits,
  type Limits,
  type VehicleLimits,
} from './states/limits.ts'
export type { Disconnection } from './vehicles/silence.ts'
export type { Registration, Vehicles } from './vehicles/service.ts'
export type { Turn } from './vehicles/turn.ts'

type FleetEndpoints = typeof vehicleEndpoints &
  typeof commandEndpoints &
  typeof searchEndpoints &
  typeof deviceEndpoints &
  typeof lifeEndpoints &
  typeof tripEndpoints &
  typeof pastEndpoints &
  typeof analysisEndpoints &
  typeof alarmEndpoints &
  typeof serviceEndpoints

export type Fleet = {
  readonly handlers: Handlers<FleetEndpoints>
  readonly commands: Commands
  readonly leases: Leases
  readonly reports: Reports
  readonly vehicles: Vehicles
  /**
   * Queues a command in the caller's transaction for a vehicle that it has looked up. Throws command_pending while one of
   * this kind is on its way.
   */
  queueCommand(tx: Tx, command: QueuedByPlatform): Promise<Command>
  /** Keeps a vehicle for a rider, or lets it go, in the caller's transaction; false where its state has no such step. */
  turnReservation(tx: Tx, step: { readonly vehicleId: number; readonly step: 'start' | 'cancel' }): Promise<boolean>
  /** Job states because of work on vehicles, in the caller's transaction; those whose state has no such step stay. */
  turnVehicles(tx: Tx, turns: readonly Turn[]): Promise<number[]>
  /** Closes alarms of the scope as the caller, in the caller's transaction; returns those that were open. */
  closeAlarms(tx: Tx, call: SessionCall, closing: Closing): Promise<number[]>
  /** The commands sent to a vehicle within a span of time, in order. */
  commandsDuring(asked: CommandsDuring): Promise<Command[]>
  /** What companies are billed for, by business day. */
  readonly usage: {
    readonly vehicleDays: ReturnType<typeof vehicleDays>
    readonly deviceMessages: ReturnType<typeof deviceMessages>
  }
  /** The clock's work: commands that expire, vehicles that fell silent. For the worker; safe on several at once. */
  sweep(): Promise<void>
  /** Takes vehicles with a low battery off hire, and puts charged ones back. For the worker. */
  turnByBattery(): Promise<number>
  /** Counts the vehicles at hours that were not counted yet; resolves to whether there may be more of them. For the worker. */
  makeHours(): Promise<boolean>
  /** Puts ended trips together as stretches and makes the figures of hours and days. For the worker; safe on several at once. */
  makeBooks(): Promise<void>
  /** Does all of that now and again and again; returns what ends it and resolves when the running turns have ended. */
  startBackground(): () => Promise<void>
}

const sweepEveryMs = 2_000
const batteryEveryMs = 15_000
const booksEveryMs = minuteMs
const bookTurnsMax = 40

export function createFleet(kit: Kit, others: { readonly audit: Audit }): Fleet {
  const commands = createCommands(kit)
  const vehicles = createVehicles(kit)
  const sweep = async (): Promise<void> => {
    await commands.expire()
    await vehicles.markSilentLost()
  }
  const turnByBatteryNow = () => turnByBattery(kit)
  const makeHours = () => makeFleetHours(kit)
  const makeBooks = async (): Promise<void> => {
    while ((await compactTrips(kit)) > 0);
    // A past that was just read in has many days; each turn holds its lock for a few of them only.
    for (let turn = 0; turn < bookTurnsMax; turn += 1) if (!(await makeHours())) break
    for (let turn = 0; turn < bookTurnsMax; turn += 1) if ((await makeFleetDays(kit)).length <= 1) return
  }
  return {
    handlers: {
      ...createVehicleHandlers(kit),
      ...createCommandHandlers(kit, others),
      ...createSearchHandlers(kit, others),
      ...createDeviceHandlers(kit),
      ...createLifeHandlers(kit, others),
      ...createTripHandlers(kit, others),
      ...createPastHandlers(kit),
      ...createAnalysisHandlers(kit),
      ...createAlarmHandlers(kit, others),
      ...createServiceHandlers({ kit, ...others }),
    },
    commands,
    leases: createLeases(kit, { onRequeued: (tx, row) => announceCommand(kit, tx, row) }),
    reports: createReports(kit),
    vehicles,
    queueCommand: (tx, command) => queueCommand(kit, tx, command),
    turnReservation: (tx, step) => turnReservation(kit, tx, step),
    closeAlarms: (tx, call, closing) => closeAlarms({ kit, ...others }, tx, call, closing),
    commandsDuring: (asked) => commandsDuring(kit, asked),
    turnVehicles: (tx, turns) => turnVehicles(kit, tx, turns),
    usage: { vehicleDays: vehicleDays(kit), deviceMessages: deviceMessages(kit) },
    sweep,
    turnByBattery: turnByBatteryNow,
    makeHours,
    makeBooks,
    startBackground: () => {
      const { log } = kit
      const turns = [
        startJob({ log, everyMs: sweepEveryMs, run: sweep, failure: 'the sweep of the fleet failed' }),
        startJob({ log, everyMs: batteryEveryMs, run: turnByBatteryNow, failure: 'looking at the batteries failed' }),
        startJob({ log, everyMs: booksEveryMs, run: makeBooks, failure: 'making the books of the fleet failed' }),
      ]
      return async () => {
        await Promise.all(turns.map(({ stop }) => stop()))
      }
    },
  }
}
