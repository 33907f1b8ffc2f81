import { expect, it } from 'vitest'
import { commandStates, isFinalCommandState } from '@saddle/contract/fleet/commands.ts'
import { vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { mayCommand, statesBefore } from './rules.ts'

it('leads from queued to an end, and never on from there', () => {
  for (const to of commandStates) {
    expect(statesBefore(to).some(isFinalCommandState), `before ${to}`).toBe(false)
    expect(statesBefore(to).includes(to), `${to} again`).toBe(false)
  }
  expect(statesBefore('sent')).toEqual(['queued'])
  expect(statesBefore('acknowledged')).toEqual(['sent'])
  // Nothing is confirmed or refused by a vehicle that was never asked.
  expect(statesBefore('confirmed')).not.toContain('queued')
  expect(statesBefore('failed')).not.toContain('queued')
})

it('a vehicle that was taken in is not commanded, and nobody opens the vehicle of a rider', () => {
  const allowed = (kind: 'unlock' | 'lock') => vehicleStates.filter((state) => mayCommand({ state, kind }))
  expect(allowed('lock')).toEqual(vehicleStates.filter((state) => state !== 'removed'))
  expect(allowed('unlock')).toEqual(['available', 'non_operational', 'elsewhere', 'non_contactable', 'missing'])
})
