import type { commandEndpoints } from '@saddle/contract/fleet/commands.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { fleetTopics, type CommandQueuedMessage } from '../messages.ts'
import { selectIdentity } from '../vehicles/store.ts'
import { vehicleState } from '../vehicles/now.ts'
import { mayCommand } from './rules.ts'
import { changedMessage, commandOf, findTarget, insertCommand, selectCommands } from './store.ts'

export function createCommandHandlers(
  kit: Pick<Kit, 'db' | 'clock' | 'bus'>,
  others: { readonly audit: Audit },
): Handlers<typeof commandEndpoints> {
  return {
    lockVehicle: async ({ vehicleId, kind, reason }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const target = await findTarget(tx, { vehicleId, scope: call.scope })
        if (target === undefined) throw new AppError('vehicle_not_found')
        if (!mayCommand({ state: vehicleState(target.state), kind })) throw new AppError('command_refused')
        const row = await insertCommand(tx, {
          vehicleId,
          agentId: target.agent_id,
          areaId: target.area_id,
          kind,
          reason,
          operatorId: call.caller.operatorId,
          operatorName: call.caller.name,
          nowMs: kit.clock.now(),
        })
        if (row === undefined) throw new AppError('command_pending')
        await others.audit.write(tx, {
          agentId: target.agent_id,
          operatorId: call.caller.operatorId,
          action: `vehicle.${kind}`,
          subjectKind: 'vehicle',
          subjectId: String(vehicleId),
          after: { commandId: row.id, number: target.number, reason },
          address: call.address,
          requestId: call.requestId,
        })
        kit.db.afterCommit(tx, () => {
          kit.bus.publish(fleetTopics.commandChanged, changedMessage(row))
          const queued: CommandQueuedMessage = { commandId: row.id, vehicleId }
          kit.bus.publish(fleetTopics.commandQueued, queued)
        })
        return { suc: true, data: commandOf(row) }
      }),

    listCommands: async ({ vehicleId, limit }, call) => {
      const { scope } = call
      const [vehicle] = await kit.db.read(scope, (kysely) =>
        selectIdentity(kysely, { by: { id: vehicleId }, scope }).compile(),
      )
      if (vehicle === undefined) throw new AppError('vehicle_not_found')
      const rows = await kit.db.read(scope, (kysely) => selectCommands(kysely, { vehicleId, limit, scope }).compile())
      return { suc: true, data: { list: rows.map(commandOf) } }
    },
  }
}
