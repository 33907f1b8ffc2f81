import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

it('a process of a cluster is not ready before it takes nothing new', async () => {
  const script = `
    import { createLifecycle } from '${new URL('./lifecycle.ts', import.meta.url).href}'
    import { silentLog } from '${new URL('./log.ts', import.meta.url).href}'
    const lifecycle = createLifecycle({ log: silentLog, announceMs: 50 })
    lifecycle.onStop({ phase: 'refuse', name: 'listener', run: () => process.send('closed') })
    lifecycle.listen((code) => process.exit(code))
    process.on('SIGTERM', () => process.send(lifecycle.isStopping() ? 'not ready' : 'ready'))
    process.send('runs')
    setInterval(() => {}, 1_000)`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const heard: unknown[] = []
  child.on('message', (message) => {
    heard.push(message)
    if (message === 'runs') child.kill('SIGTERM')
  })
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(heard).toEqual(['runs', 'not ready', 'closed'])
})

it('gives metrics of the process when asked', async () => {
  expect(await createMetrics({ withProcess: true }).metrics()).toContain('process_cpu_seconds_total')
  expect(await createMetrics({ withProcess: false }).metrics()).toBe('\n')
})
