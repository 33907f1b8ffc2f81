import { expect, test } from 'vitest'
import { startDatabaseClock } from './databaseClock.ts'
import { silentLog } from './log.ts'

/** A database whose time is true, and a way to it that takes `ways` there and back. */
function world() {
  const at = { monotonic: 5_000, database: 1_700_000_000_000, machine: 1_700_000_000_000, isAway: false }
  const pass = (ms: number): void => {
    at.monotonic += ms
    at.database += ms
    at.machine += ms
  }
  let way: readonly [number, number] = [0, 0]
  const read = (): Promise<number> => {
    if (at.isAway) return Promise.reject(new Error('away'))
    pass(way[0])
    const time = at.database
    pass(way[1])
    return Promise.resolve(time)
  }
  const start = () =>
    startDatabaseClock({ read, monotonic: () => at.monotonic, machine: () => at.machine, log: silentLog })
  return { at, pass, start, wayIs: (there: number, back: number) => void (way = [there, back]) }
}

test('a step of the machine changes nothing', async () => {
  const { at, pass, start } = world()
  const clock = await start()
  at.machine += 600_000
  pass(40)
  expect(clock.now()).toBe(at.database)
  await clock.adjust()
  expect(clock.now()).toBe(at.database)
  await clock.stop()
})

test('a slow answer does not move it, whichever way was slow', async () => {
  const { at, wayIs, start } = world()
  const clock = await start()
  for (const [there, back] of [
    [3_000, 0],
    [0, 3_000],
    [900, 20],
  ] as const) {
    wayIs(there, back)
    await clock.adjust()
    expect(clock.now()).toBe(at.database)
  }
  await clock.stop()
})

test('it follows a database whose time steps, and goes on without one', async () => {
  const { at, pass, start } = world()
  const clock = await start()
  at.database -= 600_000
  await clock.adjust()
  expect(clock.now()).toBe(at.database)
  at.isAway = true
  pass(20_000)
  await clock.adjust()
  expect(clock.now()).toBe(at.database)
  await clock.stop()
})

test('a first answer that was slow is mended by the quicker ones after it', async () => {
  const { at, wayIs, start } = world()
  wayIs(800, 0)
  const clock = await start()
  expect(Math.abs(clock.now() - at.database)).toBe(400)
  wayIs(2, 2)
  await clock.adjust()
  expect(Math.abs(clock.now() - at.database)).toBeLessThanOrEqual(4)
  await clock.stop()
})

test('without an answer at the start there is no clock', async () => {
  const { at, start } = world()
  at.isAway = true
  await expect(start()).rejects.toThrow('away')
})
