import type { Command, CommandKind } from '@saddle/contract/fleet/commands.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { fleetTopics, type CommandQueuedMessage } from '../messages.ts'
import { changedMessage, commandOf, insertCommand } from './store.ts'

/** Nobody of ours: the platform gives it, for a rider or by a rule. */
export const platformOperatorId = 0

export type QueuedByPlatform = {
  readonly vehicleId: number
  readonly agentId: number
  readonly areaId: number
  readonly kind: CommandKind
  readonly reason: string
  /** A person on whose behalf the platform gives it; absent: nobody of ours. */
  readonly operatorId?: number
  readonly operatorName: string
}

/**
 * Queues a command in the caller's transaction, which has looked up the vehicle; the gateway hears of it after the
 * commit. Throws command_pending while one of this kind is on its way.
 */
export async function queueCommand(
  kit: Pick<Kit, 'db' | 'clock' | 'bus'>,
  tx: Tx,
  given: QueuedByPlatform,
): Promise<Command> {
  const row = await insertCommand(tx, {
    operatorId: platformOperatorId,
    ...given,
    parameters: null,
    batchId: null,
    nowMs: kit.clock.now(),
  })
  if (row === undefined) throw new AppError('command_pending')
  kit.db.afterCommit(tx, () => {
    kit.bus.publish(fleetTopics.commandChanged, changedMessage(row))
    const queued: CommandQueuedMessage = { commandId: row.id, vehicleId: given.vehicleId }
    kit.bus.publish(fleetTopics.commandQueued, queued)
  })
  return commandOf(row)
}
