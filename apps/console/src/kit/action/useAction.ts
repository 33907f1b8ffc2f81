import { useEffect, useMemo } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { useStore } from '#kit/store.ts'
import { createAction, type ActionCore, type ActionOptions, type ActionState } from './action.ts'

export interface Action<E extends Endpoint> extends ActionState, Pick<ActionCore<E>, 'send' | 'clear'> {}

/**
 * Does what one call of the contract does: sends it once however often it is clicked, keeps its key until its end is
 * known, tells a refusal, reads stale lists anew, and offers to take it back where the contract names the reverse.
 */
export function useAction<E extends Endpoint>(endpoint: E, options: ActionOptions<E> = {}): Action<E> {
  const action = useMemo(() => createAction(endpoint), [endpoint])
  useEffect(() => action.follow(options))
  const { send, clear, state } = action
  return { ...useStore(state), send, clear }
}
