import type { CommandKind, CommandParameters } from '@saddle/contract/fleet/commands.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { fleetTopics, type CommandQueuedMessage } from '../messages.ts'
import { commandFailures } from './rules.ts'
import {
  changedMessage,
  claimNext,
  commandOf,
  expireDue,
  moveCommand,
  requeueSent,
  selectUnderWay,
  unclaim,
  type CommandStep,
} from './store.ts'

export type ClaimedCommand = {
  readonly commandId: number
  readonly vehicleId: number
  readonly kind: CommandKind
  /** Of `set_parameters`; null of every other kind. */
  readonly parameters: CommandParameters | null
}

/** The gateway's side of commands. Every step is stored with its time, and told to the bus after its commit. */
export type Commands = {
  /**
   * Takes the vehicle's oldest queued command and marks it sent; null when there is none, or when the gateway (named
   * in a cluster only) does not have the vehicle's lease.
   */
  claim(vehicleId: number, gatewayId?: string | null): Promise<ClaimedCommand | null>
  /** Releases a claimed command whose connection broke before it was sent; the next connection claims it. */
  handBack(command: ClaimedCommand): Promise<void>
  /** The commands that the vehicle was sent and has not ended, over whatever connection; the oldest first. */
  underWay(vehicleId: number): Promise<ClaimedCommand[]>
  /** Moves a command on; false when it is not where it could be moved from (finished, another vehicle's, unknown). */
  move(step: CommandStep): Promise<boolean>
  /** For the start of the only server: puts back what the one before had sent when it died. Returns how many. */
  takeOver(): Promise<number>
  /** Ends commands whose time is over; safe on every server at once, and after a crash. Returns how many. */
  expire(): Promise<number>
}

const expireBatch = 500

/** Tells the bus of a command's step when it is committed. */
export function announceCommand(kit: Pick<Kit, 'db' | 'bus'>, tx: Tx, row: Parameters<typeof changedMessage>[0]): void {
  kit.db.afterCommit(tx, () => kit.bus.publish(fleetTopics.commandChanged, changedMessage(row)))
}

export function createCommands(kit: Pick<Kit, 'db' | 'clock' | 'bus' | 'log'>): Commands {
  const announce = (tx: Tx, row: Parameters<typeof changedMessage>[0]): void => announceCommand(kit, tx, row)
  return {
    claim: (vehicleId, gatewayId = null) =>
      kit.db.system(async (tx) => {
        const row = await claimNext(tx, { vehicleId, gatewayId, nowMs: kit.clock.now() })
        if (row === undefined) return null
        announce(tx, row)
        const { kind, parameters } = commandOf(row)
        return { commandId: row.id, vehicleId, kind, parameters }
      }),
    handBack: ({ commandId, vehicleId }) =>
      kit.db.system(async (tx) => {
        const row = await unclaim(tx, commandId)
        if (row === undefined) return
        announce(tx, row)
        const queued: CommandQueuedMessage = { commandId, vehicleId }
        kit.db.afterCommit(tx, () => kit.bus.publish(fleetTopics.commandQueued, queued))
      }),
    underWay: async (vehicleId) => {
      const rows = await kit.db.systemRead((kysely) => selectUnderWay(kysely, vehicleId).compile())
      return rows.map((row) => {
        const { id: commandId, kind, parameters } = commandOf(row)
        return { commandId, vehicleId, kind, parameters }
      })
    },
    move: (step) =>
      kit.db.system(async (tx) => {
        const row = await moveCommand(tx, step, kit.clock.now())
        if (row === undefined) return false
        announce(tx, row)
        return true
      }),
    takeOver: () =>
      kit.db.system(async (tx) => {
        const rows = await requeueSent(tx, { nowMs: kit.clock.now(), vehicleIds: null })
        for (const row of rows) announce(tx, row)
        return rows.length
      }),
    expire: () =>
      kit.db.system(async (tx) => {
        const { notDelivered, noAnswer } = commandFailures
        const rows = await expireDue(tx, { nowMs: kit.clock.now(), limit: expireBatch, notDelivered, noAnswer })
        for (const row of rows) announce(tx, row)
        return rows.length
      }),
  }
}
