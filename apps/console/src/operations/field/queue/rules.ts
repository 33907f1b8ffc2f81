import { minuteMs } from '@saddle/contract/time.ts'

/** What a person did at a vehicle, in the terms of the server's calls. */
export const stepKinds = ['claim', 'start', 'complete', 'release', 'report'] as const
export type StepKind = (typeof stepKinds)[number]

/** One thing that was done and that the server may not know of yet. */
export interface Step {
  readonly id: number
  /** Who did it: nobody else's session sends it. */
  readonly owner: string
  readonly taskId: number
  readonly vehicleNumber: string
  readonly kind: StepKind
  /** What the call is given, as it will be sent, however late. */
  readonly input: unknown
  /** The idempotency key, created and stored with the step: sent twice, it is done once. */
  readonly key: string
  readonly madeAt: number
  readonly state: 'waiting' | 'refused'
  readonly attempts: number
  /** The server's words; null while it has not refused. */
  readonly refusal: string | null
}

export type NewStep = Omit<Step, 'id' | 'state' | 'attempts' | 'refusal'>

/** How a sending ended, as far as the queue is concerned. */
export type Outcome =
  | { readonly kind: 'done' }
  /** The server was not reached or was overloaded: retry later. */
  | { readonly kind: 'later' }
  /** The session has ended or needs another step: only the user can continue. */
  | { readonly kind: 'stop' }
  | { readonly kind: 'refused'; readonly words: string }

const laterStatuses: ReadonlySet<number> = new Set([0, 408, 425, 429, 500, 502, 503, 504])
/** Says that the first sending of this very step is still being worked on. */
const laterCodes: ReadonlySet<string> = new Set(['request_in_progress', 'clock_skew'])
const stopCodes: ReadonlySet<string> = new Set(['totp_required', 'totp_missing', 'operator_disabled'])

export function outcomeOf(failure: {
  readonly status: number
  readonly code: string
  readonly words: string
}): Outcome {
  const { status, code, words } = failure
  if (laterStatuses.has(status) || laterCodes.has(code)) return { kind: 'later' }
  if (status === 401 || stopCodes.has(code)) return { kind: 'stop' }
  return { kind: 'refused', words }
}

/**
 * The step that goes next: the oldest of those that wait, of tasks of which nothing was refused. What follows a refused
 * step of the same task would report something that did not happen.
 */
export function nextOf(steps: readonly Step[]): Step | null {
  const blocked = new Set(steps.filter((step) => step.state === 'refused').map((step) => step.taskId))
  const waiting = steps.filter((step) => step.state === 'waiting' && !blocked.has(step.taskId))
  return waiting.reduce<Step | null>((first, step) => (first === null || step.id < first.id ? step : first), null)
}

const firstPauseMs = 2_000
const longestPauseMs = minuteMs

/** Longer after each consecutive failure, so that a weak connection is not flooded. */
export const pauseAfter = (failures: number): number =>
  Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10))

/** Who needs help keeps the task, unless somebody is named for it. */
const leaves = ({ kind, input }: Step): boolean => {
  if (kind !== 'report') return false
  const { outcome, operatorId } = input as { readonly outcome?: unknown; readonly operatorId?: unknown }
  return outcome !== 'needs_help' || operatorId !== undefined
}

/** The task with its unsent steps applied: the user continues as if the server had received them. */
export function stateWith(state: string, steps: readonly Step[]): string {
  let now = state
  for (const step of steps.toSorted((a, b) => a.id - b.id)) {
    if (step.state === 'refused') return state
    if (step.kind === 'claim') now = 'claimed'
    if (step.kind === 'start') now = 'on_site'
    if (step.kind === 'complete') now = 'done'
    if (step.kind === 'release' || leaves(step)) now = 'open'
  }
  return now
}
