import { sql } from 'kysely'
import type { Command } from '@saddle/contract/fleet/commands.ts'
import type { Kit } from '#kit/kit.ts'
import type { Scope } from '#kit/db/scope.ts'
import { within } from '#kit/db/within.ts'
import { commandOf, type CommandRow } from './store.ts'

const commandsMax = 100

export type CommandsDuring = {
  readonly scope: Scope
  readonly vehicleId: number
  readonly from: number
  readonly to: number
}

/** What a vehicle was told within a span of time, in its order: evidence of a ride. */
export async function commandsDuring(kit: Pick<Kit, 'db'>, asked: CommandsDuring): Promise<Command[]> {
  const { scope, vehicleId, from, to } = asked
  const query = sql<CommandRow>`
    select c.id, c.vehicle_id, c.agent_id, c.area_id, c.kind, c.parameters, c.batch_id, c.state, c.reason, c.failure,
      c.operator_id, c.operator_name, c.queued_at, c.sent_at, c.acknowledged_at, c.finished_at
    from vehicle_command c
    where c.vehicle_id = ${vehicleId} and c.queued_at >= ${new Date(from)} and c.queued_at <= ${new Date(to)}
      and ${within('c', scope)}
    order by c.id limit ${commandsMax}`
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  return rows.map(commandOf)
}
