import {
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
  useQueries,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { Endpoint, RequestOf } from '@saddle/contract/endpoint.ts'
import { ApiError, call, tellFailure, type AnswerOf } from '#kit/api/client.ts'
import { dueFactorOf } from '#kit/session/secondFactor.ts'
import { currentSelection, scopeKeyOf, useScope } from '#kit/session/scope.ts'

const staleAfterMs = 15_000
const retries = 2

/** A session that was refused or owes a second factor is everybody's concern, however quiet the call that met it. */
function onError(error: Error): void {
  if (error instanceof ApiError && (error.status === 401 || dueFactorOf(error) !== null)) tellFailure(error)
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: staleAfterMs,
      // A refusal stays one; only what never reached the server is tried again.
      retry: (count, error) => count < retries && error instanceof ApiError && [0, 502, 503].includes(error.status),
      refetchOnWindowFocus: true,
    },
  },
})

export interface EndpointOptions {
  readonly enabled?: boolean
  readonly refetchIntervalMs?: number
  /** Keeps showing the rows before while others are on their way. */
  readonly keepPrevious?: boolean
  readonly staleMs?: number
  readonly quiet?: boolean
}

/** The key of one reading: the call, what was asked, and the scope it was asked in. */
export function endpointKey<E extends Endpoint>(endpoint: E, input?: RequestOf<E>): readonly unknown[] {
  const start = [`${endpoint.method} ${endpoint.path}`]
  return input === undefined ? start : [...start, input, scopeKeyOf(currentSelection())]
}

/** Reads through a call of the contract; a change of the header's selection reads anew. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: RequestOf<E>,
  options: EndpointOptions = {},
): UseQueryResult<AnswerOf<E>, ApiError> {
  const { scopeKey } = useScope()
  const { enabled, refetchIntervalMs, keepPrevious, staleMs, quiet } = options
  return useQuery<AnswerOf<E>, ApiError>({
    queryKey: [`${endpoint.method} ${endpoint.path}`, input, scopeKey],
    queryFn: ({ signal }) => call(endpoint, input, { signal, ...(quiet === true && { quiet }) }),
    ...(enabled !== undefined && { enabled }),
    ...(refetchIntervalMs !== undefined && { refetchInterval: refetchIntervalMs }),
    ...(staleMs !== undefined && { staleTime: staleMs }),
    ...(keepPrevious === true && { placeholderData: (before: AnswerOf<E> | undefined) => before as never }),
  })
}

/** Reads several times through one call, e.g. the pages of a list that is read on and on. */
export function useEndpoints<E extends Endpoint>(
  endpoint: E,
  inputs: readonly RequestOf<E>[],
  { refetchIntervalMs, quiet }: Pick<EndpointOptions, 'refetchIntervalMs' | 'quiet'> = {},
): readonly UseQueryResult<AnswerOf<E>, ApiError>[] {
  const { scopeKey } = useScope()
  return useQueries({
    queries: inputs.map((input) =>
      queryOptions<AnswerOf<E>, ApiError>({
        queryKey: [`${endpoint.method} ${endpoint.path}`, input, scopeKey],
        queryFn: ({ signal }) => call(endpoint, input, { signal, ...(quiet === true && { quiet }) }),
        ...(refetchIntervalMs !== undefined && { refetchInterval: refetchIntervalMs }),
      }),
    ),
  })
}
