import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { useEndpoint } from '#kit/query.ts'

/** The service areas that the person has, by company: the area says whose a vehicle is. */
export function useAreaOptions(): readonly { readonly value: number; readonly label: string }[] {
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000, quiet: true })
  const agents = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000, quiet: true })
  const companies = new Map((agents.data?.data.rows ?? []).map(({ agentId, company }) => [agentId, company]))
  return (areas.data?.data.list ?? []).map(({ id, name, agentId }) => {
    const company = companies.get(agentId)
    return { value: id, label: company === undefined ? name : `${company} · ${name}` }
  })
}
