import type { ScopeSettings } from './statement.ts'

/**
 * What a session may touch. Lists are explicit: `[]` is nothing, there is no word for "all", so that a forgotten list
 * shows nothing instead of everything.
 */
export type Scope = { agentIds: readonly number[]; areaIds: readonly number[]; operatorId: number | null }

/** A scope that sees no row of any tenant. */
export const EMPTY_SCOPE: Scope = { agentIds: [], areaIds: [], operatorId: null }

/** The scope of work that no operator asked for, such as a call of riders' applications: the rows of these companies. */
export const scopeOfAgent = (agentIds: number | readonly number[], areaIds: readonly number[] = []): Scope => ({
  agentIds: typeof agentIds === 'number' ? [agentIds] : agentIds,
  areaIds,
  operatorId: null,
})

/** The settings as PostgreSQL literals. Every id is checked: these texts also stand inside SQL (see `beginScoped`). */
export function scopeSettings(scope: Scope): ScopeSettings {
  return {
    agentIds: idArray(scope.agentIds),
    areaIds: idArray(scope.areaIds),
    operatorId: scope.operatorId === null ? '' : String(checkedId(scope.operatorId)),
  }
}

/** BEGIN and the settings in one round trip, by the simple protocol, which takes no parameters. */
export function beginScoped(scope: Scope, begin = 'begin'): string {
  const { agentIds, areaIds, operatorId } = scopeSettings(scope)
  return (
    `${begin}; select set_config('app.agent_ids', '${agentIds}', true), ` +
    `set_config('app.area_ids', '${areaIds}', true), set_config('app.operator_id', '${operatorId}', true)`
  )
}

function idArray(ids: readonly number[]): string {
  return `{${ids.map(checkedId).join(',')}}`
}

function checkedId(id: number): number {
  if (!Number.isSafeInteger(id) || id < 0) throw new RangeError('a scope id must be a whole number')
  return id
}
