import type { Tx } from '#kit/db/pool.ts'
import type { BoundedEntry } from './rules.ts'

/** Sequence and hashes are set by the table's trigger. */
export async function insertLine(options: { tx: Tx; at: Date; entry: BoundedEntry }): Promise<void> {
  const { tx, at, entry } = options
  await tx
    .insertInto('audit_line')
    .values({
      agent_id: entry.agentId,
      at,
      operator_id: entry.operatorId,
      action: entry.action,
      subject_kind: entry.subjectKind,
      subject_id: entry.subjectId,
      before: entry.before,
      after: entry.after,
      address: entry.address,
      request_id: entry.requestId,
    })
    .execute()
}
