import type { commandEndpoints } from '@saddle/contract/fleet/commands.ts'
import type { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createCommandHandlers } from './commands/handlers.ts'
import { createCommands, type Commands } from './commands/service.ts'
import { createReports, type Reports } from './reports/apply.ts'
import { createVehicleHandlers } from './vehicles/handlers.ts'
import { createVehicles, type Vehicles } from './vehicles/service.ts'

export { commandAnswerMs, commandFailures } from './commands/rules.ts'
export type { ClaimedCommand, Commands } from './commands/service.ts'
export {
  fleetTopics,
  type AlarmMessage,
  type CommandChangedMessage,
  type CommandQueuedMessage,
  type VehicleNow,
} from './messages.ts'
export type { LockedVehicles } from './reports/apply.ts'
export type { VehicleReport } from './reports/rules.ts'
export type { DeviceConfig, KnownDevice } from './vehicles/devices.ts'
export type { Registration, Vehicles } from './vehicles/service.ts'

export type Fleet = {
  readonly handlers: Handlers<typeof vehicleEndpoints & typeof commandEndpoints>
  readonly commands: Commands
  readonly reports: Reports
  readonly vehicles: Vehicles
  /** The clock's work: commands that expire, vehicles that fell silent. For the worker; safe on several at once. */
  sweep(): Promise<void>
  /** Sweeps now and every few seconds; returns what ends it and resolves when the running sweep has ended. */
  startBackground(): () => Promise<void>
}

const sweepEveryMs = 2_000

export function createFleet(kit: Kit, others: { readonly audit: Audit }): Fleet {
  const commands = createCommands(kit)
  const vehicles = createVehicles(kit)
  const sweep = async (): Promise<void> => {
    await commands.expire()
    await vehicles.loseSilent()
  }
  return {
    handlers: { ...createVehicleHandlers(kit), ...createCommandHandlers(kit, others) },
    commands,
    reports: createReports(kit),
    vehicles,
    sweep,
    startBackground: () => startRepeating({ kit, everyMs: sweepEveryMs, name: 'fleet sweep', run: sweep }),
  }
}

function startRepeating(options: {
  kit: Kit
  everyMs: number
  name: string
  run: () => Promise<void>
}): () => Promise<void> {
  const { kit, everyMs, name, run } = options
  let running: Promise<void> | null = null
  const turn = (): void => {
    // A turn that takes longer than the pause is not run twice at once.
    running ??= run()
      .catch((err: unknown) => kit.log.error({ err, name }, 'a repeated task failed'))
      .finally(() => {
        running = null
      })
  }
  const timer = setInterval(turn, everyMs)
  timer.unref()
  turn()
  return async () => {
    clearInterval(timer)
    await running
  }
}
