import { describe, expect, it } from 'vitest'
import { rideStates } from '@saddle/contract/riding/rides.ts'
import { lockedByHandMs, nextTurn, outlookOfStep, type RideFacts, type RideStep } from './rules.ts'

const now = 1_000_000
const facts = (changes: Partial<RideFacts>): RideFacts => ({
  state: 'riding',
  reservedUntil: null,
  unlock: { state: 'confirmed', finishedAt: now - 500_000 },
  lock: null,
  changedAt: now - 500_000,
  lockedSince: null,
  isVehicleFree: false,
  ...changes,
})
const confirmed = { state: 'confirmed', finishedAt: now - 10 } as const
const expired = { state: 'expired', finishedAt: now - 10 } as const
const sent = { state: 'sent', finishedAt: null } as const

describe('a ride by itself', () => {
  it.each<[string, Partial<RideFacts>, ReturnType<typeof nextTurn>]>([
    ['a reservation lasts', { state: 'reserved', reservedUntil: now + 1 }, null],
    ['and ends', { state: 'reserved', reservedUntil: now }, { to: 'cancelled' }],
    ['unlocking waits', { state: 'unlocking', unlock: sent }, null],
    ['unlocked', { state: 'unlocking', unlock: confirmed }, { to: 'riding', startedAt: now - 10 }],
    ['never unlocked', { state: 'unlocking', unlock: expired }, { to: 'failed' }],
    ['a command that nobody knows of', { state: 'unlocking', unlock: null }, { to: 'failed' }],
    ['riding goes on', {}, null],
    ['locked by hand a moment ago', { lockedSince: now - lockedByHandMs + 1 }, null],
    ['locked by hand', { lockedSince: now - lockedByHandMs }, { to: 'ended', endedAt: now - lockedByHandMs }],
    ['locked before this ride', { lockedSince: now - 600_000 }, null],
    ['pausing under way', { state: 'pausing', lock: sent, lockedSince: now - 600_000 }, null],
    ['paused when the lock has closed', { state: 'pausing', lock: confirmed }, { to: 'paused' }],
    ['and when only the vehicle says so', { state: 'pausing', lock: expired, lockedSince: now }, { to: 'paused' }],
    ['pausing failed', { state: 'pausing', lock: expired }, { to: 'not_locked' }],
    ['paused', { state: 'paused', lock: confirmed, lockedSince: now - 900 }, null],
    ['paused, and the vehicle looks free', { state: 'paused', lock: confirmed, isVehicleFree: true }, { to: 'kept' }],
    ['resuming under way', { state: 'resuming', unlock: sent }, null],
    ['resumed', { state: 'resuming', unlock: confirmed }, { to: 'riding', startedAt: now - 10 }],
    ['resuming failed', { state: 'resuming', unlock: expired }, { to: 'not_unlocked' }],
    [
      'locked by hand after a step that failed',
      { unlock: null, lockedSince: now - 40_000 },
      { to: 'ended', endedAt: now - 40_000 },
    ],
    ['returning waits', { state: 'returning', lock: sent }, null],
    ['returned', { state: 'returning', lock: confirmed }, { to: 'ended', endedAt: now - 10 }],
    [
      'returned while paused: the rider kept it until then',
      { state: 'returning', lock: { state: 'confirmed', finishedAt: now - 400_000 }, changedAt: now - 5 },
      { to: 'ended', endedAt: now - 5 },
    ],
    [
      'locked by hand while the command was on its way',
      { state: 'returning', lock: expired, changedAt: now - 90, lockedSince: now - 50 },
      { to: 'ended', endedAt: now - 50 },
    ],
    ['the lock did not close', { state: 'returning', lock: expired }, { to: 'not_locked' }],
    ['what is paid stays so', { state: 'paid', lockedSince: 0 }, null],
  ])('%s', (_, changes, turn) => {
    expect(nextTurn(facts(changes), now)).toEqual(turn)
  })

  it('takes each step from its states, forgives a second asking, and refuses the rest', () => {
    const steps: RideStep[] = ['unlock', 'cancel', 'pause', 'resume', 'end', 'pay']
    const table = steps.map((step) => [step, ...rideStates.map((state) => outlookOfStep(state, step)[0])].join(' '))
    // reserved unlocking riding paused returning cancelled failed due paid part_refunded refunded pausing resuming
    expect(outlookOfStep('riding', 'end')).toBe('take')
    expect(outlookOfStep('returning', 'end')).toBe('taken')
    expect(outlookOfStep('reserved', 'end')).toBe('refuse')
    expect(outlookOfStep('pausing', 'pause')).toBe('taken')
    expect(outlookOfStep('pausing', 'resume')).toBe('refuse')
    expect(outlookOfStep('resuming', 'end')).toBe('take')
    expect(new Set(table).size).toBe(steps.length)
  })
})
