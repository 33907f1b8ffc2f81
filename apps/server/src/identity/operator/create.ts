import type { OperatorLevel } from '@saddle/contract/constants.ts'
import type { IdentitySecrets } from '#identity/secrets.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Random } from '#kit/random.ts'

export interface NewOperator {
  readonly agentId: number
  readonly phone: string
  readonly name: string
  readonly level: OperatorLevel
  /** A role of the same franchisee. */
  readonly roleId: number | null
  /** The areas that the operator is limited to; absent: all areas of the franchisee and its sub-franchisees. */
  readonly areaIds?: readonly number[]
}

/** Adds an operator and returns the id. A phone number already in use violates a unique key. */
export async function insertOperator(options: {
  tx: Tx
  random: Random
  secrets: IdentitySecrets
  operator: NewOperator
}): Promise<number> {
  const { tx, random, secrets, operator } = options
  const { agentId, phone, name, level, roleId, areaIds } = operator
  const { id } = await tx
    .insertInto('operator')
    .values({
      agent_id: agentId,
      op_man_id: Buffer.from(random.bytes(12)).toString('hex'),
      phone_hash: secrets.phoneHash(phone),
      phone_sealed: secrets.sealPhone(phone),
      name,
      level,
      role_id: roleId,
      all_areas: areaIds === undefined,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (areaIds !== undefined && areaIds.length > 0) {
    const rows = areaIds.map((areaId) => ({ operator_id: id, agent_id: agentId, area_id: areaId }))
    await tx.insertInto('operator_area').values(rows).execute()
  }
  return id
}
