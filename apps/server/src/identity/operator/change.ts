import type { OperatorLevel } from '@saddle/contract/constants.ts'
import { sql } from 'kysely'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, countRow, rowOfValues } from '#kit/db/rows.ts'

export interface OperatorChange {
  readonly operatorId: number
  readonly agentId: number
  /** The version that was edited. */
  readonly version: number
  readonly name: string
  readonly level: OperatorLevel
  readonly roleId: number | null
  /** `ids`: named areas, within `seen`; areas outside of `seen` stay as they are. */
  readonly areas: 'all' | { readonly ids: readonly number[]; readonly seen: readonly number[] }
}

/** Changes an operator in the caller's transaction; false when the row was changed meanwhile. */
export async function changeOperator(tx: Tx, change: OperatorChange): Promise<boolean> {
  const { operatorId, agentId, version, name, level, roleId, areas } = change
  const result = await tx
    .updateTable('operator')
    .set({ name, level, role_id: roleId, all_areas: areas === 'all', version: version + 1 })
    .where('id', '=', operatorId)
    .where('agent_id', '=', agentId)
    .where('version', '=', version)
    .where('state', '<>', 'removed')
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) return false
  const held = tx.deleteFrom('operator_area').where('operator_id', '=', operatorId).where('agent_id', '=', agentId)
  if (areas === 'all') {
    await held.execute()
    return true
  }
  await held.where((eb) => eb('area_id', '=', eb.fn.any(eb.val(areas.seen)))).execute()
  if (areas.ids.length > 0) {
    const rows = areas.ids.map((areaId) => ({ operator_id: operatorId, agent_id: agentId, area_id: areaId }))
    await tx.insertInto('operator_area').values(rows).execute()
  }
  return true
}

type OperatorRef = { readonly operatorId: number; readonly agentId: number }

/** Enables or disables an operator in the caller's transaction. */
export async function setOperatorState(
  tx: Tx,
  given: OperatorRef & { readonly state: 'enabled' | 'disabled' },
): Promise<void> {
  await tx
    .updateTable('operator')
    .set({ state: given.state, version: sql`version + 1` })
    .where('id', '=', given.operatorId)
    .where('agent_id', '=', given.agentId)
    .where('state', '<>', 'removed')
    .execute()
}

/** Erases phone number, role, areas and login devices. The name stays for the audit log. */
export async function removeOperator(tx: Tx, given: OperatorRef & { readonly at: Date }): Promise<void> {
  const { operatorId, agentId, at } = given
  for (const table of ['operator_area', 'operator_device'] as const) {
    await tx.deleteFrom(table).where('operator_id', '=', operatorId).where('agent_id', '=', agentId).execute()
  }
  await tx
    .updateTable('operator')
    .set({
      state: 'removed',
      removed_at: at,
      phone_hash: null,
      phone_sealed: null,
      role_id: null,
      support_account: null,
      totp_enabled_at: null,
      version: sql`version + 1`,
    })
    .where('id', '=', operatorId)
    .where('agent_id', '=', agentId)
    .execute()
}

/** Counts the operator's live sessions and known browsers. */
export async function operatorUses(db: Database, operatorId: number): Promise<{ sessions: number; devices: number }> {
  const [row] = await db.systemRead((k) =>
    rowOfValues({
      sessions: computed(
        'bigint',
        sql`(select count(*) from session where operator_id = ${operatorId} and revoked_at is null)`,
      ),
      devices: computed('bigint', sql`(select count(*) from operator_device where operator_id = ${operatorId})`),
    }).select`
      `.compile(k),
  )
  return row ?? { sessions: 0, devices: 0 }
}

/** Counts the areas an operator is limited to, including those outside the caller's scope. */
export async function countNamedAreas(db: Database, operatorId: number): Promise<number> {
  const [row] = await db.systemRead((k) =>
    countRow.select`from operator_area where operator_id = ${operatorId}`.compile(k),
  )
  return row?.count ?? 0
}
