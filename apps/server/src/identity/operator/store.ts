import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db/pool.ts'

/** The operator of a phone number, with the columns that login reads. */
export interface LoginOperator {
  readonly id: number
  readonly agentId: number
  readonly roleId: number | null
  readonly opManId: string
  readonly phoneSealed: string
  readonly lastLoginAt: Date | null
  /** False when the operator or their franchisee is disabled. */
  readonly isEnabled: boolean
}

export function findOperatorByPhone(tx: Tx, phoneHash: string): Promise<LoginOperator | null> {
  return findOperator(tx, sql`operator.phone_hash = ${phoneHash}`)
}

export function findOperatorById(tx: Tx, id: number): Promise<LoginOperator | null> {
  return findOperator(tx, sql`operator.id = ${id}`)
}

/** Locks the row until the commit, so that a login and the disabling of its operator are serialised. */
async function findOperator(tx: Tx, condition: RawBuilder<unknown>): Promise<LoginOperator | null> {
  const { rows } = await sql<LoginOperator>`
    select operator.id, operator.agent_id as "agentId", operator.role_id as "roleId",
      operator.op_man_id as "opManId", operator.phone_sealed as "phoneSealed",
      operator.last_login_at as "lastLoginAt",
      operator.state = 'enabled' and agent.state = 'enabled' as "isEnabled"
    from operator join agent on agent.id = operator.agent_id
    where ${condition}
    for update of operator`.execute(tx)
  return rows[0] ?? null
}
