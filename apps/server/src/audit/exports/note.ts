import type { SessionCall } from '#kit/call.ts'
import type { Database } from '#kit/db/pool.ts'
import type { WriteAudit } from '../records/rules.ts'

export interface ExportedFile {
  readonly exportId: string
  readonly action: string
  readonly detail: Readonly<Record<string, unknown>>
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
    await write(tx, entry)
  })
}
