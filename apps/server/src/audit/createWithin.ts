import { AppError, type ErrorCode } from '@saddle/contract/errors.ts'
import { sql } from 'kysely'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Audit } from './audit.ts'
import type { AuditDetail } from './records/rules.ts'

/** Waits until others who make or change things of the company have committed. */
export const holdCompany = (tx: Tx, things: string, agentId: number) =>
  sql`select pg_advisory_xact_lock(hashtext(${`${things} ${agentId}`}))`.execute(tx)

/**
 * Makes a thing of which a company has a limited number, and audits that: two people at once do not make one too
 * many. Throws `tooMany`.
 */
export async function createWithin(options: {
  readonly tx: Tx
  readonly call: SessionCall
  readonly audit: Audit
  readonly agentId: number
  readonly kind: string
  readonly action: string
  readonly limit: { readonly max: number; readonly tooMany: ErrorCode }
  readonly count: () => Promise<number>
  readonly insert: () => Promise<{ readonly id: number }>
  readonly after: AuditDetail
}): Promise<number> {
  const { tx, call, audit, agentId, kind, action, limit, count, insert, after } = options
  await holdCompany(tx, kind, agentId)
  if ((await count()) >= limit.max) throw new AppError(limit.tooMany)
  const { id } = await insert()
  await audit.act(tx, call, {
    agentId,
    action,
    subjectKind: kind,
    subjectId: id,
    before: null,
    after,
  })
  return id
}
