import { expect, it } from 'vitest'
import { isLong, thorough } from '../../../../scripts/lib/thorough.mjs'
import { runFaults } from './run.ts'

const seconds = thorough({ normal: 0, long: 15, full: 3_600 })

it.runIf(isLong)(
  'processes, the bus, disks and PostgreSQL fail in every way, and nothing acknowledged is lost or doubled',
  async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    const said: string[] = []
    const run = await runFaults({ seed, seconds, say: (sentence) => void said.push(sentence) })
    const { lost, doubled, wrong } = run
    expect({ lost, doubled, wrong }, said.join('; ')).toEqual({ lost: 0, doubled: 0, wrong: [] })
    // Otherwise nothing would have been proved.
    expect(Object.values(run.kills).reduce((sum, times) => sum + times, 0)).toBeGreaterThan(2)
    for (const kind of ['commands', 'tasks', 'rides', 'postings', 'notices'])
      expect(run.acknowledged[kind], kind).toBeGreaterThan(0)
    expect(run.acknowledged['reports']).toBeGreaterThan(100)
  },
  seconds * 1_000 + 300_000,
)
