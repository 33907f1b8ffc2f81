import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Database } from '#kit/db/pool.ts'
import { findAgent } from './store.ts'

/**
 * Throws forbidden unless the caller works for the platform itself. A franchisee may hold any code by a role of its own;
 * what is the platform's alone does not hang on a code.
 */
export async function checkPlatform(db: Database, { caller, grant }: SessionCall): Promise<void> {
  const own = await findAgent({ db, scope: grant, agentId: caller.agentId })
  if (own?.isRoot !== true) throw new AppError('forbidden')
}
