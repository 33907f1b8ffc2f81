import type { Command } from '@saddle/contract/fleet/commands.ts'
import type { Kit } from '#kit/kit.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { aliasedCommandRow, commandOf } from './store.ts'

const commandsMax = 100

export type CommandsDuring = {
  readonly scope: Scope
  readonly vehicleId: number
  readonly from: number
  readonly to: number
}

/** The commands sent to a vehicle within a span of time, in order: evidence of a ride. */
export async function commandsDuring(kit: Pick<Kit, 'db'>, asked: CommandsDuring): Promise<Command[]> {
  const { scope, vehicleId, from, to } = asked
  const query = aliasedCommandRow.select`
    from vehicle_command c
    where c.vehicle_id = ${vehicleId} and c.queued_at >= ${new Date(from)} and c.queued_at <= ${new Date(to)}
      and ${tenantFilter('c', scope)}
    order by c.id limit ${commandsMax}`
  const rows = await kit.db.read(scope, (k) => query.compile(k))
  return rows.map(commandOf)
}
