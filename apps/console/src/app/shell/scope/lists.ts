import { pageSizeMax, scopeListMax } from '@saddle/contract/constants.ts'
import { coreErrorText } from '@saddle/contract/coreErrors.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { call } from '#kit/api/client.ts'
import type { ScopeOption } from './rules.ts'

/** The list of a selector failed to load or is empty; the message is the catalogue's text. */
class ScopeListError extends Error {
  override readonly name = 'ScopeListError'
}

/** Every franchisee that was granted, whatever the header has selected. */
export async function readAgents(signal: AbortSignal): Promise<readonly ScopeOption[]> {
  const answer = await call(agentEndpoints.listAgentAccounts, {}, { scope: {}, quiet: true, signal }).catch(
    refusedAs(coreErrorText('agents_missing'), signal),
  )
  const rows = answer.data.rows.map((row) => ({ id: row.agentId, title: row.company }))
  if (rows.length === 0) throw new ScopeListError(coreErrorText('agents_empty'))
  return rows
}

/** Every granted service area of the selected franchisees, read in pages up to the bound of a scope. */
export async function readAreas(
  agentIds: readonly number[] | undefined,
  signal: AbortSignal,
): Promise<readonly ScopeOption[]> {
  const scope = agentIds === undefined ? {} : { agentIds }
  const areas: ScopeOption[] = []
  for (let page = 1; page <= scopeListMax / pageSizeMax; page++) {
    const answer = await call(areaEndpoints.listServiceAreas, { page }, { scope, quiet: true, signal }).catch(
      refusedAs(coreErrorText('areas_missing'), signal),
    )
    areas.push(...answer.data.list.map((area) => ({ id: area.id, title: area.name })))
    if (areas.length >= answer.data.count || answer.data.list.length === 0) break
  }
  if (areas.length === 0) throw new ScopeListError(coreErrorText('areas_empty'))
  return areas
}

function refusedAs(text: string, signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    if (signal.aborted) throw error
    throw new ScopeListError(text, { cause: error })
  }
}
