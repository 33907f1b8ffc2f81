import { expect, test } from 'vitest'
import { callTokenLifetimeMs, clockSkewMs } from '@saddle/contract/constants.ts'
import { createManualClock } from '#kit/clock.ts'
import { createReplayGuard, replayWindowMs } from './replay.ts'

test('a call is new once per session', () => {
  const guard = createReplayGuard({ clock: createManualClock(0), callsMax: 10 })
  expect([guard.isNew(1, 'a'), guard.isNew(1, 'a'), guard.isNew(2, 'a'), guard.isNew(1, 'b')]).toEqual([
    true,
    false,
    true,
    true,
  ])
})

test('is remembered for as long as its token could be taken, whenever it came', () => {
  // Signed by a clock that is ahead, taken by the last that the skew allows.
  const longestMs = callTokenLifetimeMs + 2 * clockSkewMs
  expect(replayWindowMs).toBeGreaterThan(longestMs)
  for (let cameAt = 0; cameAt <= 3 * replayWindowMs; cameAt += 997) {
    const clock = createManualClock(0)
    const guard = createReplayGuard({ clock, callsMax: 1_000 })
    for (let at = 0; at < cameAt; at += 10_000) {
      clock.set(at)
      guard.isNew(9, `other ${at}`)
    }
    clock.set(cameAt)
    guard.isNew(1, 'a')
    for (let at = cameAt; at <= cameAt + longestMs; at += 5_000) {
      clock.set(at)
      expect(guard.isNew(1, 'a')).toBe(false)
    }
  }
})

test('memory is bounded: when it is full nothing passes, and time empties it', () => {
  const clock = createManualClock(0)
  const guard = createReplayGuard({ clock, callsMax: 3 })
  const tries = ['a', 'b', 'c', 'd'].map((jti) => guard.isNew(1, jti))
  expect(tries).toEqual([true, true, true, false])
  clock.advance(replayWindowMs)
  expect(guard.isNew(1, 'a')).toBe(false)
  expect(guard.isNew(1, 'd')).toBe(true)
  clock.advance(2 * replayWindowMs)
  expect(guard.isNew(1, 'a')).toBe(true)
})
