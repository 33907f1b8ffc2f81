import { afterEach, describe, expect, it, vi } from 'vitest'
import { topic, localTopic } from '../bus.ts'
import { silentLog } from '../log.ts'
import { createAssembler, framesOf } from './frames.ts'
import type { BusLine } from './line.ts'
import { createSharedBus } from './sharedBus.ts'

type Receiver = Parameters<BusLine['listen']>[0]
const said = topic<{ readonly n: number; readonly text?: string }>('said')
const kept = localTopic<number>('kept')

/** A line in memory; `lose` may drop frames on their way. */
function lineOf(everybody: Set<Receiver>, lose: (frame: string) => boolean = () => false): BusLine {
  return {
    send: async (frames) => {
      await Promise.resolve()
      for (const frame of frames) if (!lose(frame)) for (const { onFrame } of everybody) onFrame(frame)
    },
    listen: async (receiver) => {
      await Promise.resolve()
      everybody.add(receiver)
    },
    close: () => Promise.resolve(),
  }
}

const buses: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(buses.splice(0).map((bus) => bus.close()))
})
async function open(node: string, line: BusLine, nowMs: () => number = () => 0) {
  const bus = await createSharedBus({ log: silentLog, clock: { now: nowMs }, node, line })
  buses.push(bus)
  return bus
}

describe('frames', () => {
  it('carry a batch larger than a notification, and nothing else passes for one', () => {
    const text = Array.from({ length: 40_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join(
      '',
    )
    const batch = { node: 'a-1', sequence: 7, messages: [['said', { n: 1, text }]] as const }
    const frames = framesOf(batch)
    expect(frames.length).toBeGreaterThan(5)
    expect(Math.max(...frames.map((frame) => Buffer.byteLength(frame)))).toBeLessThan(8_000)
    const { take } = createAssembler()
    expect(frames.map(take).at(-1)).toEqual(batch)
    for (const bad of [
      '',
      'a 1 0 1',
      'a 1 0 1 ****',
      `a 1 0 1 ${Buffer.from('no batch').toString('base64')}`,
      'a 1 0 999999 x',
    ])
      expect(() => createAssembler().take(bad)).toThrow()
  })

  it('of a batch that lacks one are dropped', () => {
    const text = Array.from({ length: 20_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join(
      '',
    )
    const frames = framesOf({ node: 'a', sequence: 1, messages: [['said', { n: 1, text }]] })
    const { take } = createAssembler()
    expect(frames.filter((_, place) => place !== 1).map(take)).not.toContainEqual(expect.anything())
    expect(take(framesOf({ node: 'a', sequence: 2, messages: [['said', { n: 2 }]] })[0]!)?.sequence).toBe(2)
  })
})

describe('the shared bus', () => {
  it('brings messages to every process once, in order, and local ones to their own alone', async () => {
    const everybody = new Set<Receiver>()
    const [first, second] = [await open('a', lineOf(everybody)), await open('b', lineOf(everybody))]
    const heard: string[] = []
    first.subscribe(said, ({ n }) => void heard.push(`first ${n}`))
    second.subscribe(said, ({ n }) => void heard.push(`second ${n}`))
    second.subscribe(kept, (n) => void heard.push(`kept ${n}`))
    for (let n = 0; n < 5; n += 1) first.publish(said, { n })
    first.publish(kept, 1)
    await first.flush()
    await second.flush()
    expect(heard.filter((line) => line.startsWith('first'))).toEqual([0, 1, 2, 3, 4].map((n) => `first ${n}`))
    expect(heard.filter((line) => !line.startsWith('first'))).toEqual([0, 1, 2, 3, 4].map((n) => `second ${n}`))
  })

  it('tells of a gap when a batch was lost, and not before one was', async () => {
    const everybody = new Set<Receiver>()
    let isLosing = false
    const first = await open(
      'a',
      lineOf(everybody, () => isLosing),
    )
    const second = await open('b', lineOf(everybody))
    let gaps = 0
    second.onGap(() => (gaps += 1))
    const send = async (n: number): Promise<void> => {
      first.publish(said, { n })
      await first.flush()
    }
    await send(1)
    await send(2)
    expect(gaps).toBe(0)
    isLosing = true
    await send(3)
    isLosing = false
    expect(gaps).toBe(0)
    await send(4)
    expect(gaps).toBe(1)
    await send(5)
    expect(gaps).toBe(1)
  })

  it('notices the loss of the last batch by the sign of life that follows it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const everybody = new Set<Receiver>()
    let isLosing = false
    const first = await open(
      'a',
      lineOf(everybody, () => isLosing),
    )
    const second = await open('b', lineOf(everybody))
    let gaps = 0
    second.onGap(() => (gaps += 1))
    first.publish(said, { n: 1 })
    await first.flush()
    isLosing = true
    first.publish(said, { n: 2 })
    await first.flush()
    isLosing = false
    await vi.advanceTimersByTimeAsync(1_000)
    vi.useRealTimers()
    await expect.poll(() => gaps).toBe(1)
  })

  it('goes on when a frame is wrong', async () => {
    const everybody = new Set<Receiver>()
    const bus = await open('b', lineOf(everybody))
    const heard: number[] = []
    bus.subscribe(said, ({ n }) => void heard.push(n))
    for (const { onFrame } of everybody) {
      onFrame('not a frame')
      for (const frame of framesOf({ node: 'a', sequence: 1, messages: [['said', { n: 3 }]] })) onFrame(frame)
    }
    await bus.flush()
    expect(heard).toEqual([3])
  })
})
