import { demoVehicles } from '@saddle/contract/demo/city.ts'
import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { makeCity } from '#sim/city/city.ts'
import { distance, toPoint, type Point } from '#sim/city/geometry.ts'
import { createEventHash } from '#sim/history/eventHash.ts'
import { createLife, type LifeRecord } from '#sim/life/life.ts'
import { makeTown } from '#sim/life/town.ts'
import { createFleet, isStationary, type Fleet, type FleetOptions } from './fleet.ts'

const town = makeTown(makeCity())
/** Friday, half past five in the evening in the city. */
const startMs = Date.UTC(2026, 10, 20, 9, 30)
const make = (options: Partial<FleetOptions> = {}) =>
  createFleet({ seed: 3, count: 180, startMs, faults: 0, town, ...options })

/** Lives through `minutes` in steps of the real simulator. */
function live(fleet: Fleet, minutes: number, each?: (nowMs: number) => void) {
  const stepMs = 200
  for (let passed = stepMs; passed <= minutes * minuteMs; passed += stepMs) {
    fleet.step(startMs + passed, stepMs)
    each?.(startMs + passed)
  }
}
const snapshot = (fleet: Fleet) => fleet.vehicles.map(({ body }) => ({ ...body }))

describe('the fleet', () => {
  it('lives the same hour for the same seed, another for another', () => {
    const hashes = [3, 3, 4].map((seed) => {
      const hash = createEventHash()
      const fleet = make({ seed, faults: 0.5, listen: hash.note })
      live(fleet, 15)
      return `${hash.digest()} ${JSON.stringify(snapshot(fleet))}`
    })
    expect(hashes[1]).toBe(hashes[0])
    expect(hashes[2]).not.toBe(hashes[0])
  })

  it('starts every vehicle at its place of the contract, locked', () => {
    const fleet = make()
    for (const [index, demo] of demoVehicles(180).entries()) {
      expect(fleet.vehicles[index]).toMatchObject(demo)
      expect(fleet.vehicles[index]!.body).toMatchObject({ lat: demo.lat, lng: demo.lng, locked: true, speedKmh: 0 })
    }
  })

  it('moves vehicles open and at a rider’s speed, and leaves the others alone', () => {
    const fleet = make()
    const before = new Map<number, Point>()
    const ridden = new Set<number>()
    let fastestKmh = 0
    let longestStepM = 0
    let movedAtRestM = 0
    let lockedWhileRidden = 0
    live(fleet, 20, () => {
      for (const { index, body, life } of fleet.vehicles) {
        const place = toPoint(body)
        const stepM = distance(before.get(index) ?? place, place)
        before.set(index, place)
        longestStepM = Math.max(longestStepM, stepM)
        if (life.ride) {
          ridden.add(index)
          fastestKmh = Math.max(fastestKmh, body.speedKmh)
          if (body.locked) lockedWhileRidden++
        } else if (body.locked && body.speedKmh > 0) movedAtRestM += stepM
      }
    })
    expect(ridden.size).toBeGreaterThan(5)
    expect([...ridden].filter(isStationary)).toEqual([])
    expect(movedAtRestM).toBe(0)
    expect(lockedWhileRidden).toBe(0)
    expect(fastestKmh).toBeGreaterThan(12)
    expect(fastestKmh).toBeLessThanOrEqual(30)
    expect(longestStepM).toBeLessThan(12)
  })

  it('drains by the distance ridden', () => {
    const swapped = new Set<number>()
    const fleet = make({ listen: ({ kind, vehicle }) => kind === 'swapped' && swapped.add(vehicle.index) })
    const before = snapshot(fleet)
    live(fleet, 20)
    const used = fleet.vehicles.filter(({ index, body }) => body.odometerM > before[index]!.odometerM + 500)
    expect(used.length).toBeGreaterThan(3)
    for (const { index, body } of used) {
      if (swapped.has(index)) continue
      const km = (body.odometerM - before[index]!.odometerM) / 1000
      expect(before[index]!.batteryPercent - body.batteryPercent).toBeCloseTo(km / 0.55, 0)
    }
  })

  it('ends a ride where the platform locks it, and gives out nothing that the console has opened', () => {
    const fleet = make()
    live(fleet, 8)
    const ridden = fleet.vehicles.find(({ life }) => life.ride && startMs + 480_000 - life.ride.startMs > 60_000)!
    ridden.body.locked = true
    const place = { lat: ridden.body.lat, lng: ridden.body.lng }
    fleet.step(startMs + 480_200, 200)
    expect(ridden.life).toMatchObject({ ride: null, state: 'available' })
    expect(distance(toPoint(ridden.body), toPoint(place))).toBeLessThan(3)

    const all = make()
    for (const { body } of all.vehicles) body.locked = false
    live(all, 5)
    expect(all.vehicles.filter(({ life }) => life.ride)).toEqual([])
    const unreachable = make({ isReachable: () => false })
    live(unreachable, 5)
    expect(unreachable.vehicles.filter(({ life }) => life.ride)).toEqual([])
  })

  it('goes on from a record: same places, same charge, rides under way', () => {
    const earlier = createLife({ seed: 7, town, from: { count: 180, startMs: startMs - 6 * hourMs }, faults: 0.3 })
    earlier.advance(startMs)
    const record = JSON.parse(JSON.stringify(earlier.record())) as LifeRecord
    const fleet = make({ from: record })
    expect(fleet.life.nowMs).toBe(startMs)
    const riding = record.vehicles.filter(({ ride }) => ride).map(({ index }) => index)
    expect(riding.length).toBeGreaterThan(0)
    expect(fleet.vehicles.filter(({ body }) => !body.locked).map(({ index }) => index)).toEqual(riding)
    for (const { index, body } of fleet.vehicles) {
      expect(Math.abs(body.batteryPercent - record.vehicles[index]!.battery)).toBeLessThan(2)
      if (!riding.includes(index)) expect(distance(toPoint(body), record.vehicles[index]!.point)).toBeLessThan(0.2)
    }
    live(fleet, 30)
    expect(
      riding.filter((index) => fleet.vehicles[index]!.life.ride?.number === record.vehicles[index]!.ride!.number),
    ).toEqual([])
  })

  it('lets devices stumble only as much as it is told', () => {
    const calm = make()
    live(calm, 3)
    for (const { device } of calm.vehicles) {
      expect(device.troubles).toMatchObject({
        noSatellites: false,
        stuckBolt: false,
        duplicateChance: 0,
        clockSkewMs: 0,
      })
    }
    const bad = make({ faults: 1 })
    expect(bad.vehicles.filter(({ device }) => device.troubles.clockSkewMs !== 0).length).toBeGreaterThan(10)
    const drops: number[] = []
    live(bad, 20, () => {
      for (const { troubles } of bad.vehicles) {
        const dropMs = troubles.takeDrop()
        if (dropMs !== null) drops.push(dropMs)
      }
    })
    expect(drops.length).toBeGreaterThan(3)
    expect(Math.max(...drops)).toBeGreaterThan(15_000)
  })
})
