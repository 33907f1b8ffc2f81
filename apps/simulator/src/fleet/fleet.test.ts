import { demoAreas, demoVehicles } from '@saddle/contract/demo/city.ts'
import { describe, expect, it } from 'vitest'
import { makeCity } from '#sim/city/city.ts'
import { distance, distanceTo, inside, toPoint, type Point } from '#sim/city/geometry.ts'
import { createFleet, isStationary, type Fleet } from './fleet.ts'

const city = makeCity()
const startMs = Date.UTC(2026, 10, 21, 0, 30)
const make = (options: { seed?: number; count?: number; faults?: number } = {}) =>
  createFleet({ seed: options.seed ?? 3, count: options.count ?? 36, startMs, faults: options.faults ?? 0, city })

/** Lives through `minutes` in steps of the real simulator, telling what every vehicle did in each. */
function live(fleet: Fleet, minutes: number, each?: (nowMs: number) => void, factor = 1) {
  const stepMs = 200
  for (let passed = stepMs; passed <= minutes * 60_000; passed += stepMs) {
    fleet.step(startMs + passed, stepMs * factor)
    each?.(startMs + passed)
  }
}
const snapshot = (fleet: Fleet) => fleet.vehicles.map(({ body }) => ({ ...body }))

describe('the fleet', () => {
  it('lives the same day for the same seed, another for another', () => {
    const [one, two, other] = [make(), make(), make({ seed: 4 })]
    for (const fleet of [one, two, other]) live(fleet, 6)
    expect(snapshot(two)).toEqual(snapshot(one))
    expect(snapshot(other)).not.toEqual(snapshot(one))
  })

  it('leaves the day of a vehicle as it was when others join', () => {
    const [few, many] = [make({ count: 12 }), make({ count: 30 })]
    live(few, 6)
    live(many, 6)
    expect(snapshot(many).slice(0, 12)).toEqual(snapshot(few))
  })

  it('starts every vehicle at its place of the contract, locked', () => {
    const fleet = make()
    for (const [index, demo] of demoVehicles(36).entries()) {
      expect(fleet.vehicles[index]).toMatchObject(demo)
      expect(fleet.vehicles[index]!.body).toMatchObject({ lat: demo.lat, lng: demo.lng, locked: true, speedKmh: 0 })
    }
  })

  it('rides along the streets, open, at a rider’s speed, and ends locked at a kerb of its own area', () => {
    const fleet = make()
    const before = new Map<number, Point>()
    const riding = new Set<number>()
    const goals: { place: Point; areaIndex: number; body: object }[] = []
    let fastestKmh = 0
    let longestStepM = 0
    let movedAtRestM = 0
    let lockedWhileRidden = 0
    live(fleet, 25, () => {
      for (const { index, body, ride, areaIndex } of fleet.vehicles) {
        const place = toPoint(body)
        const stepM = distance(before.get(index) ?? place, place)
        before.set(index, place)
        longestStepM = Math.max(longestStepM, stepM)
        if (!riding.has(index) && !ride) movedAtRestM += stepM
        if (ride) {
          riding.add(index)
          fastestKmh = Math.max(fastestKmh, body.speedKmh)
          if (body.locked) lockedWhileRidden++
        } else if (riding.delete(index)) {
          goals.push({ place, areaIndex, body: { ...body } })
        }
      }
    })
    expect(movedAtRestM).toBe(0)
    expect(lockedWhileRidden).toBe(0)
    expect(fastestKmh).toBeGreaterThan(15)
    expect(fastestKmh).toBeLessThanOrEqual(25)
    // 25 km/h are 1.4 m in a step; at a corner the right side of the next street adds up to 6 m.
    expect(longestStepM).toBeLessThan(8)
    expect(goals.length).toBeGreaterThan(10)
    for (const { place, areaIndex, body } of goals) {
      expect(body).toMatchObject({ locked: true, speedKmh: 0, openSinceMs: null })
      const ring = demoAreas[areaIndex]!.ring.map(([lng, lat]) => toPoint({ lng, lat }))
      expect(inside(place, ring)).toBe(true)
      expect(Math.min(...city.net.streets.map(({ points }) => distanceTo(place, points)))).toBeLessThan(9)
    }
  })

  it('never moves the vehicles that are kept for the console', () => {
    const fleet = make()
    const still = fleet.vehicles.filter(({ stationary }) => stationary)
    expect(still.map(({ index }) => index).slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 7])
    live(fleet, 20)
    const places = demoVehicles(36)
    for (const { index, body } of still) {
      expect(isStationary(index)).toBe(true)
      expect(body).toMatchObject({ lat: places[index]!.lat, lng: places[index]!.lng, locked: true })
    }
  })

  it('drains batteries by distance, tells when one is low, and has it changed', () => {
    const fleet = make({ count: 60 })
    const told = new Set<number>()
    const changed = new Set<number>()
    const odometers = fleet.vehicles.map(({ body }) => body.odometerM)
    const batteries = fleet.vehicles.map(({ body }) => body.batteryPercent)
    let compared = 0
    let lowest = 100
    for (const { core } of fleet.vehicles) core.connected(startMs)
    live(
      fleet,
      10,
      () => {
        for (const { index, core, body } of fleet.vehicles) {
          for (const message of core.take(50)) {
            if (message.instruction === 'W0' && message.alarm === 4) told.add(index)
            if (message.instruction === 'L5') changed.add(index)
          }
          lowest = Math.min(lowest, body.batteryPercent)
        }
      },
      30,
    )
    for (const { index, body } of fleet.vehicles) {
      if (changed.has(index)) continue
      const km = (body.odometerM - odometers[index]!) / 1000
      expect(batteries[index]! - body.batteryPercent).toBeCloseTo(km / 0.55 + 0.15 * 5, 0)
      compared++
    }
    expect(compared).toBeGreaterThan(10)
    expect(lowest).toBeGreaterThanOrEqual(0)
    expect(told.size).toBeGreaterThan(0)
    expect(changed.size).toBeGreaterThan(0)
  })

  it('breaks nothing without faults and many things on a bad day', () => {
    const alarms = (faults: number) => {
      const fleet = make({ faults, count: 60 })
      let drops = 0
      let lost = 0
      const codes = new Set<number>()
      live(
        fleet,
        8,
        () => {
          for (const { core, troubles } of fleet.vehicles) {
            if (troubles.takeDrop()) drops++
            if (core.troubles.noSatellites) lost++
            for (const message of core.take(50)) if (message.instruction === 'W0') codes.add(message.alarm)
          }
        },
        30,
      )
      codes.delete(4)
      return { drops, lost, codes: [...codes].toSorted((a, b) => a - b) }
    }
    expect(alarms(0)).toEqual({ drops: 0, lost: 0, codes: [] })
    const bad = alarms(1)
    expect(bad.drops).toBeGreaterThan(20)
    expect(bad.lost).toBeGreaterThan(20)
    expect(bad.codes).toEqual([1, 2, 6])
  })
})
