import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'

/** The operator of a phone number, with the columns that login reads. */
const loginOperatorRow = rowsOf(
  rowOf('operator', 'operator', [
    'id',
    'agent_id as agentId',
    'role_id as roleId',
    'op_man_id as opManId',
    'phone_sealed as phoneSealed',
    'last_login_at as lastLoginAt',
  ]),
  rowOfValues({ isEnabled: computed('boolean', sql`operator.state = 'enabled' and agent.state = 'enabled'`) }),
).filled('phoneSealed')
export type LoginOperator = RowOf<typeof loginOperatorRow>

export function findOperatorByPhone(tx: Tx, phoneHash: string): Promise<LoginOperator | null> {
  return findOperator(tx, sql`operator.phone_hash = ${phoneHash}`)
}

export function findOperatorById(tx: Tx, id: number): Promise<LoginOperator | null> {
  return findOperator(tx, sql`operator.id = ${id}`)
}

/** Locks the row until the commit, so that a login and the disabling of its operator are serialised. */
async function findOperator(tx: Tx, condition: RawBuilder<unknown>): Promise<LoginOperator | null> {
  const { rows } = await loginOperatorRow.select`
    from operator join agent on agent.id = operator.agent_id
    where ${condition}
    for update of operator`.execute(tx)
  return rows[0] ?? null
}
