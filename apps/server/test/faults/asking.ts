import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@saddle/client/error.ts'
import { parseErrorAnswer } from '@saddle/contract/errorAnswer.ts'
import type { ApiAddress } from './nodes.ts'

const patienceMs = 6_000
const pauseMs = 150
/** A key whose first call died with its server is not asked for longer: nobody knows what became of it. */
const inProgressMs = 3_000

/** What became of a call that was asked again and again. */
export type Asked<T> =
  | { readonly is: 'answered'; readonly answer: T }
  | { readonly is: 'refused'; readonly code: string }
  | { readonly is: 'unknown' }

export interface Asking {
  /** Asks at one api server after another until one answers or refuses for good. */
  ask<T>(call: (url: string) => Promise<T>, isFinal: (code: string) => boolean, withinMs?: number): Promise<Asked<T>>
  stop(): void
  readonly isStopped: boolean
}

export function createAsking(api: readonly ApiAddress[]): Asking {
  let turn = 0
  let isStopped = false
  return {
    get isStopped() {
      return isStopped
    },
    stop: () => {
      isStopped = true
    },
    ask: async (call, isFinal, withinMs = Infinity) => {
      const begunAt = performance.now()
      let inProgressAt: number | null = null
      // eslint-disable-next-line no-unmodified-loop-condition -- stop() sets it while this loop waits
      while (!isStopped && performance.now() - begunAt < withinMs) {
        turn += 1
        try {
          return { is: 'answered', answer: await inTime(call(api[turn % api.length]?.url ?? '')) }
        } catch (error) {
          const code = error instanceof ApiError ? error.code : 'network'
          if (isFinal(code)) return { is: 'refused', code }
          if (code === 'request_in_progress') {
            inProgressAt ??= performance.now()
            if (performance.now() - inProgressAt > inProgressMs) return { is: 'unknown' }
          }
        }
        await sleep(pauseMs)
      }
      return { is: 'unknown' }
    },
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const late = new AbortController()
  try {
    return await Promise.race([
      work,
      sleep(patienceMs, undefined, { ref: false, signal: late.signal }).then(() => {
        throw new Error('no answer in time')
      }),
    ])
  } finally {
    late.abort()
  }
}

/** The body of an answer. Throws an `ApiError` for a refusal. */
export function bodyOf<T>({ status, body }: { readonly status: number; readonly body: T }): T {
  const refusal = parseErrorAnswer(body)
  if (refusal !== null) throw new ApiError({ ...refusal, status })
  if (status !== 200) throw new Error(`answered ${status}`)
  return body
}
