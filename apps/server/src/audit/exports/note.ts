import { sql } from 'kysely'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { boundedEntry } from '../lines/rules.ts'
import type { Audit } from '../audit.ts'

/**
 * Writes down that a file leaves the house, with the caller's own company: a file spans several. A later part of a file
 * whose line is there adds none; one that names no file of this person, or asks for other rows than that file was of,
 * is a file of its own, however its cursor came about. Name nobody in `detail`.
 */
export async function noteExport(
  { kit, audit }: { readonly kit: Pick<Kit, 'db'>; readonly audit: Audit },
  call: SessionCall,
  file: {
    readonly exportId: string
    readonly action: string
    readonly detail: Readonly<Record<string, unknown>>
    readonly isFirst: boolean
  },
): Promise<void> {
  const { agentId, operatorId } = call.caller
  const entry = {
    agentId,
    operatorId,
    action: file.action,
    subjectKind: 'export',
    subjectId: file.exportId,
    after: file.detail,
    address: call.address,
    requestId: call.requestId,
  }
  await kit.db.withScope({ agentIds: [agentId], areaIds: [], operatorId }, async (tx) => {
    if (!file.isFirst && (await isNoted(tx, boundedEntry(entry)))) return
    await audit.write(tx, entry)
  })
}

async function isNoted(tx: Tx, entry: ReturnType<typeof boundedEntry>): Promise<boolean> {
  const { rows } = await sql`
    select from audit_record where subject_kind = ${entry.subjectKind} and subject_id = ${entry.subjectId}
      and agent_id = ${entry.agentId} and operator_id = ${entry.operatorId} and action = ${entry.action}
      and after = ${entry.after}::jsonb limit 1`.execute(tx)
  return rows.length > 0
}
