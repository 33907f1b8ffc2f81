import type { Command, CommandKind, CommandParameters, commandEndpoints } from '@saddle/contract/fleet/commands.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { fleetTopics, type CommandQueuedMessage } from '../messages.ts'
import { selectIdentity, type VehicleKey } from '../vehicles/store.ts'
import { vehicleState } from '../vehicles/now.ts'
import { createBatchHandlers } from './batch.ts'
import { refusalOf, statedReason } from './rules.ts'
import { changedMessage, commandOf, findTarget, insertCommand, selectCommands } from './store.ts'

type Parts = Pick<Kit, 'db' | 'clock' | 'bus' | 'random'>
type Order = {
  readonly kind: CommandKind
  readonly reason: string
  readonly parameters?: CommandParameters | undefined
}

export function createCommandHandlers(
  kit: Parts,
  others: { readonly audit: Audit },
): Handlers<typeof commandEndpoints> {
  const give = (call: SessionCall, vehicleId: number, order: Order): Promise<Command> =>
    kit.db.withScope(call.scope, (tx) => giveOne({ kit, tx, call, vehicleId, order, audit: others.audit }))
  const find = async (call: SessionCall, by: VehicleKey): Promise<number> => {
    const [vehicle] = await kit.db.read(call.scope, (kysely) =>
      selectIdentity(kysely, { by, scope: call.scope }).compile(),
    )
    if (vehicle === undefined) throw new AppError('vehicle_not_found')
    return vehicle.id
  }
  return {
    lockVehicle: async ({ vehicleId, ...order }, call) => ({ suc: true, data: await give(call, vehicleId, order) }),

    turnLock: async ({ number, imei, locked, reason }, call) => {
      const vehicleId = await find(call, { number, imei })
      return { suc: true, data: await give(call, vehicleId, { kind: locked ? 'lock' : 'unlock', reason }) }
    },

    openBatteryCompartment: async ({ number, imei, reason }, call) => {
      const vehicleId = await find(call, { number, imei })
      return { suc: true, data: await give(call, vehicleId, { kind: 'open_battery', reason }) }
    },

    ...createBatchHandlers(kit, others),

    listCommands: async ({ vehicleId, limit }, call) => {
      const { scope } = call
      await find(call, { id: vehicleId })
      const rows = await kit.db.read(scope, (kysely) => selectCommands(kysely, { vehicleId, limit, scope }).compile())
      return { suc: true, data: { list: rows.map(commandOf) } }
    },
  }
}

async function giveOne(options: {
  kit: Parts
  tx: Tx
  call: SessionCall
  vehicleId: number
  order: Order
  audit: Audit
}): Promise<Command> {
  const { kit, tx, call, vehicleId, order, audit } = options
  const reason = statedReason(order.reason)
  const target = await findTarget(tx, { vehicleId, scope: call.scope })
  if (target === undefined) throw new AppError('vehicle_not_found')
  if (refusalOf({ state: vehicleState(target.state), kind: order.kind }) !== null) throw new AppError('command_refused')
  const row = await insertCommand(tx, {
    vehicleId,
    agentId: target.agent_id,
    areaId: target.area_id,
    kind: order.kind,
    parameters: order.parameters ?? null,
    batchId: null,
    reason,
    operatorId: call.caller.operatorId,
    operatorName: call.caller.name,
    nowMs: kit.clock.now(),
  })
  if (row === undefined) throw new AppError('command_pending')
  await audit.act(tx, call, {
    agentId: target.agent_id,
    areaId: target.area_id,
    action: `vehicle.${order.kind}`,
    subjectKind: 'vehicle',
    subjectId: String(vehicleId),
    after: { commandId: row.id, number: target.number, reason, ...parametersOf(order) },
  })
  kit.db.afterCommit(tx, () => {
    kit.bus.publish(fleetTopics.commandChanged, changedMessage(row))
    const queued: CommandQueuedMessage = { commandId: row.id, vehicleId }
    kit.bus.publish(fleetTopics.commandQueued, queued)
  })
  return commandOf(row)
}

const parametersOf = ({ parameters }: Order): { parameters?: CommandParameters } =>
  parameters === undefined ? {} : { parameters }
