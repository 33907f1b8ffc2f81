import type { agentEndpoints, applicationSchema } from '@saddle/contract/organisation/agents.ts'
import type { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import type { z } from 'zod'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createAgentHandlers } from './agents/handlers.ts'
import { findAgent, insertAgent, type AgentIdentity, type NewAgent } from './agents/store.ts'
import { createApplicationHandlers } from './applications/handlers.ts'
import { submitApplication } from './applications/submit.ts'
import { createAreaHandlers } from './areas/handlers.ts'
import { insertArea, type NewArea } from './areas/store.ts'
import { insertRole, type NewRole } from './roles/store.ts'

export type { NewAgent } from './agents/store.ts'

export type Organisation = {
  readonly handlers: Handlers<typeof agentEndpoints> & Handlers<typeof areaEndpoints>
  /** Company and place in the tree of one agent of the scope; null when it lies outside. */
  agent(scope: Scope, agentId: number): Promise<AgentIdentity | null>
  /** Adds an agent in the caller's transaction and returns its id. New tenants lie in nobody's scope: system only. */
  addAgent(tx: Tx, agent: NewAgent): Promise<number>
  /** Adds a service area in the caller's transaction and returns its id; system only, like `addAgent`. */
  addArea(tx: Tx, area: NewArea): Promise<number>
  /** Adds a role in the caller's transaction, which must see the agent, and returns its id. */
  addRole(tx: Tx, role: NewRole): Promise<number>
  /** Stores an application to join and returns its number. Throws application_duplicate. */
  submitApplication(application: z.output<typeof applicationSchema>): Promise<string>
}

export function createOrganisation(kit: Kit): Organisation {
  return {
    handlers: { ...createAgentHandlers(kit), ...createApplicationHandlers(kit), ...createAreaHandlers(kit) },
    agent: (scope, agentId) => findAgent({ db: kit.db, scope, agentId }),
    addAgent: (tx, agent) => insertAgent({ tx, agent }),
    addArea: (tx, area) => insertArea({ tx, area }),
    addRole: (tx, role) => insertRole({ tx, role }),
    submitApplication: (application) => submitApplication(kit, application),
  }
}
