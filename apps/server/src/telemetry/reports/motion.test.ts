import { expect, it } from 'vitest'
import { metresPerDegree, metresPerDegreeLng } from '@saddle/geo/earth.ts'
import { canBeAt, newMotion, type Motion } from './motion.ts'

const at = (seconds: number) => Date.UTC(2026, 10, 21) + seconds * 1_000
const place = (seconds: number, north = 0, east = 0) => ({
  lat: 31 + north / metresPerDegree,
  lng: 120 + east / metresPerDegreeLng(31),
  at: at(seconds),
})
const isBelieved = (motion: Motion, said: ReturnType<typeof place>): boolean => canBeAt(motion, said, said.at)

it('believes the first place and every one that a vehicle can reach, in every direction', () => {
  for (const [north, east] of [
    [1, 0],
    [0, 1],
    [-0.7, 0.7],
  ] as const) {
    const motion = newMotion()
    expect(isBelieved(motion, place(0))).toBe(true)
    // 150 m of doubt and 45 m/s.
    expect(isBelieved(motion, place(10, north * 595, east * 595))).toBe(true)
  }
  const motion = newMotion()
  isBelieved(motion, place(0))
  expect(isBelieved(motion, place(2, 3_000)), '3 km in 2 s').toBe(false)
  expect(isBelieved(motion, place(2, 0, 245)), 'beyond the reach').toBe(false)
  expect(isBelieved(motion, place(70, 3_000)), '3 km in 70 s').toBe(true)
})

it('does not doubt what is older than the known place, and does not remember it', () => {
  const motion = newMotion()
  isBelieved(motion, place(100))
  expect(isBelieved(motion, place(99, 50_000))).toBe(true)
  expect(isBelieved(motion, place(101, 10))).toBe(true)
  expect(motion.known).toEqual(place(101, 10))
})

it('gives way when three places in a row fit each other, not when they contradict each other', () => {
  const motion = newMotion()
  isBelieved(motion, place(0))
  expect([1, 2, 3].map((n) => isBelieved(motion, place(n, 5_000 + n * 10)))).toEqual([false, false, true])
  expect(isBelieved(motion, place(4, 5_040))).toBe(true)

  const confused = newMotion()
  isBelieved(confused, place(0))
  expect([1, 2, 3, 4].map((n) => isBelieved(confused, place(n, n * 5_000)))).toEqual([false, false, false, false])
  expect(isBelieved(confused, place(5, 5))).toBe(true)
  expect(confused.doubts).toBe(0)
})
