import { defaultAgentId } from '@saddle/contract/constants.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'

/** A bill is one of all companies: people of the platform bring it and decide what differs. */
export const isPlatform = ({ caller }: Pick<SessionCall, 'caller'>): boolean => caller.agentId === defaultAgentId

/** What nobody is known for belongs to the platform's own company, which is in no selection. */
export function viewScope(call: Pick<SessionCall, 'caller' | 'scope'>): Scope {
  const { scope } = call
  return isPlatform(call) ? { ...scope, agentIds: [...scope.agentIds, defaultAgentId] } : scope
}
