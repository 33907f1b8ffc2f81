import { expect, it } from 'vitest'
import { builtInProfiles, deviceProfileSchema, profileOf } from '#contract/fleet/deviceProfiles.ts'

it('every built-in profile is one that a model could have', () => {
  for (const profile of Object.values(builtInProfiles)) expect(deviceProfileSchema.parse(profile)).toEqual(profile)
})

it('an unknown name gives the profile of the protocol', () => {
  expect(profileOf({ protocol: 'jt808', name: 'constructor' })).toBe(builtInProfiles.standard)
  expect(profileOf({ protocol: 'omni', name: 'early' })).toEqual({ protocol: 'omni', dialect: 'early' })
  expect(profileOf({ protocol: 'mqtt', name: 'doors' })).toEqual({ protocol: 'mqtt' })
})

it.each([
  { by: 'terminal_control', command: 256 },
  { by: 'vehicle_control', flags: 1, controls: [] },
  { by: 'text', flags: 1, text: '' },
  { by: 'passthrough', type: 1, hex: 'F' },
])('refuses an order that fits no message: %o', (unlock) => {
  const { standard } = builtInProfiles
  expect(deviceProfileSchema.safeParse({ ...standard, orders: { ...standard.orders, unlock } }).success).toBe(false)
})
