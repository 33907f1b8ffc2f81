import type { Permission } from '@saddle/contract/permissions.ts'
import type { Tx } from '#kit/db/pool.ts'

export interface NewRole {
  readonly agentId: number
  readonly name: string
  readonly codes: readonly Permission[]
}

/** Adds a role with its codes and returns its id. A name that the agent already uses violates a unique key. */
export async function insertRole(options: { tx: Tx; role: NewRole }): Promise<number> {
  const { tx, role } = options
  const { id } = await tx
    .insertInto('role')
    .values({ agent_id: role.agentId, name: role.name })
    .returning('id')
    .executeTakeFirstOrThrow()
  const codes = role.codes.map((code) => ({ role_id: id, agent_id: role.agentId, code }))
  if (codes.length > 0) await tx.insertInto('role_permission').values(codes).execute()
  return id
}
