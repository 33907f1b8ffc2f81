import { sql } from 'kysely'
import {
  commandBatchMax,
  type CommandKind,
  type CommandPreview,
  type commandEndpoints,
} from '@saddle/contract/fleet/commands.ts'
import { byArea, type Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import { fleetTopics, type CommandQueuedMessage } from '../messages.ts'
import { vehicleState } from '../vehicles/now.ts'
import { commandRefusals, outlookOf, statedReason } from './rules.ts'
import { changedMessage, commandColumns, commandOf, insertCommand, type CommandRow } from './store.ts'
import { isHeard, offlineMinutes } from '../states/counted.ts'

type BatchEndpoints = Pick<typeof commandEndpoints, 'previewCommands' | 'commandVehicles' | 'commandBatch'>

/** Commands to many vehicles at once. Vehicles out of reach are left out as if they did not exist. */
export function createBatchHandlers(
  kit: Pick<Kit, 'db' | 'clock' | 'bus' | 'random'>,
  others: { readonly audit: Audit },
): Handlers<BatchEndpoints> {
  return {
    previewCommands: async ({ vehicleIds, kind }, call) => {
      const nowMs = kit.clock.now()
      const list = await kit.db.withScope(call.scope, async (tx) => {
        const targets = await findTargets(tx, { vehicleIds, kind, scope: call.scope })
        return targets.map((target) => previewOf({ target, kind, nowMs }))
      })
      return { suc: true, data: { list } }
    },

    commandVehicles: async ({ vehicleIds, ...order }, call) =>
      kit.db.withScope(call.scope, async (tx) => {
        const nowMs = kit.clock.now()
        const batchId = randomUuid(kit.random)
        const refused: CommandPreview[] = []
        const given: CommandRow[] = []
        const targets = await findTargets(tx, { vehicleIds, kind: order.kind, scope: call.scope })
        for (const target of targets) {
          const preview = previewOf({ target, kind: order.kind, nowMs })
          const row =
            preview.outlook === 'refused' ? undefined : await insertFor({ tx, call, target, order, batchId, nowMs })
          if (row !== undefined) given.push(row)
          // Somebody else may have been quicker between the look and the leap.
          else refused.push({ ...preview, outlook: 'refused', refusal: preview.refusal ?? commandRefusals.pending })
        }
        await writeAudit({ tx, call, audit: others.audit, order, batchId, given })
        kit.db.afterCommit(tx, () => {
          for (const row of given) {
            kit.bus.publish(fleetTopics.commandChanged, changedMessage(row))
            const queued: CommandQueuedMessage = { commandId: row.id, vehicleId: row.vehicle_id }
            kit.bus.publish(fleetTopics.commandQueued, queued)
          }
        })
        return { suc: true, data: { batchId, commands: given.map(commandOf), refused } }
      }),

    commandBatch: async ({ batchId }, call) => {
      const { agentIds, areaIds } = call.scope
      const rows = await kit.db.read(call.scope, (kysely) =>
        kysely
          .selectFrom('vehicle_command')
          .select(commandColumns)
          .where('batch_id', '=', batchId)
          .where('agent_id', '=', sql<number>`any (${agentIds}::bigint[])`)
          .where('area_id', '=', sql<number>`any (${areaIds}::bigint[])`)
          .orderBy('id')
          .limit(commandBatchMax)
          .compile(),
      )
      return { suc: true, data: { commands: rows.map(commandOf) } }
    },
  }
}

type Target = {
  id: number
  number: string
  agent_id: number
  area_id: number
  state: string
  heard_at: Date | null
  offline_minutes: number
  is_pending: boolean
}

async function findTargets(
  tx: Tx,
  options: { vehicleIds: readonly number[]; kind: CommandKind; scope: Scope },
): Promise<Target[]> {
  const { vehicleIds, kind, scope } = options
  const { rows } = await sql<Target>`
    select v.id, v.number, v.agent_id, v.area_id, v.state, s.heard_at, ${offlineMinutes} as offline_minutes, exists (
      select from vehicle_command c where c.vehicle_id = v.id and c.kind = ${kind}
        and c.state in ('queued', 'sent', 'acknowledged')
    ) as is_pending
    from vehicle v
    join device d on d.vehicle_id = v.id
    join vehicle_status s on s.vehicle_id = v.id
    where v.id = any (${vehicleIds}::bigint[]) and v.agent_id = any (${scope.agentIds}::bigint[])
      and v.area_id = any (${scope.areaIds}::bigint[])
    order by v.number limit ${commandBatchMax}`.execute(tx)
  return rows
}

function previewOf(options: { target: Target; kind: CommandKind; nowMs: number }): CommandPreview {
  const { target, kind, nowMs } = options
  const isOnline = isHeard(target.heard_at?.getTime() ?? null, target.offline_minutes, nowMs)
  const outlook = outlookOf({ state: vehicleState(target.state), kind, isOnline, isPending: target.is_pending })
  return { vehicleId: target.id, number: target.number, ...outlook }
}

type Order = Pick<Parameters<typeof insertCommand>[1], 'kind' | 'reason'> & {
  readonly parameters?: Parameters<typeof insertCommand>[1]['parameters'] | undefined
}

async function insertFor(options: {
  tx: Tx
  call: SessionCall
  target: Target
  order: Order
  batchId: string
  nowMs: number
}): Promise<CommandRow | undefined> {
  const { tx, call, target, order, batchId, nowMs } = options
  return await insertCommand(tx, {
    vehicleId: target.id,
    agentId: target.agent_id,
    areaId: target.area_id,
    kind: order.kind,
    parameters: order.parameters ?? null,
    batchId,
    reason: statedReason(order.reason),
    operatorId: call.caller.operatorId,
    operatorName: call.caller.name,
    nowMs,
  })
}

/** One line for each company and area whose vehicles were commanded: 500 lines would hold up every other writer of the trail. */
async function writeAudit(options: {
  tx: Tx
  call: SessionCall
  audit: Audit
  order: Order
  batchId: string
  given: readonly CommandRow[]
}): Promise<void> {
  const { tx, call, audit, order, batchId, given } = options
  for (const { agentId, areaId, rows } of byArea(given)) {
    await audit.act(tx, call, {
      agentId,
      areaId,
      action: `vehicle.batch_${order.kind}`,
      subjectKind: 'command_batch',
      subjectId: batchId,
      about: rows.map((row) => ({ kind: 'vehicle', id: row.vehicle_id })),
      after: {
        vehicleIds: rows.map((row) => row.vehicle_id),
        reason: statedReason(order.reason),
        ...(order.parameters === undefined ? {} : { parameters: order.parameters }),
      },
    })
  }
}
