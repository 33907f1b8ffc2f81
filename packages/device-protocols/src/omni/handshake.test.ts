import { describe, expect, it } from 'vitest'
import {
  beginOmniHandshake,
  expireOmniHandshake,
  omniDeviceLockAtRest,
  omniHandshakeTimeoutMs,
  omniResultRepeatMs,
  omniResultRepeats,
  stepOmniDeviceLock,
  stepOmniHandshake,
  tickOmniDeviceLock,
  type OmniDeviceLockState,
  type OmniDeviceSituation,
  type OmniPlatformEvent,
  type OmniPlatformState,
} from './handshake.ts'
import type { OmniBody, OmniCommandBody, OmniMessage } from './messages.ts'

const said = (body: OmniBody): OmniMessage => ({ header: 'SCOR', vendor: 'OM', deviceId: '123456789123456', ...body })
const calm: OmniDeviceSituation = { nowMs: 1000, freshKey: 55, speedKmh: 0, ridingTimeMin: 3, lockWorks: true }
const begin = (operation: 0 | 1) => beginOmniHandshake({ operation, userId: 7, timestamp: 1_497_689_816, nowMs: 1000 })

/** Lets both machines talk until nobody has anything left to say. */
function converse(operation: 0 | 1, situation: OmniDeviceSituation = calm) {
  const first = begin(operation)
  let platform: OmniPlatformState = first.state
  let device: OmniDeviceLockState = omniDeviceLockAtRest
  const events: OmniPlatformEvent[] = []
  const actions: string[] = []
  const commands: OmniCommandBody[] = [...first.send]
  for (let turns = 0; commands.length > 0 && turns < 20; turns++) {
    const atDevice = stepOmniDeviceLock(device, commands.shift()!, situation)
    device = atDevice.state
    if (atDevice.action) actions.push(atDevice.action)
    for (const body of atDevice.send) {
      const atPlatform = stepOmniHandshake(platform, said(body))
      platform = atPlatform.state
      if (atPlatform.event) events.push(atPlatform.event)
      commands.push(...atPlatform.send)
    }
  }
  return { platform, device, events, actions }
}

describe('the whole conversation', () => {
  it('unlocks', () => {
    const end = converse(0)
    expect(end.actions).toEqual(['unlock'])
    expect(end.events).toEqual([
      { kind: 'key_received', operation: 0 },
      { kind: 'done', operation: 0 },
    ])
    expect(end.platform).toEqual({ phase: 'idle' })
    expect(end.device).toEqual({ issued: null, openResult: null })
  })

  it('locks and tells the riding time', () => {
    const end = converse(1)
    expect(end.actions).toEqual(['lock'])
    expect(end.events.at(-1)).toEqual({ kind: 'done', operation: 1, ridingTimeMin: 3 })
  })

  it('does not lock while riding, nor with a stuck bolt', () => {
    const riding = converse(1, { ...calm, speedKmh: 1 })
    expect(riding.actions).toEqual([])
    expect(riding.events.at(-1)).toEqual({ kind: 'refused', operation: 1, reason: 'riding', result: 3 })
    expect(converse(1, { ...calm, speedKmh: 0.9 }).actions).toEqual(['lock'])
    expect(converse(0, { ...calm, lockWorks: false }).events.at(-1)).toMatchObject({ reason: 'failed' })
  })
})

describe('the platform', () => {
  it('never answers a key that it did not ask for', () => {
    const key = { instruction: 'R0', operation: 0, key: 5, userId: 7, timestamp: 1_497_689_816 } as const
    const unasked = stepOmniHandshake({ phase: 'idle' }, said(key))
    expect(unasked).toEqual({ state: { phase: 'idle' }, send: [], event: { kind: 'tamper' } })
    const { state } = begin(0)
    for (const foreign of [
      { ...key, userId: 8 },
      { ...key, timestamp: 1 },
      { ...key, operation: 1 as const },
    ]) {
      expect(stepOmniHandshake(state, said(foreign))).toEqual({ state, send: [], event: { kind: 'tamper' } })
    }
  })

  it('sends the key once when the answer comes twice', () => {
    const key = { instruction: 'R0', operation: 0, key: 5, userId: 7, timestamp: 1_497_689_816 } as const
    const first = stepOmniHandshake(begin(0).state, said(key))
    expect(first.send).toHaveLength(1)
    expect(stepOmniHandshake(first.state, said(key))).toEqual({ state: first.state, send: [], event: null })
  })

  it('acknowledges a late result without taking it for the answer', () => {
    const { state } = begin(0)
    const late = stepOmniHandshake(state, said({ instruction: 'L1', result: 0, userId: 7, timestamp: 5 }))
    expect(late.state).toBe(state)
    expect(late.send).toEqual([{ instruction: 'ack', of: 'L1' }])
    expect(late.event).toEqual({ kind: 'unasked_result', operation: 1, result: 0 })
  })

  it('gives up at the deadline and not before', () => {
    const { state } = begin(1)
    expect(expireOmniHandshake(state, 999 + omniHandshakeTimeoutMs).event).toBeNull()
    expect(expireOmniHandshake(state, 1000 + omniHandshakeTimeoutMs)).toEqual({
      state: { phase: 'idle' },
      send: [],
      event: { kind: 'expired', operation: 1 },
    })
  })

  it('is not moved by other messages', () => {
    const { state } = begin(0)
    expect(stepOmniHandshake(state, said({ instruction: 'W0', alarm: 1 }))).toEqual({ state, send: [], event: null })
  })
})

describe('the device', () => {
  const ask: OmniCommandBody = { instruction: 'R0', operation: 0, keySeconds: 20, userId: 7, timestamp: 9 }
  const issued = () => stepOmniDeviceLock(omniDeviceLockAtRest, ask, calm).state
  const use = (state: OmniDeviceLockState, key: number, nowMs = 1000) =>
    stepOmniDeviceLock(state, { instruction: 'L0', key, userId: 7, timestamp: 9 }, { ...calm, nowMs })

  it('refuses a wrong, a used, an expired and a foreign key', () => {
    const result = 2
    expect(use(issued(), 54)).toMatchObject({ action: null, send: [{ result }] })
    expect(use(use(issued(), 55).state, 55)).toMatchObject({ action: null, send: [{ result }] })
    expect(use(use(issued(), 54).state, 55)).toMatchObject({ action: null, send: [{ result }] })
    expect(use(issued(), 55, 21_000)).toMatchObject({ action: 'unlock' })
    expect(use(issued(), 55, 21_001)).toMatchObject({ action: null, send: [{ result }] })
    expect(stepOmniDeviceLock(issued(), { instruction: 'L1', key: 55 }, calm)).toMatchObject({
      action: null,
      send: [{ result }],
    })
  })

  it('repeats its result until it is acknowledged, a few times', () => {
    let state = use(issued(), 55).state
    const acknowledged = stepOmniDeviceLock(state, { instruction: 'ack', of: 'L0' }, calm).state
    expect(tickOmniDeviceLock(acknowledged, 1e9).send).toEqual([])
    const other = stepOmniDeviceLock(state, { instruction: 'ack', of: 'L1' }, calm).state
    expect(other.openResult).not.toBeNull()

    let repeats = 0
    for (let nowMs = 1000; nowMs < 1000 + 100 * omniResultRepeatMs; nowMs += omniResultRepeatMs) {
      const step = tickOmniDeviceLock(state, nowMs)
      repeats += step.send.length
      state = step.state
    }
    expect(repeats).toBe(omniResultRepeats)
    expect(state.openResult).toBeNull()
  })
})
