import type { Selection } from '@saddle/client/client.ts'
import { readStored, writeStored } from '#kit/storage.ts'
import { createStore, useStore } from '#kit/store.ts'
import { currentSession } from './store.ts'

export type { Selection } from '@saddle/client/client.ts'

let owner: string | null = null
const chosen = createStore<Selection>({})

/** The logged-in person's selection, as last stored in this browser. */
export function currentSelection(): Selection {
  const opManId = currentSession()?.opManId ?? null
  if (opManId !== owner) {
    owner = opManId
    chosen.set(opManId === null ? {} : readSelection(opManId))
  }
  return chosen.get()
}

/** Replaces the selection; queries have it in their key, so they are read again automatically. */
export function setSelection(next: Selection): void {
  currentSelection()
  if (owner !== null) writeStored(storageKey(owner), next)
  chosen.set(next)
}

export interface ScopeState {
  readonly selection: Selection
  /** Part of every query's key. */
  readonly scopeKey: string
}

export function useScope(): ScopeState {
  currentSelection()
  const selection = useStore(chosen)
  return { selection, scopeKey: scopeKeyOf(selection) }
}

export function scopeKeyOf(selection: Selection): string {
  const list = (ids: readonly number[] | undefined): string => (ids === undefined ? '*' : ids.join('.'))
  return `${list(selection.agentIds)}|${list(selection.opAreaIds)}`
}

/** Calls the listener after each change of the selection. */
export const onSelectionChange = (listener: () => void): (() => void) => chosen.subscribe(listener)

const storageKey = (opManId: string): string => `scope-${opManId}`

function readSelection(opManId: string): Selection {
  const value = readStored(storageKey(opManId))
  if (typeof value !== 'object' || value === null) return {}
  const agentIds = 'agentIds' in value ? idList(value.agentIds) : undefined
  const opAreaIds = 'opAreaIds' in value ? idList(value.opAreaIds) : undefined
  return { ...(agentIds && { agentIds }), ...(opAreaIds && { opAreaIds }) }
}

function idList(value: unknown): readonly number[] | undefined {
  return Array.isArray(value) && value.every((id) => Number.isSafeInteger(id)) ? (value as number[]) : undefined
}
