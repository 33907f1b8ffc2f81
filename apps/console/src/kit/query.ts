import {
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  useQueries,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Endpoint, RequestOf } from '@saddle/contract/endpoint.ts'
import { ApiError, call, tellFailure, type AnswerOf } from '#kit/api/client.ts'
import { dueFactorOf } from '#kit/session/secondFactor.ts'
import { currentSelection, scopeKeyOf, useScope } from '#kit/session/scope.ts'

const staleAfterMs = 15_000
const retries = 2

/** A rejected session or a missing second factor concerns the whole page, so even a quiet call reports it. */
function onError(error: Error): void {
  if (error instanceof ApiError && (error.status === 401 || dueFactorOf(error) !== null)) tellFailure(error)
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: staleAfterMs,
      // A refusal is final; only requests that did not reach the server are retried.
      retry: (count, error) => count < retries && error instanceof ApiError && [0, 502, 503].includes(error.status),
      refetchOnWindowFocus: true,
    },
  },
})

export interface EndpointOptions<Answer = never> {
  readonly enabled?: boolean
  /** Depends on what was read, where an open state is awaited. */
  readonly refetchIntervalMs?: RefetchInterval<Answer>
  /** Keeps showing the previous rows while new ones load. */
  readonly keepPrevious?: boolean
  readonly staleMs?: number
  readonly quiet?: boolean
}

type RefetchInterval<Answer> = number | ((answer: Answer | undefined) => number)

const refetchOf = <Answer>(interval: RefetchInterval<Answer>) => ({
  refetchInterval:
    typeof interval === 'number'
      ? interval
      : ({ state }: { readonly state: { readonly data: Answer | undefined } }) => interval(state.data),
})

/** The key of one query: the call, its input and the scope. */
export function endpointKey<E extends Endpoint>(endpoint: E, input?: RequestOf<E>): readonly unknown[] {
  const start = [`${endpoint.method} ${endpoint.path}`]
  return input === undefined ? start : [...start, input, scopeKeyOf(currentSelection())]
}

/** Reads through a call of the contract; reads again when the header's selection changes. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: RequestOf<E>,
  options: EndpointOptions<AnswerOf<E>> = {},
): UseQueryResult<AnswerOf<E>, ApiError> {
  const { scopeKey } = useScope()
  const { enabled, refetchIntervalMs, keepPrevious, staleMs, quiet } = options
  return useQuery<AnswerOf<E>, ApiError>({
    queryKey: [`${endpoint.method} ${endpoint.path}`, input, scopeKey],
    queryFn: ({ signal }) => call(endpoint, input, { signal, ...(quiet === true && { quiet }) }),
    ...(enabled !== undefined && { enabled }),
    ...(refetchIntervalMs !== undefined && refetchOf(refetchIntervalMs)),
    ...(staleMs !== undefined && { staleTime: staleMs }),
    ...(keepPrevious === true && { placeholderData: (before: AnswerOf<E> | undefined) => before as never }),
  })
}

/** Reads ahead what will be asked for soon; what is known and fresh is not read again, and a failure is for the reader. */
export function usePrefetchEndpoint(): <E extends Endpoint>(endpoint: E, input: RequestOf<E>) => void {
  const { scopeKey } = useScope()
  return useCallback(
    (endpoint, input) =>
      void queryClient.prefetchQuery({
        queryKey: [`${endpoint.method} ${endpoint.path}`, input, scopeKey],
        queryFn: ({ signal }) => call(endpoint, input, { signal, quiet: true }),
      }),
    [scopeKey],
  )
}

/** Reads several times through one call, e.g. the pages of a list that loads more on scrolling. */
export function useEndpoints<E extends Endpoint>(
  endpoint: E,
  inputs: readonly RequestOf<E>[],
  { refetchIntervalMs, quiet }: Pick<EndpointOptions<AnswerOf<E>>, 'refetchIntervalMs' | 'quiet'> = {},
): readonly UseQueryResult<AnswerOf<E>, ApiError>[] {
  const { scopeKey } = useScope()
  return useQueries({
    queries: inputs.map((input) =>
      queryOptions<AnswerOf<E>, ApiError>({
        queryKey: [`${endpoint.method} ${endpoint.path}`, input, scopeKey],
        queryFn: ({ signal }) => call(endpoint, input, { signal, ...(quiet === true && { quiet }) }),
        ...(refetchIntervalMs !== undefined && refetchOf(refetchIntervalMs)),
      }),
    ),
  })
}

interface Reading {
  readonly endpoint: Endpoint
  readonly input: object
}

/** Reads through several calls of the contract at once; what an answer has is known to whoever names the calls. */
export function useReadings(
  readings: readonly Reading[],
  { refetchIntervalMs }: { readonly refetchIntervalMs?: number } = {},
): readonly UseQueryResult<unknown, ApiError>[] {
  const { scopeKey } = useScope()
  return useQueries({
    queries: readings.map(({ endpoint, input }) =>
      queryOptions<unknown, ApiError>({
        queryKey: [`${endpoint.method} ${endpoint.path}`, input, scopeKey],
        queryFn: ({ signal }) => call(endpoint, input as never, { signal, quiet: true }),
        ...(refetchIntervalMs !== undefined && { refetchInterval: refetchIntervalMs }),
        placeholderData: (before: unknown) => before,
      }),
    ),
  })
}
