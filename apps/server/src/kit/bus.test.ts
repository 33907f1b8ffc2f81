import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLocalBus, topic } from './bus.ts'
import { createLog, silentLog } from './log.ts'

const a = topic<number>('a')
const b = topic<number>('b')

describe('createLocalBus', () => {
  it('delivers in order, one at a time, to every subscriber of the topic, after publish has returned', async () => {
    const bus = createLocalBus({ log: silentLog })
    const seen: string[] = []
    bus.subscribe(a, async (message) => {
      seen.push(`start ${String(message)}`)
      await sleep(1)
      seen.push(`end ${String(message)}`)
    })
    bus.subscribe(a, (message) => void seen.push(`fast ${String(message)}`))
    bus.subscribe(b, () => void seen.push('wrong topic'))
    bus.publish(a, 1)
    bus.publish(a, 2)
    expect(seen).toEqual([])
    await bus.flush()
    expect(seen.filter((line) => !line.startsWith('fast'))).toEqual(['start 1', 'end 1', 'start 2', 'end 2'])
    expect(seen.filter((line) => line.startsWith('fast'))).toEqual(['fast 1', 'fast 2'])
  })

  it('logs what a subscriber throws and goes on', async () => {
    let text = ''
    const bus = createLocalBus({
      log: createLog({ level: 'error', destination: { write: (line) => void (text += line) } }),
    })
    const seen: unknown[] = []
    bus.subscribe(a, () => {
      throw new Error('thrown')
    })
    bus.subscribe(a, async () => {
      throw new Error('rejected')
    })
    bus.subscribe(a, (message) => void seen.push(message))
    bus.publish(a, 1)
    bus.publish(a, 2)
    await bus.flush()
    expect(seen).toEqual([1, 2])
    expect(text.match(/thrown/g)!.length).toBeGreaterThanOrEqual(2)
    expect(text).toContain('rejected')
  })

  it('drops the oldest messages of a subscriber that cannot keep up', async () => {
    const bus = createLocalBus({ log: silentLog, maxWaiting: 3 })
    const seen: unknown[] = []
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => (release = resolve))
    bus.subscribe(a, async (message) => {
      seen.push(message)
      await gate
    })
    bus.publish(a, 0)
    await sleep(0)
    for (let number = 1; number <= 10; number += 1) bus.publish(a, number)
    release()
    await bus.flush()
    expect(seen).toEqual([0, 8, 9, 10])
  })

  it('delivers nothing after the end of a subscription or of the bus', async () => {
    const bus = createLocalBus({ log: silentLog })
    const seen: unknown[] = []
    const end = bus.subscribe(a, (message) => void seen.push(message))
    bus.publish(a, 1)
    end()
    bus.subscribe(a, (message) => void seen.push(`other ${String(message)}`))
    end()
    bus.publish(a, 2)
    await bus.flush()
    bus.publish(a, 3)
    await bus.close()
    bus.publish(a, 4)
    await bus.flush()
    expect(seen).toEqual(['other 2'])
  })

  it('takes what a handler publishes', async () => {
    const bus = createLocalBus({ log: silentLog })
    const seen: unknown[] = []
    bus.subscribe(a, (message) => {
      seen.push(message)
      if (message < 5) bus.publish(a, message + 1)
    })
    bus.publish(a, 1)
    await bus.flush()
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })
})
