import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { applicationEndpoints } from '@saddle/contract/organisation/applications.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { companyEndpoints } from '@saddle/contract/organisation/companies.ts'
import { fenceEndpoints } from '@saddle/contract/geography/fences.ts'

/** Everything that shows companies, areas or applications: read again after a change of any, the header's lists too. */
export const companyCalls = [
  companyEndpoints.agentTree,
  companyEndpoints.adminAgentTree,
  areaEndpoints.areasOfAgent,
  areaEndpoints.areasOfOperator,
  companyEndpoints.agentUses,
  areaEndpoints.areaUses,
  applicationEndpoints.listApplications,
  agentEndpoints.listAgentAccounts,
  areaEndpoints.listServiceAreas,
  fenceEndpoints.listFences,
]
