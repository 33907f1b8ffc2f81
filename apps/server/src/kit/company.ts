import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'

/** The company that is meant; the caller's own where none is named. */
export function companyOf({ scope, caller }: SessionCall, agentId: number | undefined): number {
  const meant = agentId ?? caller.agentId
  if (!scope.agentIds.includes(meant)) throw new AppError('foreign_scope')
  return meant
}
