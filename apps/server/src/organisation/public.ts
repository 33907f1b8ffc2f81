import type { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import type { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import type { Handlers } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createAgentHandlers } from './agents/handlers.ts'
import { findAgent, type AgentIdentity } from './agents/store.ts'
import { createApplicationHandlers } from './applications/handlers.ts'
import { createAreaHandlers } from './areas/handlers.ts'

export type { AgentIdentity } from './agents/store.ts'

export type Organisation = {
  readonly handlers: Handlers<typeof agentEndpoints> & Handlers<typeof areaEndpoints>
  /** Company and place in the tree of one agent of the scope; null when it lies outside. */
  agent(scope: Scope, agentId: number): Promise<AgentIdentity | null>
}

export function createOrganisation(kit: Kit): Organisation {
  return {
    handlers: { ...createAgentHandlers(kit), ...createApplicationHandlers(kit), ...createAreaHandlers(kit) },
    agent: (scope, agentId) => findAgent({ db: kit.db, scope, agentId }),
  }
}
