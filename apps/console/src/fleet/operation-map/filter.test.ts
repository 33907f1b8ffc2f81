import { vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { describe, expect, it } from 'vitest'
import { everything, isFiltering, passes, toggleAlarm, toggleFlag, toggleState } from './filter.ts'
import { liveVehicle } from './vehicle.fixture.ts'

describe('filter of the legend', () => {
  it('lets everything through at first', () => {
    expect(vehicleStates.every((state) => passes(liveVehicle({ state }), everything))).toBe(true)
    expect(isFiltering(everything)).toBe(false)
  })

  it('shows one state, adds another, and all again', () => {
    const trips = toggleState(everything, 'on_trip')
    expect(passes(liveVehicle({ state: 'on_trip' }), trips)).toBe(true)
    expect(passes(liveVehicle(), trips)).toBe(false)
    const both = toggleState(trips, 'available')
    expect(both.states).toEqual(['available', 'on_trip'])
    expect(passes(liveVehicle(), both)).toBe(true)
    expect(toggleState(trips, 'on_trip').states).toEqual([])
    expect(vehicleStates.reduce(toggleState, everything).states).toEqual([])
  })

  it('counts a vehicle without contact as offline', () => {
    const offline = toggleState(everything, 'non_contactable')
    expect(passes(liveVehicle({ offline: true }), offline)).toBe(true)
    expect(passes(liveVehicle({ offline: true }), toggleState(everything, 'available'))).toBe(false)
  })

  it('narrows by low battery or alarm', () => {
    const low = toggleFlag(everything, 'low')
    expect(passes(liveVehicle({ lowBattery: true }), low)).toBe(true)
    expect(passes(liveVehicle({ alarm: true }), low)).toBe(false)
    expect(passes(liveVehicle({ alarm: true }), toggleFlag(low, 'alarm'))).toBe(true)
    expect(toggleFlag(low, 'low').flag).toBeNull()
    expect(isFiltering(low)).toBe(true)
  })

  it('narrows by the most urgent alarm', () => {
    const fallen = toggleAlarm(everything, 'fall')
    expect(passes(liveVehicle({ alarm: true, worst: 'fall' }), fallen)).toBe(true)
    expect(passes(liveVehicle({ alarm: true, worst: 'tamper' }), fallen)).toBe(false)
    expect(passes(liveVehicle(), fallen)).toBe(false)
    expect(passes(liveVehicle({ alarm: true, worst: 'tamper' }), toggleAlarm(fallen, 'tamper'))).toBe(true)
    expect(toggleAlarm(fallen, 'fall').alarms).toEqual([])
    expect(isFiltering(fallen)).toBe(true)
  })
})
