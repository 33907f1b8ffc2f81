import { hourMs } from '@saddle/contract/time.ts'
import { expect, it } from 'vitest'
import { everything, toggleFlag, toggleState } from './filter.ts'
import { passesPast, statesOf } from './pastFilter.ts'
import type { PastPlace } from './replay.ts'

const atMs = 100 * hourMs
const place = (parts: Partial<PastPlace> = {}): PastPlace => ({
  id: 1,
  lat: 31,
  lng: 120,
  state: 'available',
  batteryPercent: 60,
  since: atMs - 5 * hourMs,
  ...parts,
})
const all = { filter: everything, mode: { batteryTo: null, idleHours: null }, ids: null, atMs }

it('asks the past for state, battery, idle time, area and model', () => {
  expect(passesPast(place(), all)).toBe(true)
  expect(passesPast(place(), { ...all, filter: toggleState(everything, 'on_trip') })).toBe(false)
  expect(
    passesPast(place({ state: 'on_trip', since: null }), { ...all, filter: toggleState(everything, 'on_trip') }),
  ).toBe(true)
  expect(passesPast(place({ batteryPercent: 12 }), { ...all, filter: toggleFlag(everything, 'low') })).toBe(true)
  expect(passesPast(place(), { ...all, filter: toggleFlag(everything, 'low') })).toBe(false)
  expect(passesPast(place(), { ...all, mode: { batteryTo: 50, idleHours: null } })).toBe(false)
  expect(passesPast(place({ batteryPercent: null }), { ...all, mode: { batteryTo: 50, idleHours: null } })).toBe(false)
  expect(passesPast(place(), { ...all, mode: { batteryTo: null, idleHours: 5 } })).toBe(true)
  expect(passesPast(place(), { ...all, mode: { batteryTo: null, idleHours: 6 } })).toBe(false)
  expect(
    passesPast(place({ since: null, state: 'on_trip' }), { ...all, mode: { batteryTo: null, idleHours: 1 } }),
  ).toBe(false)
  expect(passesPast(place({ id: 2 }), { ...all, ids: new Set([1]) })).toBe(false)
})

it('counts the states of the past', () => {
  expect(statesOf([place(), place({ id: 2 }), place({ id: 3, state: 'on_trip' })])).toEqual({
    available: 2,
    on_trip: 1,
  })
})
