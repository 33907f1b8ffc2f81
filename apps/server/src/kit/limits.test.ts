import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minuteMs } from '@saddle/contract/time.ts'
import { createManualClock } from './clock.ts'
import { createLimiter } from './limits.ts'

describe('createLimiter', () => {
  const make = (limit: number, maxKeys = 100) => {
    const clock = createManualClock(1_000_000)
    return { clock, limiter: createLimiter({ limit, windowMs: minuteMs, maxKeys, clock }) }
  }

  it('lets the limit pass, refuses the next and says when to come back', () => {
    const { clock, limiter } = make(3)
    expect([1, 2, 3].map(() => limiter.take('k').allowed)).toEqual([true, true, true])
    const refused = limiter.take('k')
    expect(refused.allowed).toBe(false)
    clock.advance(refused.retryAfterMs - 1)
    expect(limiter.take('k').allowed).toBe(false)
    clock.advance(1)
    expect(limiter.take('k').allowed).toBe(true)
    expect(limiter.take('other').allowed).toBe(true)
  })

  it('never lets more than the limit pass within one aligned window, nor twice the limit within any', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 200 }),
        (limit, steps) => {
          const { clock, limiter } = make(limit)
          const passed: number[] = []
          for (const step of steps) {
            clock.advance(step)
            const answer = limiter.take('k')
            if (answer.allowed) passed.push(clock.now())
            else expect(answer.retryAfterMs).toBeGreaterThan(0)
          }
          for (const from of passed) {
            expect(passed.filter((at) => at >= from && at < from + minuteMs).length).toBeLessThan(2 * limit + 1)
          }
          const windows = Map.groupBy(passed, (at) => Math.floor(at / minuteMs))
          for (const ofWindow of windows.values()) expect(ofWindow.length).toBeLessThanOrEqual(limit)
        },
      ),
    )
  })

  it('keeps a bounded number of keys', () => {
    const { limiter } = make(1, 10)
    for (let number = 0; number < 1_000; number += 1) limiter.take(`k${number}`)
    expect(limiter.size()).toBe(10)
    expect(limiter.take('k999').allowed).toBe(false)
    expect(limiter.take('k0').allowed).toBe(true)
  })

  it('forgets on request and after long silence', () => {
    const { clock, limiter } = make(1)
    limiter.take('k')
    limiter.reset('k')
    expect(limiter.take('k').allowed).toBe(true)
    clock.advance(120_000)
    expect(limiter.take('k').allowed).toBe(true)
  })
})
