import { vehicleStates } from '@saddle/contract/fleet/vehicles.ts'
import { describe, expect, it } from 'vitest'
import { batteryIcon, drawOrder, iconName, iconSpecs, isQuiet, shownState, symbolOf } from './symbol.ts'
import { liveVehicle } from './vehicle.fixture.ts'

describe('symbol of a vehicle', () => {
  it('shows a vehicle that nobody hears as offline, but a missing one as missing', () => {
    expect(shownState({ state: 'available', offline: true })).toBe('non_contactable')
    expect(shownState({ state: 'on_trip', offline: true })).toBe('non_contactable')
    expect(shownState({ state: 'missing', offline: true })).toBe('missing')
    expect(shownState({ state: 'removed', offline: true })).toBe('removed')
    expect(shownState({ state: 'available', offline: false })).toBe('available')
  })

  it('puts an alarm before a low battery', () => {
    expect(symbolOf(liveVehicle({ lowBattery: true })).badge).toBe('low')
    expect(symbolOf(liveVehicle({ lowBattery: true, alarm: true, worst: 'fall' })).badge).toBe('fall')
    expect(symbolOf(liveVehicle({ alarm: true, worst: 'low_battery', lowBattery: true })).badge).toBe('low')
    // The mark says it already.
    expect(symbolOf(liveVehicle({ alarm: true, worst: 'offline', offline: true })).badge).toBe('none')
    expect(isQuiet(symbolOf(liveVehicle()))).toBe(true)
    expect(isQuiet(symbolOf(liveVehicle({ alarm: true, worst: 'outside_area' })))).toBe(false)
    expect(symbolOf(liveVehicle()).badge).toBe('none')
  })

  it('shows a heading only for a ride', () => {
    expect(symbolOf(liveVehicle({ headingDeg: 90 })).headingDeg).toBeNull()
    expect(symbolOf(liveVehicle({ state: 'on_trip', headingDeg: 90 })).headingDeg).toBe(90)
    expect(symbolOf(liveVehicle({ state: 'on_trip', headingDeg: null })).headingDeg).toBeNull()
  })

  it('has a picture for every vehicle that can be', () => {
    const names = new Set<string>(iconSpecs.map((spec) => spec.name))
    expect(names.size).toBe(iconSpecs.length)
    for (const state of vehicleStates) {
      for (const [lowBattery, alarm, offline] of [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [
        bits & 1,
        bits & 2,
        bits & 4,
      ])) {
        for (const headingDeg of [null, 120]) {
          const vehicle = liveVehicle({
            state,
            headingDeg,
            lowBattery: !!lowBattery,
            alarm: !!alarm,
            offline: !!offline,
          })
          expect(names).toContain(iconName(symbolOf(vehicle)))
        }
      }
    }
  })

  it('tells a battery as low where the company of the vehicle counts it as low, and not by how full it is', () => {
    expect(batteryIcon(liveVehicle({ batteryPercent: 38, lowBattery: true }))).toBe('battery-low-4')
    expect(batteryIcon(liveVehicle({ batteryPercent: 17, lowBattery: false }))).toBe('battery-2')
    expect(batteryIcon(liveVehicle({ batteryPercent: null }))).toBe('')
  })

  it('draws what needs a person on top', () => {
    const calm = drawOrder(symbolOf(liveVehicle()))
    const low = drawOrder(symbolOf(liveVehicle({ lowBattery: true })))
    const alarm = drawOrder(symbolOf(liveVehicle({ alarm: true, worst: 'tamper' })))
    const daily = drawOrder(symbolOf(liveVehicle({ state: 'reserved', alarm: true, worst: 'outside_area' })))
    expect(daily).toBeLessThan(alarm)
    const lost = drawOrder(symbolOf(liveVehicle({ state: 'missing' })))
    expect([alarm, low, lost, calm]).toEqual([alarm, low, lost, calm].toSorted((one, other) => other - one))
    expect(new Set([alarm, low, lost, calm]).size).toBe(4)
  })
})
