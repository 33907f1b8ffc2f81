import { describe, expect, it } from 'vitest'
import { hasPending, mergeCommand, mergeCommands, stepsOf } from './steps.ts'
import { command } from './vehicle.fixture.ts'

const short = (parts: Parameters<typeof command>[0]) =>
  stepsOf(command(parts)).map((step) => `${step.label}:${step.status}`)

describe('steps of a command', () => {
  it('never shows more than is known', () => {
    expect(short({})).toEqual(['排队中:active', '已发送:pending', '设备已应答:pending', '已确认:pending'])
    expect(short({ state: 'sent', sentAt: 2 })).toEqual([
      '排队中:done',
      '已发送:active',
      '设备已应答:pending',
      '已确认:pending',
    ])
    expect(short({ state: 'acknowledged', sentAt: 2, acknowledgedAt: 3 })).toEqual([
      '排队中:done',
      '已发送:done',
      '设备已应答:active',
      '已确认:pending',
    ])
    expect(short({ state: 'confirmed', sentAt: 2, acknowledgedAt: 3, finishedAt: 4 })).toEqual([
      '排队中:done',
      '已发送:done',
      '设备已应答:done',
      '已确认:done',
    ])
  })

  it('shows where an expired or failed command stopped, and why', () => {
    expect(short({ state: 'expired', finishedAt: 9 })).toEqual([
      '排队中:done',
      '已发送:skipped',
      '设备已应答:skipped',
      '已过期:bad',
    ])
    const failed = stepsOf(command({ state: 'failed', sentAt: 2, acknowledgedAt: 3, finishedAt: 4 }))
    expect(failed.at(-1)).toEqual({ state: 'failed', label: '失败', status: 'bad', at: 4 })
  })
})

describe('news of commands', () => {
  it('puts new ones first and keeps to the limit', () => {
    const list = [command({ id: 3 }), command({ id: 2 })]
    expect(mergeCommand(list, command({ id: 5 }), 2).map((each) => each.id)).toEqual([5, 3])
    expect(mergeCommand(list, command({ id: 1 }), 5).map((each) => each.id)).toEqual([3, 2, 1])
  })

  it('never goes back, whatever way and order the news come', () => {
    const sent = command({ state: 'sent', sentAt: 2 })
    const confirmed = command({ state: 'confirmed', sentAt: 2, acknowledgedAt: 3, finishedAt: 4 })
    const list = mergeCommand([sent], confirmed, 5)
    expect(list).toEqual([confirmed])
    expect(mergeCommand(list, sent, 5)).toEqual([confirmed])
    expect(mergeCommand(list, command({ state: 'failed', finishedAt: 5 }), 5)).toEqual([confirmed])
    expect(mergeCommands(list, [command({ id: 2 }), command()], 5)).toEqual([command({ id: 2 }), confirmed])
  })

  it('knows whether something is still to come', () => {
    expect(hasPending([command({ state: 'acknowledged' })])).toBe(true)
    expect(
      hasPending([command({ state: 'expired' }), command({ state: 'confirmed' }), command({ state: 'failed' })]),
    ).toBe(false)
  })
})
