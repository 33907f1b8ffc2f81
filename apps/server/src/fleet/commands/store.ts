import { sql, type Kysely } from 'kysely'
import {
  commandLifetimeMs,
  commandKinds,
  commandParametersSchema,
  commandStates,
  type Command,
  type CommandKind,
  type CommandParameters,
} from '@saddle/contract/fleet/commands.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'
import { codeOf } from '#kit/codes.ts'
import type { CommandChangedMessage } from '../messages.ts'
import { commandAnswerMs, statesBefore } from './rules.ts'

export const commandColumns = [
  'id',
  'vehicle_id',
  'agent_id',
  'area_id',
  'kind',
  'parameters',
  'batch_id',
  'state',
  'reason',
  'failure',
  'operator_id',
  'operator_name',
  'queued_at',
  'sent_at',
  'acknowledged_at',
  'finished_at',
] as const

const commandRow = rowOf('vehicle_command', commandColumns)
/** The same of `vehicle_command c`, for statements over several tables. */
export const aliasedCommandRow = rowOf('vehicle_command', 'c', commandColumns)
export type CommandRow = RowOf<typeof commandRow>

export function commandOf(row: CommandRow): Command {
  return {
    id: row.id,
    vehicleId: row.vehicle_id,
    kind: codeOf(commandKinds, row.kind),
    parameters: row.parameters === null ? null : commandParametersSchema.parse(row.parameters),
    batchId: row.batch_id,
    state: codeOf(commandStates, row.state),
    reason: row.reason,
    operatorName: row.operator_name,
    failure: row.failure,
    queuedAt: row.queued_at.getTime(),
    sentAt: row.sent_at?.getTime() ?? null,
    acknowledgedAt: row.acknowledged_at?.getTime() ?? null,
    finishedAt: row.finished_at?.getTime() ?? null,
  }
}

export function changedMessage(row: CommandRow): CommandChangedMessage {
  return { agentId: row.agent_id, areaId: row.area_id, operatorId: row.operator_id, command: commandOf(row) }
}

/** The vehicle within the scope, with what a command needs to know; undefined when there is none. */
export async function findTarget(tx: Tx, options: { vehicleId: number; scope: Scope }) {
  const { vehicleId, scope } = options
  return await tx
    .selectFrom('vehicle as v')
    .innerJoin('device as d', 'd.vehicle_id', 'v.id')
    .select(['v.id', 'v.number', 'v.agent_id', 'v.area_id', 'v.state'])
    .where('v.id', '=', vehicleId)
    .where('v.agent_id', '=', sql<number>`any (${scope.agentIds}::bigint[])`)
    .where('v.area_id', '=', sql<number>`any (${scope.areaIds}::bigint[])`)
    .executeTakeFirst()
}

export type NewCommand = {
  vehicleId: number
  agentId: number
  areaId: number
  kind: CommandKind
  parameters: CommandParameters | null
  batchId: string | null
  reason: string
  operatorId: number
  operatorName: string
  nowMs: number
}

/** The queued command; undefined when one of this kind is still pending for the vehicle. */
export async function insertCommand(tx: Tx, command: NewCommand): Promise<CommandRow | undefined> {
  return await tx
    .insertInto('vehicle_command')
    .values({
      vehicle_id: command.vehicleId,
      agent_id: command.agentId,
      area_id: command.areaId,
      kind: command.kind,
      parameters: command.parameters === null ? null : JSON.stringify(command.parameters),
      batch_id: command.batchId,
      state: 'queued',
      reason: command.reason,
      operator_id: command.operatorId,
      operator_name: command.operatorName,
      queued_at: new Date(command.nowMs),
      expires_at: new Date(command.nowMs + commandLifetimeMs),
    })
    // Literals, not parameters: with a generic plan PostgreSQL could not tell that the partial index is meant.
    .onConflict((conflict) =>
      conflict
        .columns(['vehicle_id', 'kind'])
        .where(sql<boolean>`state in ('queued', 'sent', 'acknowledged')`)
        .doNothing(),
    )
    .returning(commandColumns)
    .executeTakeFirst()
}

/**
 * Takes the oldest queued command of the vehicle and marks it sent: of several gateways, one gets it, and in a cluster only
 * the one that has the vehicle's lease (`gatewayId`).
 */
export async function claimNext(
  tx: Tx,
  options: { vehicleId: number; nowMs: number; gatewayId: string | null },
): Promise<CommandRow | undefined> {
  const { vehicleId, nowMs, gatewayId } = options
  const { rows } = await commandRow.returning`
    update vehicle_command set
      state = 'sent', sent_at = ${new Date(nowMs)}, expires_at = ${new Date(nowMs + commandAnswerMs)}
    where id = (
      select id from vehicle_command
      where vehicle_id = ${vehicleId} and state = 'queued' and expires_at > ${new Date(nowMs)}
        and (${gatewayId}::uuid is null or exists (
          select from device_lease l where l.vehicle_id = ${vehicleId} and l.gateway_id = ${gatewayId}::uuid))
      order by id limit 1 for update skip locked
    )`.execute(tx)
  return rows[0]
}

/** Puts a claimed command back, as old as it is; undefined when it has moved on or ended since. */
export async function unclaim(tx: Tx, commandId: number): Promise<CommandRow | undefined> {
  const lifetime = `${commandLifetimeMs} milliseconds`
  const { rows } = await commandRow.returning`
    update vehicle_command set state = 'queued', sent_at = null, expires_at = queued_at + ${lifetime}::interval
    where id = ${commandId} and state = 'sent'`.execute(tx)
  return rows[0]
}

/**
 * Requeues what a dead server, or another gateway of the cluster, had sent to these vehicles (null: to all), since no process
 * waits for those answers any more. Repeating a lock or unlock is harmless; other kinds are not sent again. A lock gets
 * its full time again, because the rider no longer needs the vehicle; an unlock keeps its deadline, so that no vehicle
 * opens after its rider has left.
 */
export async function requeueSent(
  tx: Tx,
  { nowMs, vehicleIds }: { nowMs: number; vehicleIds: readonly number[] | null },
): Promise<CommandRow[]> {
  const lifetime = `${commandLifetimeMs} milliseconds`
  const { rows } = await commandRow.returning`
    update vehicle_command set state = 'queued', sent_at = null, acknowledged_at = null,
      expires_at = case kind when 'lock' then ${new Date(nowMs)}::timestamptz else queued_at end + ${lifetime}::interval
    where state in ('sent', 'acknowledged') and kind in ('lock', 'unlock')
      and (${vehicleIds}::bigint[] is null or vehicle_id = any (${vehicleIds}::bigint[]))`.execute(tx)
  return rows
}

export type CommandStep = {
  readonly commandId: number
  /** Must be the command's own vehicle: a vehicle's report never changes another vehicle's command. */
  readonly vehicleId: number
  readonly kind: CommandKind
} & ({ readonly to: 'acknowledged' | 'confirmed' } | { readonly to: 'failed' | 'expired'; readonly failure: string })

/** Moves a command on; undefined when it is not in a state from which it may. */
export async function moveCommand(tx: Tx, step: CommandStep, nowMs: number): Promise<CommandRow | undefined> {
  const at = new Date(nowMs)
  return await tx
    .updateTable('vehicle_command')
    .set(step.to === 'acknowledged' ? { acknowledged_at: at } : { finished_at: at })
    .set({ state: step.to, failure: 'failure' in step ? step.failure : null })
    .where('id', '=', step.commandId)
    .where('vehicle_id', '=', step.vehicleId)
    .where('kind', '=', step.kind)
    .where('state', 'in', statesBefore(step.to))
    .returning(commandColumns)
    .executeTakeFirst()
}

/** What was sent and has not ended, at most one of each kind. The literals name the partial index. */
export function selectUnderWay(kysely: Kysely<DB>, vehicleId: number) {
  return kysely
    .selectFrom('vehicle_command')
    .select(commandColumns)
    .where('vehicle_id', '=', vehicleId)
    .where(sql<boolean>`state in ('queued', 'sent', 'acknowledged')`)
    .where('state', 'in', ['sent', 'acknowledged'])
    .orderBy('id')
}

/** Ends at most `limit` commands whose time is over. */
export async function expireDue(
  tx: Tx,
  options: { nowMs: number; limit: number; notDelivered: string; noAnswer: string },
): Promise<CommandRow[]> {
  const at = new Date(options.nowMs)
  const { rows } = await commandRow.returning`
    update vehicle_command set
      failure = case state when 'queued' then ${options.notDelivered} else ${options.noAnswer} end,
      state = 'expired', finished_at = ${at}
    where id in (
      select id from vehicle_command
      where state in ('queued', 'sent', 'acknowledged') and expires_at <= ${at}
      order by expires_at limit ${options.limit} for update skip locked
    )`.execute(tx)
  return rows
}

/** The latest commands of a vehicle within the scope, newest first; null when the vehicle is not within it. */
export function selectCommands(kysely: Kysely<DB>, options: { vehicleId: number; limit: number; scope: Scope }) {
  const { vehicleId, limit, scope } = options
  return kysely
    .selectFrom('vehicle_command')
    .select(commandColumns)
    .where('vehicle_id', '=', vehicleId)
    .where('agent_id', '=', sql<number>`any (${scope.agentIds}::bigint[])`)
    .where('area_id', '=', sql<number>`any (${scope.areaIds}::bigint[])`)
    .orderBy('id', 'desc')
    .limit(limit)
}
