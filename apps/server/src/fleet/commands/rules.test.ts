import { expect, it } from 'vitest'
import { commandKinds, commandStates, isFinalCommandState } from '@saddle/contract/fleet/commands.ts'
import { vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { outlookOf, refusalOf, statesBefore } from './rules.ts'

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

it('a vehicle that was taken in is not commanded, and nobody opens or stops the vehicle of a rider', () => {
  const allowed = (kind: (typeof commandKinds)[number]) =>
    vehicleStates.filter((state) => refusalOf({ state, kind }) === null)
  for (const kind of commandKinds) expect(allowed(kind), kind).not.toContain('removed')
  expect(allowed('lock')).toEqual(vehicleStates.filter((state) => state !== 'removed'))
  expect(allowed('unlock')).toEqual(['available', 'non_operational', 'elsewhere', 'non_contactable', 'missing'])
  expect(allowed('power_off')).not.toContain('on_trip')
  expect(allowed('restart')).not.toContain('on_trip')
  expect(allowed('locate')).toContain('on_trip')
})

it('foretells whether a command goes out, waits, or is refused and why', () => {
  const ready = { state: 'available', kind: 'ring', isOnline: true, isPending: false } as const
  expect(outlookOf(ready)).toEqual({ outlook: 'now', refusal: null })
  expect(outlookOf({ ...ready, isOnline: false })).toEqual({ outlook: 'when_online', refusal: null })
  expect(outlookOf({ ...ready, isPending: true })).toEqual({ outlook: 'refused', refusal: '上一条同类指令尚未结束' })
  expect(outlookOf({ ...ready, state: 'removed', isPending: true })).toMatchObject({
    refusal: '车辆已撤出，不能下发指令',
  })
})
