import type { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import type { applicationEndpoints, applicationSchema } from '@saddle/contract/organisation/applications.ts'
import type { appearanceEndpoints } from '@saddle/contract/organisation/appearance.ts'
import type { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import type { companyEndpoints } from '@saddle/contract/organisation/companies.ts'
import type { allyEndpoints } from '@saddle/contract/organisation/allies.ts'
import type { personEndpoints } from '@saddle/contract/organisation/people.ts'
import type { reviewEndpoints } from '@saddle/contract/organisation/review.ts'
import type { roleEndpoints } from '@saddle/contract/organisation/roles.ts'
import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'
import type { z } from 'zod'
import type { Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createAgentHandlers } from './agents/handlers.ts'
import { findAgent, insertAgent, type AgentIdentity, type NewAgent } from './agents/store.ts'
import { createAppearanceHandlers, readLogo } from './appearance/handlers.ts'
import { createDecisionHandlers } from './applications/decide.ts'
import { createApplicationHandlers } from './applications/handlers.ts'
import { submitApplication } from './applications/submit.ts'
import { createAreaHandlers } from './areas/handlers.ts'
import { createAreaManagement } from './areas/manage.ts'
import { insertArea, type NewArea } from './areas/store.ts'
import { createCompanyHandlers } from './companies/handlers.ts'
import type { CompanyDeps } from './deps.ts'
import { createAllyHandlers } from './allies/handlers.ts'
import { createPersonHandlers } from './people/handlers.ts'
import type { PeopleParts } from './people/parts.ts'
import { createReviewHandlers } from './review/handlers.ts'
import { createRoleHandlers } from './roles/handlers.ts'
import { insertRole, type NewRole } from './roles/store.ts'

export { organisationKeyed } from './keyed.ts'
export type { NewAgent } from './agents/store.ts'

export type Organisation = {
  readonly handlers: Handlers<
    typeof agentEndpoints &
      Pick<typeof areaEndpoints, 'listServiceAreas'> &
      Pick<typeof applicationEndpoints, 'applyToJoin'>
  >
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

/** Opens, changes and stops companies and their areas. It writes audit records and ends sessions. */
export function createCompanies(parts: CompanyDeps): {
  readonly handlers: Handlers<
    typeof companyEndpoints &
      typeof appearanceEndpoints &
      Omit<typeof areaEndpoints, 'listServiceAreas'> &
      Omit<typeof applicationEndpoints, 'applyToJoin'>
  >
  /** A company's logo, for whoever asks; null when no enabled company shows it. */
  logo(id: string): Promise<ShownPhoto | null>
} {
  return {
    logo: (id) => readLogo(parts, id),
    handlers: {
      ...createAppearanceHandlers(parts),
      ...createCompanyHandlers(parts),
      ...createDecisionHandlers(parts),
      ...createAreaManagement(parts),
    },
  }
}

export type PeopleEndpoints = typeof roleEndpoints &
  typeof personEndpoints &
  typeof allyEndpoints &
  typeof reviewEndpoints

/** Who may do what and where: roles, people, franchisers, and the review of what they add up to. */
export function createPeople(parts: PeopleParts): { readonly handlers: Handlers<PeopleEndpoints> } {
  return {
    handlers: {
      ...createRoleHandlers(parts),
      ...createPersonHandlers(parts),
      ...createAllyHandlers(parts),
      ...createReviewHandlers(parts),
    },
  }
}
