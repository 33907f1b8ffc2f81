import type { Endpoint, RequestOf } from '@saddle/contract/endpoint.ts'
import { ApiError, call, tellFailure, wordsOf, type AnswerOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { notify, type Message } from '#kit/notify.ts'
import { endpointKey, queryClient } from '#kit/query.ts'
import { dueFactorOf } from '#kit/session/secondFactor.ts'
import { createStore, type Store } from '#kit/store.ts'

/** The call that undoes this one, as the contract names it. */
export type ReverseOf<E extends Endpoint> = E extends { readonly reverse: infer R extends Endpoint } ? R : never

export interface ActionOptions<E extends Endpoint> {
  /** Calls whose data is read again afterwards, also after a refusal, because the page may be outdated. */
  readonly stale?: readonly Endpoint[]
  /** The success message; null: none, or the caller shows it in `onDone`. */
  readonly done?: (answer: AnswerOf<E>, input: RequestOf<E>) => string | null
  /**
   * The input of the reverse call, or several inputs, sent one by one; null: nothing to undo. Only if the
   * contract names a reverse.
   */
  readonly undo?: (
    answer: AnswerOf<E>,
    input: RequestOf<E>,
  ) => RequestOf<ReverseOf<E>> | readonly RequestOf<ReverseOf<E>>[] | null
  /** The message after an undo; absent: 已撤销. */
  readonly undone?: (answer: AnswerOf<ReverseOf<E>>) => string
  readonly onDone?: (answer: AnswerOf<E>, input: RequestOf<E>) => void
  /** A second person has to approve it: nothing is left to do here. */
  readonly onHeld?: () => void
  /** `form`: the form shows the refusal beside its button; otherwise a message shows it. */
  readonly tells?: 'form'
}

export interface ActionState {
  readonly isBusy: boolean
  /** Why the last try failed; null if it did not, and after `clear`. */
  readonly failure: ApiError | null
  /** The last try may have been done: the next one uses the same key. */
  readonly isUnsure: boolean
}

export interface ActionCore<E extends Endpoint> {
  readonly state: Store<ActionState>
  /** Sends the call unless one is running. */
  readonly send: (input: RequestOf<E>) => void
  readonly clear: () => void
  /** Replaces the options, also for a running call. */
  readonly follow: (options: ActionOptions<E>) => void
}

const idle: ActionState = { isBusy: false, failure: null, isUnsure: false }

/**
 * One user action by one call, outside React: it continues after its page is closed. A try keeps its key
 * until its result is known; a second click while a call is running does nothing.
 */
export function createAction<E extends Endpoint>(endpoint: E, initial: ActionOptions<E> = {}): ActionCore<E> {
  let options = initial
  const state = createStore<ActionState>(idle)
  /** The try with an unknown result. */
  let open: { readonly key: string; readonly input: RequestOf<E> } | null = null

  const send = (input: RequestOf<E>): void => {
    if (state.get().isBusy) return
    state.set({ ...state.get(), isBusy: true })
    void attempt(input, keyFor(input))
  }
  const keyFor = (input: RequestOf<E>): string => {
    if (open === null) return newIdempotencyKey()
    // A form that is changed after a lost response is still the same try: if the first request arrived, the server
    // reports it instead of doing it twice. Elsewhere a changed input is a new action.
    if (options.tells === 'form') return open.key
    return JSON.stringify(open.input) === JSON.stringify(input) ? open.key : newIdempotencyKey()
  }
  const attempt = async (input: RequestOf<E>, key: string): Promise<void> => {
    const result = await call(endpoint, input, { idempotencyKey: key, quiet: true }).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ failure: asApiError(error) }),
    )
    if ('answer' in result) {
      open = null
      state.set(idle)
      finish(endpoint, options, result.answer, input)
      return
    }
    const { failure } = result
    const isUnsure = !isTryOver(failure)
    open = isUnsure ? { key, input } : null
    state.set({ isBusy: false, failure, isUnsure })
    const again = (): void => {
      if (state.get().isBusy) return
      state.set({ ...state.get(), isBusy: true })
      void attempt(input, key)
    }
    fail(options, failure, isUnsure ? again : null)
  }
  const clear = (): void => state.set({ ...state.get(), failure: null })
  const follow = (next: ActionOptions<E>): void => {
    options = next
  }
  return { state, send, clear, follow }
}

function finish<E extends Endpoint>(
  endpoint: E,
  options: ActionOptions<E>,
  answer: AnswerOf<E>,
  input: RequestOf<E>,
): void {
  refresh(options.stale)
  const text = options.done?.(answer, input) ?? null
  if (text !== null) {
    const action = undoOf(endpoint, options, answer, input)
    notify.success({ text, ...(action && { action }) })
  }
  options.onDone?.(answer, input)
}

function undoOf<E extends Endpoint>(
  endpoint: E,
  { stale, undo, undone }: ActionOptions<E>,
  answer: AnswerOf<E>,
  input: RequestOf<E>,
): Message['action'] | null {
  const back = undo?.(answer, input) ?? null
  const reverse = endpoint.reverse as ReverseOf<E> | undefined
  if (back === null || reverse === undefined) return null
  const [first, ...rest] = (Array.isArray(back) ? back : [back]) as RequestOf<ReverseOf<E>>[]
  if (first === undefined) return null
  const send = (input: RequestOf<ReverseOf<E>>, [next, ...others]: readonly RequestOf<ReverseOf<E>>[]): void =>
    createAction<ReverseOf<E>>(reverse, {
      ...(stale && { stale }),
      done: (taken) => (next === undefined ? (undone?.(taken) ?? t('已撤销')) : null),
      onDone: () => next !== undefined && send(next, others),
    }).send(input)
  return { label: t('撤销'), run: () => send(first, rest) }
}

function fail<E extends Endpoint>(options: ActionOptions<E>, failure: ApiError, again: (() => void) | null): void {
  // A rejected session or a required second factor concerns the whole page, whichever call met it.
  if (failure.status === 401 || dueFactorOf(failure) !== null) return tellFailure(failure)
  if (failure.status !== 0) refresh(options.stale)
  if (failure.code === 'money_held') {
    notify.info({ text: wordsOf(failure) })
    options.onHeld?.()
    return
  }
  if (options.tells === 'form') return
  notify.error({ title: t(failure.title), ...tellingOf(failure, again) })
}

/** Reports a failure; offers a retry if the call may have been done. */
function tellingOf(failure: ApiError, again: (() => void) | null): Message {
  const text = failure.status === 0 ? t('网络出现问题，请稍后再试') : wordsOf(failure)
  return again === null ? { text } : { text, action: { label: t('再试一次'), run: again } }
}

function refresh(stale: readonly Endpoint[] = []): void {
  for (const endpoint of stale) void queryClient.invalidateQueries({ queryKey: endpointKey(endpoint) })
}

const asApiError = (error: unknown): ApiError =>
  error instanceof ApiError ? error : new ApiError({ code: 'server_error', status: 500, cause: error })
