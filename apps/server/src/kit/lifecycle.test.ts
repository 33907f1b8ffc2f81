import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLifecycle } from './lifecycle.ts'
import { silentLog } from './log.ts'
import { createMetrics } from './metrics.ts'

describe('createLifecycle', () => {
  it('stops in order: refuse, drain, close (last opened first), once', async () => {
    const lifecycle = createLifecycle({ log: silentLog })
    const seen: string[] = []
    const hook = (phase: 'refuse' | 'drain' | 'close', name: string): void =>
      lifecycle.onStop({ phase, name, run: async () => void (await sleep(1), seen.push(name)) })
    hook('close', 'database')
    hook('drain', 'requests')
    hook('refuse', 'listener')
    hook('close', 'bus')
    expect(lifecycle.isStopping()).toBe(false)
    const stopping = lifecycle.stop('test')
    expect(lifecycle.isStopping()).toBe(true)
    expect(await Promise.all([stopping, lifecycle.stop('again')])).toEqual([true, true])
    expect(seen).toEqual(['listener', 'requests', 'bus', 'database'])
  })

  it('goes on when a part fails or hangs, and tells', async () => {
    const lifecycle = createLifecycle({ log: silentLog, phaseMs: { refuse: 1_000, drain: 20, close: 1_000 } })
    const seen: string[] = []
    lifecycle.onStop({ phase: 'refuse', name: 'broken', run: () => Promise.reject(new Error('no')) })
    lifecycle.onStop({ phase: 'drain', name: 'hanging', run: () => new Promise(() => {}) })
    lifecycle.onStop({ phase: 'close', name: 'database', run: () => void seen.push('closed') })
    expect(await lifecycle.stop('test')).toBe(false)
    expect(seen).toEqual(['closed'])
  })
})

it('gives metrics of the process when asked', async () => {
  expect(await createMetrics({ withProcess: true }).metrics()).toContain('process_cpu_seconds_total')
  expect(await createMetrics({ withProcess: false }).metrics()).toBe('\n')
})
