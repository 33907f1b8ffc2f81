import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Jt808Packet } from './packets.ts'
import { createJt808Reassembler } from './reassembly.ts'

const head = { headerVersion: 2013, deviceId: '013912345678', messageId: 0x0704 } as const

function partsOf(text: string, first: number, deviceId: string = head.deviceId): Jt808Packet[] {
  return Array.from(text, (letter, at) => ({
    ...head,
    deviceId,
    serial: (first + at) & 0xffff,
    part: { total: text.length, index: at + 1 },
    body: Buffer.from(letter),
  }))
}

describe('createJt808Reassembler', () => {
  it('lets a packet without parts through', () => {
    const packet = { ...head, serial: 1, body: Buffer.from('x') }
    expect(createJt808Reassembler().add(packet, 0)).toBe(packet)
  })

  it('joins parts in any order, with duplicates, across the turn of the serial number', () => {
    const shuffled = fc.shuffledSubarray([...partsOf('saddle', 0xfffe), ...partsOf('saddle', 0xfffe).slice(0, 3)], {
      minLength: 9,
      maxLength: 9,
    })
    fc.assert(
      fc.property(shuffled, (parts) => {
        const reassembler = createJt808Reassembler()
        const whole = parts.map((part) => reassembler.add(part, 0)).filter((packet) => packet !== null)
        expect(whole).toEqual([{ ...head, serial: 0xfffe, body: Buffer.from('saddle') }])
      }),
    )
  })

  it('keeps messages and terminals apart', () => {
    const reassembler = createJt808Reassembler()
    const streams = [partsOf('abc', 1), partsOf('xyz', 50), partsOf('123', 1, '000000000001')]
    const found: string[] = []
    for (const at of [0, 1, 2]) {
      for (const stream of streams) found.push(reassembler.add(stream[at]!, 0)?.body.toString() ?? '')
    }
    expect(found.slice(6)).toEqual(['abc', 'xyz', '123'])
    expect([reassembler.pendingMessages, reassembler.pendingBytes]).toEqual([0, 0])
  })

  it('forgets by age', () => {
    const reassembler = createJt808Reassembler({ maxAgeMs: 1000 })
    const [first, last] = partsOf('ab', 1)
    expect(reassembler.add(first!, 0)).toBeNull()
    reassembler.expire(999)
    expect(reassembler.pendingMessages).toBe(1)
    expect(reassembler.add(last!, 1000)).toBeNull()
    expect(reassembler.abandonedMessages).toBe(1)
    expect(reassembler.add(first!, 1001)?.body.toString()).toBe('ab')
  })

  it('lets a terminal that begins too many lose its oldest, and no other', () => {
    const reassembler = createJt808Reassembler({ maxMessagesPerTerminal: 2 })
    const other = partsOf('ok', 1, '000000000001')
    reassembler.add(other[0]!, 0)
    const messages = ['ab', 'cd', 'ef'].map((text, at) => partsOf(text, at * 10))
    for (const [first] of messages) reassembler.add(first!, 1)
    expect(reassembler.abandonedMessages).toBe(1)
    expect(messages.slice(1).map(([, last]) => reassembler.add(last!, 2)?.body.toString())).toEqual(['cd', 'ef'])
    expect(reassembler.add(other[1]!, 2)?.body.toString()).toBe('ok')
    expect(reassembler.add(messages[0]![1]!, 2)).toBeNull()
  })

  it('is bounded in messages, bytes and parts whatever comes', () => {
    const limits = { maxMessages: 20, maxBytes: 3000, maxParts: 8, maxMessagesPerTerminal: 3, maxAgeMs: 5 }
    const packet = fc.record({
      terminal: fc.integer({ min: 0, max: 30 }),
      serial: fc.integer({ min: 0, max: 0xffff }),
      total: fc.integer({ min: 1, max: 12 }),
      index: fc.integer({ min: 1, max: 12 }),
      length: fc.integer({ min: 0, max: 1023 }),
    })
    fc.assert(
      fc.property(fc.array(packet, { maxLength: 300 }), (packets) => {
        const reassembler = createJt808Reassembler(limits)
        for (const [now, { terminal, serial, total, index, length }] of packets.entries()) {
          const part = { total, index: Math.min(index, total) }
          const one = { ...head, deviceId: String(terminal), serial, part, body: Buffer.alloc(length) }
          if (total > limits.maxParts) expect(() => reassembler.add(one, now)).toThrow(/too many parts/)
          else reassembler.add(one, now)
          expect(reassembler.pendingMessages).toBeLessThanOrEqual(limits.maxMessages)
          expect(reassembler.pendingBytes).toBeLessThanOrEqual(limits.maxBytes)
        }
        reassembler.expire(packets.length + limits.maxAgeMs)
        expect([reassembler.pendingMessages, reassembler.pendingBytes]).toEqual([0, 0])
      }),
      { numRuns: 200 },
    )
  })
})
