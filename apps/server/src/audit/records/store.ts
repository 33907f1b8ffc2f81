import type { Tx } from '#kit/db/pool.ts'
import type { BoundedEntry } from './rules.ts'

/** Sequence and hashes are set by the table's trigger. */
export async function insertRecord(options: { tx: Tx; at: Date; entry: BoundedEntry }): Promise<void> {
  const { tx, at, entry } = options
  const { id } = await tx
    .insertInto('audit_record')
    .values({
      agent_id: entry.agentId,
      area_id: entry.areaId,
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
    .returning('id')
    .executeTakeFirstOrThrow()
  if (entry.about.length === 0) return
  await tx
    .insertInto('audit_mention')
    .values(
      entry.about.map(({ kind, id: subjectId }) => ({
        line_id: id,
        agent_id: entry.agentId,
        subject_kind: kind,
        subject_id: subjectId,
        at,
      })),
    )
    .execute()
}
