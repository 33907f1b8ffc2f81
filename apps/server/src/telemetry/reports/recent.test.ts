import { expect, it } from 'vitest'
import { RecentFrames } from './recent.ts'

it('knows a frame that comes again by its time and its sum, until 64 others came', () => {
  const recent = new RecentFrames()
  expect(recent.isRepeat(1_000, 7)).toBe(false)
  expect(recent.isRepeat(1_000, 7)).toBe(true)
  expect(recent.isRepeat(1_000, 8), 'other bytes').toBe(false)
  expect(recent.isRepeat(2_000, 7), 'another time').toBe(false)
  expect(recent.isRepeat(1_000, -7), 'sums have a sign').toBe(false)
  for (let n = 0; n < 60; n += 1) expect(recent.isRepeat(5_000 + n, n)).toBe(false)
  expect(recent.isRepeat(1_000, 7)).toBe(true)
  recent.isRepeat(9_000, 1)
  expect(recent.isRepeat(1_000, 7), 'the database knows it').toBe(false)
})

it('a frame that could not be stored is news when it comes again', () => {
  const recent = new RecentFrames()
  recent.isRepeat(1_000, 7)
  recent.isRepeat(1_001, 7)
  recent.forget(1_000, 7)
  expect([recent.isRepeat(1_001, 7), recent.isRepeat(1_000, 7), recent.isRepeat(1_000, 7)]).toEqual([true, false, true])
})
