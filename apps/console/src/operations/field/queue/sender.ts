import type { FieldStore } from './database.ts'
import { nextOf, pauseAfter, type NewStep, type Outcome, type Step } from './rules.ts'

export interface SenderParts {
  readonly store: Pick<FieldStore, 'add' | 'steps' | 'change' | 'remove'>
  /** Sends a step to the server; resolves to the outcome and never rejects. */
  readonly send: (step: Step) => Promise<Outcome>
  /** The user of the current session; null: nobody is logged in. */
  readonly owner: () => string | null
  /** Runs the work alone among all tabs of this browser. */
  readonly alone: (work: () => Promise<void>) => Promise<void>
  readonly later: (work: () => void, ms: number) => () => void
  /** Steps of the person who is logged in, after every change. */
  readonly onChange: (steps: readonly Step[]) => void
  /** Something of these tasks is known to the server now, or was refused. */
  readonly onSettled: (step: Step, outcome: Outcome) => void
}

export interface Sender {
  /** Keeps the step; resolves when it lies on the disk, online or not. */
  put(step: NewStep): Promise<void>
  /** Sends what waits, now. */
  flush(): Promise<void>
  /** Sends a refused step once more, unchanged. */
  retry(step: Step): Promise<void>
  /** Discards all unsent steps of the task. */
  discard(taskId: number): Promise<void>
  /** Reads the steps of the user who is logged in. */
  refresh(): Promise<void>
  stop(): void
}

/** Sends steps one after the other, the oldest first, each until the server has answered. */
export function createSender(parts: SenderParts): Sender {
  const { store, owner, onChange } = parts
  let running: Promise<void> | null = null
  let again = false
  let failures = 0
  let cancelPause = (): void => {}

  const read = async (): Promise<Step[]> => {
    const who = owner()
    const steps = who === null ? [] : await store.steps(who)
    onChange(steps)
    return steps
  }
  const sendAll = async (): Promise<void> => {
    for (;;) {
      const step = nextOf(await read())
      // Another user may have logged in during the lookup.
      if (step === null || step.owner !== owner()) return
      const outcome = await parts.send(step)
      if (outcome.kind === 'done') await store.remove(step.id)
      if (outcome.kind === 'refused') await store.change({ ...step, state: 'refused', refusal: outcome.words })
      if (outcome.kind === 'done' || outcome.kind === 'refused') {
        failures = 0
        parts.onSettled(step, outcome)
        continue
      }
      await store.change({ ...step, attempts: step.attempts + 1 })
      await read()
      if (outcome.kind === 'later') {
        failures += 1
        cancelPause()
        cancelPause = parts.later(() => void flush(), pauseAfter(failures))
      }
      return
    }
  }
  const flush = (): Promise<void> => {
    if (running !== null) {
      again = true
      return running
    }
    cancelPause()
    running = parts.alone(sendAll).finally(() => {
      running = null
      if (again) {
        again = false
        void flush()
      }
    })
    return running
  }
  return {
    put: async (step) => {
      await store.add(step)
      await read()
      void flush().catch(() => null)
    },
    flush,
    retry: async (step) => {
      await store.change({ ...step, state: 'waiting', refusal: null })
      await flush()
    },
    discard: async (taskId) => {
      for (const step of await read()) if (step.taskId === taskId) await store.remove(step.id)
      await read()
    },
    refresh: async () => {
      await read()
    },
    stop: () => cancelPause(),
  }
}
