import { sql } from 'kysely'
import { defaultAgentId } from '@saddle/contract/constants.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'

/** As many people as one notice may name. */
const workersMax = 200

const answersTickets = sql`o.agent_id = ${defaultAgentId} and o.state = 'enabled' and exists (
  select from role r join role_permission p on p.role_id = r.id
  where r.id = o.role_id and r.state = 'enabled' and p.code = '1801')`

const workerRow = rowsOf(
  rowOf('operator', 'o', ['id', 'name']),
  rowOfValues({
    unfinished: computed(
      'bigint',
      sql`(select count(*)::integer from feedback_ticket f where f.assignee_id = o.id and not f.is_done)`,
    ),
  }),
)

/** Staff of the platform who answer tickets, the least busy first; nobody outside the scope. */
export const selectWorkers = (scope: Scope) =>
  workerRow.select`
    from operator o where o.agent_id = any (${scope.agentIds}::bigint[]) and ${answersTickets}
    order by unfinished, o.name, o.id limit ${workersMax}`

const personRow = rowOf('operator', 'o', ['id', 'name'])

/** The person, if they answer tickets. */
export async function findWorker(
  tx: Tx,
  { scope, operatorId }: { readonly scope: Scope; readonly operatorId: number },
): Promise<{ readonly operatorId: number; readonly name: string } | undefined> {
  const { rows } = await personRow.select`
    from operator o
    where o.id = ${operatorId} and o.agent_id = any (${scope.agentIds}::bigint[]) and ${answersTickets}`.execute(tx)
  const [found] = rows
  return found === undefined ? undefined : { operatorId: found.id, name: found.name }
}

const idRow = rowOf('operator', 'o', ['id'])

/** Everybody who answers tickets; requests of other companies do not see them, so it is asked as the system. */
export const selectWorkerIds = () =>
  idRow.select`from operator o where ${answersTickets} order by o.id limit ${workersMax}`
