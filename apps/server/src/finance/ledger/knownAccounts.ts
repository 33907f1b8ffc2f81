import type { AccountKind } from '@saddle/contract/finance/ledger.ts'
import type { AccountName } from './rules.ts'

export type KnownAccounts = {
  get(agentId: number, account: AccountName): number | undefined
  keep(agentId: number, account: AccountName, id: number): void
}

/**
 * Numbers of open accounts; begins anew when it holds as many as it may. By kind, agent and owner and not by one text of
 * them: every entry asks for each of its accounts, and to build and hash a text takes longer than three look-ups.
 */
export function createKnownAccounts(maxAccounts: number): KnownAccounts {
  const kinds = new Map<AccountKind, Map<number, Map<number, number>>>()
  let count = 0
  return {
    get: (agentId, { kind, ownerId = 0 }) => kinds.get(kind)?.get(agentId)?.get(ownerId),
    keep: (agentId, { kind, ownerId = 0 }, id) => {
      if (count >= maxAccounts) {
        kinds.clear()
        count = 0
      }
      const agents = kinds.get(kind) ?? new Map<number, Map<number, number>>()
      kinds.set(kind, agents)
      const owners = agents.get(agentId) ?? new Map<number, number>()
      agents.set(agentId, owners)
      if (!owners.has(ownerId)) count += 1
      owners.set(ownerId, id)
    },
  }
}
