import { demoAreas } from '@saddle/contract/demo/city.ts'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { makeCity } from '#sim/city/city.ts'
import { distance, distanceTo, inside, toPoint } from '#sim/city/geometry.ts'
import { createEventHash } from '#sim/history/eventHash.ts'
import { createLife, type LifeRecord } from './life.ts'
import { placeOnWay } from './ride.ts'
import { cityHour, isWeekend, purposes, ridesPerHour } from './rhythm.ts'
import { makeTown } from './town.ts'
import { weatherAt } from './weather.ts'
import { batteryAt, type LifeEvent } from './world.ts'

const city = makeCity()
const town = makeTown(city)
/** Monday 2026-11-16, 00:00 in the city. */
const monday = Date.UTC(2026, 10, 15, 16)
const seed = 5

function live(options: { seed?: number; hours?: number; count?: number; stepMs?: number; faults?: number } = {}) {
  const { hours = 24, count = 240, stepMs = dayMs, faults = 0.5 } = options
  const events: LifeEvent[] = []
  const hash = createEventHash()
  const life = createLife({
    seed: options.seed ?? seed,
    town,
    from: { count, startMs: monday },
    faults,
    listen: (event) => {
      hash.note(event)
      events.push(event)
    },
  })
  const end = monday + hours * hourMs
  for (let now = monday; now < end;) life.advance((now = Math.min(end, now + stepMs)))
  return { life, events, digest: hash.digest() }
}

describe('the life of the city', () => {
  it('is the same day for the same seed, however often one looks, and another for another seed', () => {
    const once = live()
    expect(once.events.length).toBeGreaterThan(1000)
    expect(live({ stepMs: 200_000 }).digest).toBe(once.digest)
    expect(live({ seed: seed + 1 }).digest).not.toBe(once.digest)
  })

  it('goes on from its record exactly as it would have without a stop', () => {
    const whole = live({ hours: 36 })
    const first = live({ hours: 20 })
    const hash = createEventHash()
    const record = JSON.parse(JSON.stringify(first.life.record())) as LifeRecord
    const rest: LifeEvent[] = []
    const life = createLife({ seed, town, from: record, faults: 0.5, listen: (event) => rest.push(event) })
    life.advance(monday + 36 * hourMs)
    for (const event of rest) hash.note(event)
    const wanted = createEventHash()
    for (const event of live({ hours: 36 }).events.slice(first.events.length)) wanted.note(event)
    expect(first.events.length + rest.length).toBe(whole.events.length)
    // Events carry the vehicle itself, so what it became later is compared, which is the same then, too.
    expect(hash.digest()).toBe(wanted.digest())
    expect(life.vehicles.map((vehicle) => vehicle.point)).toEqual(whole.life.vehicles.map((vehicle) => vehicle.point))
  })

  it('takes every vehicle from state to state without a leap', () => {
    const states = new Map<number, string>()
    for (const event of live({ hours: 72, faults: 1 }).events) {
      if (event.kind !== 'state') continue
      expect(event.from).toBe(states.get(event.vehicle.index) ?? 'available')
      states.set(event.vehicle.index, event.to)
    }
    expect(states.size).toBeGreaterThan(200)
  })

  it('lets people ride along the streets, at their speed, from where the vehicle stood', () => {
    const { events } = live({ hours: 12 })
    const places = new Map<number, readonly [number, number]>()
    let rides = 0
    let strayed = 0
    for (const event of events) {
      if (event.kind === 'placed' || event.kind === 'theft_end') places.delete(event.vehicle.index)
      if (event.kind !== 'trip_end') continue
      const { ride } = event
      rides++
      const { way } = ride
      const first = placeOnWay(way, 0).point
      const known = places.get(ride.vehicle)
      if (known) expect(distance(first, known)).toBeLessThan(0.001)
      const last = placeOnWay(way, Infinity).point
      places.set(ride.vehicle, [last[0], last[1]])
      const area = demoAreas[event.vehicle.areaIndex]!.ring.map(([lng, lat]) => toPoint({ lng, lat }))
      if (!inside(last, area)) strayed++
      for (let index = 1; index < way.atS.length; index++) {
        const took = way.atS[index]! - way.atS[index - 1]!
        const moved = distance([way.x[index - 1]!, way.y[index - 1]!], [way.x[index]!, way.y[index]!])
        expect(took).toBeGreaterThan(0)
        // Rolling onto the kerb adds a few metres to what the route has.
        if (moved > 45) expect((moved / took) * 3.6).toBeLessThan(30)
      }
    }
    expect(rides).toBeGreaterThan(120)
    expect(strayed).toBeLessThan(rides * 0.03)
    const sample = events.flatMap((event) => (event.kind === 'trip_start' ? [event.ride] : [])).slice(0, 12)
    for (const { way } of sample) {
      for (let index = 2; index + 2 < way.atS.length; index++) {
        const place = [way.x[index]!, way.y[index]!] as const
        const near = city.net.streets.some(
          ({ points }) => Math.abs(points[0]![0] - place[0]) < 1500 && distanceTo(place, points) < 16,
        )
        expect(near).toBe(true)
      }
    }
  })

  it('follows the clock: to work in the morning, home in the evening, little at night', () => {
    const starts = Array.from({ length: 24 }, () => 0)
    const { events } = live({ hours: 5 * 24, count: 480, faults: 0 })
    for (const event of events) {
      if (event.kind === 'trip_start') starts[Math.floor(cityHour(event.atMs))]! += 1
    }
    const night = starts.slice(2, 5).reduce((sum, count) => sum + count, 0) / 3
    expect(starts[7]).toBeGreaterThan(6 * night)
    expect(starts[18]).toBeGreaterThan(5 * night)
    expect(starts[10]).toBeLessThan(starts[8]!)
    const morning = events.flatMap((event) =>
      event.kind === 'trip_start' && Math.floor(cityHour(event.atMs)) === 7 ? [event.ride] : [],
    )
    const pull = (kind: 'home' | 'work', end: 'from' | 'to') =>
      morning.reduce((sum, ride) => sum + town.anchors[ride[end]]!.pull[kind], 0)
    expect(pull('work', 'to')).toBeGreaterThan(1.1 * pull('work', 'from'))
    expect(pull('home', 'from')).toBeGreaterThan(pull('home', 'to'))
  })

  it('has the levels of a real operator: rides, kilometres and minutes, with a long tail', () => {
    const days = 14
    const count = 600
    const { events } = live({ hours: days * 24, count, faults: 0.2 })
    const rides = events.flatMap((event) => (event.kind === 'trip_end' ? [event.ride] : []))
    const minutes = rides.map(({ startMs, endMs }) => (endMs - startMs) / minuteMs).toSorted((a, b) => a - b)
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const at = (share: number) => minutes[Math.floor(minutes.length * share)]!
    const day = ({ vehicle, startMs }: { vehicle: number; startMs: number }) =>
      `${vehicle} ${Math.floor((startMs - monday) / dayMs)}`
    const active = new Set(rides.map(day)).size
    expect(rides.length / active).toBeGreaterThan(2.7)
    expect(rides.length / active).toBeLessThan(3.6)
    expect(mean(rides.map(({ lengthM }) => lengthM / 1000))).toBeGreaterThan(2.6)
    expect(mean(rides.map(({ lengthM }) => lengthM / 1000))).toBeLessThan(3.2)
    expect(mean(minutes)).toBeGreaterThan(12)
    expect(mean(minutes)).toBeLessThan(15)
    expect(at(0.5)).toBeLessThan(mean(minutes) - 1)
    expect(at(0.99)).toBeGreaterThan(3 * mean(minutes))
    expect(at(0.01)).toBeLessThan(2)
    const round = rides.filter(({ from, to }) => from === to).length
    expect(round / rides.length).toBeGreaterThan(0.02)
  })

  it('has hot places and dead ones, regular riders and occasional ones', () => {
    const { life, events } = live({ hours: 28 * 24, count: 1_200, faults: 0 })
    const rides = events.flatMap((event) => (event.kind === 'trip_end' ? [event.ride] : []))
    const counted = (keys: readonly (string | number)[]) => {
      const counts = new Map<string | number, number>()
      for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
      return [...counts.values()].toSorted((a, b) => b - a)
    }
    const share = (counts: readonly number[], part: number) =>
      counts.slice(0, Math.ceil(counts.length * part)).reduce((sum, count) => sum + count, 0) / rides.length
    const places = counted(rides.map(({ from }) => from))
    expect(share(places, 0.1)).toBeGreaterThan(0.25)
    expect(1 - share(places, 0.5)).toBeLessThan(0.25)
    const company = (vehicle: number) => demoAreas[life.vehicles[vehicle]!.areaIndex]!.agentKey
    const riders = counted(rides.map(({ vehicle, rider }) => `${company(vehicle)} ${rider}`))
    expect(riders.length).toBeGreaterThan(5_000)
    expect(share(riders, 0.1)).toBeGreaterThan(0.35)
    expect(riders.filter((count) => count <= 2).length / riders.length).toBeGreaterThan(0.25)
    expect(riders[0]).toBeLessThan(28 * 8)
    const relations = counted(rides.map(({ vehicle, rider, from, to }) => `${company(vehicle)} ${rider} ${from} ${to}`))
    expect(1 - relations.length / rides.length).toBeGreaterThan(0.15)
  })

  it('is kept going by staff: empty batteries are changed within a day, strays brought home', () => {
    const { life, events } = live({ hours: 6 * 24 })
    const swaps = events.filter(({ kind }) => kind === 'swapped')
    expect(swaps.length).toBeGreaterThan(100)
    const late = life.openTasks.filter(
      ({ kind, openedAtMs }) => kind === 'battery_swap' && openedAtMs < life.nowMs - dayMs,
    )
    expect(late).toEqual([])
    for (const vehicle of life.vehicles) expect(batteryAt(vehicle, life.nowMs)).toBeGreaterThan(0)
    const kinds = new Set(events.flatMap((event) => (event.kind === 'task' ? [event.task.kind] : [])))
    expect([...kinds].toSorted()).toEqual(['battery_swap', 'inspect', 'move', 'repair', 'retrieve'])
  })

  it('has mishaps as often as it is told, each of which comes to an end', () => {
    const calm = live({ hours: 48, faults: 0 }).events
    expect(calm.filter(({ kind }) => kind === 'line' || kind === 'theft_start')).toEqual([])
    const { events } = live({ hours: 10 * 24, faults: 1, count: 480 })
    const opened = new Map<string, number>()
    const closed = new Map<string, number>()
    for (const event of events) {
      if (event.kind !== 'alarm') continue
      const counts = event.open ? opened : closed
      counts.set(event.alarm, (counts.get(event.alarm) ?? 0) + 1)
    }
    for (const alarm of ['fall', 'illegal_movement', 'low_battery', 'offline', 'outside_area', 'power_cut', 'tamper']) {
      expect(opened.get(alarm), alarm).toBeGreaterThan(0)
      expect(closed.get(alarm), alarm).toBeGreaterThan(0)
    }
  })

  it('ends a ride where somebody else locks the vehicle', () => {
    const { life } = live({ hours: 8 })
    life.advance(monday + 8 * hourMs + 1)
    const vehicle = life.vehicles.find(({ ride }) => ride && life.nowMs - ride.startMs > 120_000)!
    const there = placeOnWay(vehicle.ride!.way, (life.nowMs - vehicle.ride!.startMs) / 1000)
    life.lockRide(vehicle)
    expect(vehicle).toMatchObject({ ride: null, state: 'available', point: there.point })
    life.advance(life.nowMs + dayMs)
    expect(life.vehicles.filter(({ ride }) => ride).length).toBeLessThan(60)
  })
})

describe('rhythm and weather', () => {
  it('knows the weekend and the hour of the city', () => {
    expect(cityHour(monday)).toBe(0)
    expect([0, 4, 5, 6].map((day) => isWeekend(monday + day * dayMs))).toEqual([false, false, true, true])
    const work = purposes.find(({ name }) => name === 'to work')!
    expect(ridesPerHour(work, monday + 8 * hourMs)).toBeGreaterThan(
      3 * ridesPerHour(work, monday + 5 * dayMs + 8 * hourMs),
    )
  })

  it('has all weathers, steady for hours, and fewer riders when it is wet', () => {
    const month = Array.from({ length: 240 }, (_, block) => weatherAt(seed, monday + block * 3 * hourMs))
    expect(new Set(month.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(3)
    const wet = month.find(({ kind }) => kind === 'rain')!
    const dry = month.find(({ kind }) => kind === 'clear')!
    expect(wet.demand).toBeLessThan(0.6 * dry.demand)
    expect(weatherAt(seed, monday).kind).toBe(weatherAt(seed, monday + hourMs).kind)
  })
})
