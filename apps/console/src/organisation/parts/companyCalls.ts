import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { applicationEndpoints } from '@saddle/contract/organisation/applications.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { franchiseEndpoints } from '@saddle/contract/organisation/franchise.ts'
import { fenceEndpoints } from '@saddle/contract/geography/fences.ts'

/** Everything that shows companies, areas or applications: read again after a change of any, the header's lists too. */
export const companyCalls = [
  franchiseEndpoints.agentTree,
  franchiseEndpoints.adminAgentTree,
  franchiseEndpoints.areasOfAgent,
  franchiseEndpoints.areasOfOperator,
  franchiseEndpoints.agentUses,
  franchiseEndpoints.areaUses,
  applicationEndpoints.listApplications,
  agentEndpoints.listAgentAccounts,
  areaEndpoints.listServiceAreas,
  fenceEndpoints.listFences,
]
