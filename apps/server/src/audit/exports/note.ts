import { sql } from 'kysely'
import type { SessionCall } from '#kit/call.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { boundedEntry, type WriteAudit } from '../records/rules.ts'

export interface ExportedFile {
  readonly exportId: string
  readonly action: string
  readonly detail: Readonly<Record<string, unknown>>
  readonly isFirst: boolean
}

/** See `Audit.noteExport`. */
export async function noteExport(
  { db, write }: { readonly db: Pick<Database, 'withScope'>; readonly write: WriteAudit },
  call: SessionCall,
  file: ExportedFile,
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
  await db.withScope({ agentIds: [agentId], areaIds: [], operatorId }, async (tx) => {
    if (!file.isFirst && (await isNoted(tx, boundedEntry(entry)))) return
    await write(tx, entry)
  })
}

async function isNoted(tx: Tx, entry: ReturnType<typeof boundedEntry>): Promise<boolean> {
  const { rows } = await sql`
    select from audit_record where subject_kind = ${entry.subjectKind} and subject_id = ${entry.subjectId}
      and agent_id = ${entry.agentId} and operator_id = ${entry.operatorId} and action = ${entry.action}
      and after = ${entry.after}::jsonb limit 1`.execute(tx)
  return rows.length > 0
}
