import { useEffect, useMemo } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { useStore } from '#kit/store.ts'
import { createAction, type ActionCore, type ActionOptions, type ActionState } from './action.ts'

export interface Action<E extends Endpoint> extends ActionState, Pick<ActionCore<E>, 'send' | 'clear'> {}

/**
 * Runs one call of the contract: sends it once for repeated clicks, keeps its key until its result is
 * known, reports a refusal, reads outdated lists again, and offers undo if the contract names the reverse.
 */
export function useAction<E extends Endpoint>(endpoint: E, options: ActionOptions<E> = {}): Action<E> {
  const action = useMemo(() => createAction(endpoint), [endpoint])
  useEffect(() => action.follow(options))
  const { send, clear, state } = action
  return { ...useStore(state), send, clear }
}
