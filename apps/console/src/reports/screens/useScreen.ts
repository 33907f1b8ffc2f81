import { useEffect, useEffectEvent, useState } from 'react'
import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { screenEveryMs } from '@saddle/contract/reports/screens.ts'
import { ApiError, call, isApiError, tellFailure, type AnswerOf } from '#kit/api/client.ts'
import { currentSession } from '#kit/session/store.ts'

export interface ScreenState<T> {
  /** The last good answer; it stays when later ones fail. */
  readonly data: T | null
  /** Why the last attempt failed; null: it did not. */
  readonly failure: ApiError | null
}

type ScreenEndpoint<T> = Endpoint & { readonly output: { readonly _zod: { readonly output: { readonly data: T } } } }

/** After failures it asks less often, and never less than this. */
const slowestMs = 30_000
const answerWithinMs = 20_000

/**
 * Asks for a screen's content again and again for as long as the screen is shown. `onEnded` hears that the session has ended;
 * without it the page as a whole is told.
 */
export function useScreen<T>(
  endpoint: ScreenEndpoint<T>,
  { areaIds, onEnded }: { readonly areaIds: readonly number[] | null; readonly onEnded?: (() => void) | undefined },
): ScreenState<T> {
  const [state, setState] = useState<ScreenState<T>>({ data: null, failure: null })
  const ended = useEffectEvent((error: ApiError) => {
    if (onEnded === undefined) tellFailure(error)
    else onEnded()
  })
  // The array is made anew by whoever renders; the text changes with its ids.
  const areas = areaIds === null ? '' : areaIds.join()

  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let waitMs = screenEveryMs
    const ids = areas === '' ? undefined : areas.split(',').map(Number)
    const ask = async (): Promise<void> => {
      try {
        const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(answerWithinMs)])
        // The areas of a screen are its own: the header's selection does not narrow them.
        const scope = ids === undefined ? {} : { opAreaIdsBigScreen: ids }
        const answer: AnswerOf<Endpoint> = await call<Endpoint>(
          endpoint,
          {},
          {
            quiet: true,
            signal,
            scope,
          },
        )
        if (stop.signal.aborted) return
        waitMs = screenEveryMs
        setState({ data: (answer as { readonly data: T }).data, failure: null })
      } catch (error) {
        if (stop.signal.aborted) return
        const failure = isApiError(error) ? error : new ApiError({ code: 'network', status: 0, cause: error })
        // Another tab may have logged out: then there is nobody to tell.
        if (failure.status === 401 && currentSession() !== null) ended(failure)
        waitMs = Math.min(slowestMs, waitMs * 1.5)
        setState((known) => ({ data: known.data, failure }))
      }
      timer = setTimeout(() => void ask(), waitMs)
    }
    const askNow = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => void ask(), 0)
    }
    void ask()
    addEventListener('online', askNow)
    return () => {
      stop.abort()
      clearTimeout(timer)
      removeEventListener('online', askNow)
    }
  }, [endpoint, areas])
  return state
}
