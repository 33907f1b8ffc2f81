import { AppError } from '@saddle/contract/errors.ts'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import type { CallToken } from '@saddle/contract/wire/token.ts'
import type { Scope } from '#kit/db/scope.ts'

/**
 * Grant ∩ selection. What the client sends can narrow what it may do, never widen it: an absent list is everything
 * granted, an empty list is nothing, and one foreign id refuses the whole call with foreign_scope.
 */
export function effectiveScope(
  grant: Scope,
  token: Pick<CallToken, 'agentIds' | 'opAreaIds' | 'opAreaIdsBigScreen'>,
): Scope {
  narrow(grant.areaIds, token.opAreaIdsBigScreen)
  return {
    agentIds: narrow(grant.agentIds, token.agentIds),
    areaIds: narrow(grant.areaIds, token.opAreaIds),
    operatorId: grant.operatorId,
  }
}

/** Sets of the lists that sessions were granted, for as long as a session is remembered: a list may name 2,000 areas. */
const sets = new WeakMap<readonly number[], ReadonlySet<number>>()

function setOf(granted: readonly number[]): ReadonlySet<number> {
  const known = sets.get(granted) ?? new Set(granted)
  sets.set(granted, known)
  return known
}

function narrow(granted: readonly number[], chosen: readonly number[] | undefined): readonly number[] {
  if (chosen === undefined) return granted
  const held = setOf(granted)
  if (chosen.some((id) => !held.has(id))) throw new AppError('foreign_scope')
  return chosen
}

/** Throws forbidden when the endpoint asks for codes of which the caller holds none. */
export function checkPermission(endpoint: Endpoint, held: ReadonlySet<string>): void {
  const asked = endpoint.permission
  if (typeof asked === 'string') return
  if (!asked.some((code) => held.has(code))) throw new AppError('forbidden')
}

/**
 * Throws foreign_scope when a filter names an area that the caller was not granted. Such areas would find nothing, but
 * among thousands of them the one that was read cannot be told in the trail.
 */
export function checkFilterAreas(input: unknown, grant: Scope): void {
  if (typeof input !== 'object' || input === null || !('filter' in input)) return
  const { filter } = input
  if (typeof filter !== 'object' || filter === null || !('areaIds' in filter) || !Array.isArray(filter.areaIds)) return
  narrow(grant.areaIds, filter.areaIds as readonly number[])
}
