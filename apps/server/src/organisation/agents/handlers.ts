import type { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import type { Handlers } from '#kit/call.ts'
import { isSameText, sha256 } from '#kit/crypto.ts'
import type { Kit } from '#kit/kit.ts'
import { brandingOf, noBranding, normalisedDomain } from './rules.ts'
import { findAgents, findByDomain } from './store.ts'

type AgentHandlers = Pick<Handlers<typeof agentEndpoints>, 'agentByDomain' | 'listAgentAccounts'>

export function createAgentHandlers(kit: Pick<Kit, 'db'>): AgentHandlers {
  const { db } = kit
  return {
    agentByDomain: async (input) => {
      const row = await findByDomain({ db, domain: normalisedDomain(input.domain) })
      const isKeyWrong =
        row !== null && row.api_key_hash !== null && !isSameText(row.api_key_hash, sha256(input.apiKey))
      if (row === null || isKeyWrong) return { suc: true, data: { agentId: null, branding: noBranding } }
      return { suc: true, data: { agentId: row.id, branding: brandingOf(row) } }
    },

    // The grant and not the selection: the header's selector has to show what else could be selected.
    listAgentAccounts: async (input, { grant }) => ({
      suc: true,
      data: { rows: await findAgents({ db, scope: grant, keyword: input.keyword }) },
    }),
  }
}
