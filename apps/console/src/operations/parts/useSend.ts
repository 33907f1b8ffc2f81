import { useRef } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { useEndpointMutation, type MutationInput, type MutationOptions } from '#kit/query.ts'

/** Sends a call that is done once: what may have arrived is tried again under its key, anything else gets a new one. */
export function useSend<E extends Endpoint>(endpoint: E, options: MutationOptions<E> = {}) {
  const key = useRef(newIdempotencyKey())
  const { mutate, isPending } = useEndpointMutation(endpoint, {
    ...options,
    onSuccess: (answer, sent) => {
      key.current = newIdempotencyKey()
      options.onSuccess?.(answer, sent)
    },
  })
  const send = (input: MutationInput<E>['input']): void => {
    if (isPending) return
    mutate(
      { input, idempotencyKey: key.current },
      {
        onError: (failure) => {
          if (isTryOver(failure)) key.current = newIdempotencyKey()
        },
      },
    )
  }
  return { send, isPending }
}
