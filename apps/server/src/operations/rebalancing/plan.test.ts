import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { businessOffsetMs } from '@saddle/contract/time.ts'
import { planeM, type LatLng } from '@saddle/geo/earth.ts'
import { forecastOf, hourOfWeek, hoursOfWeek } from '#operations/demand/forecast.ts'
import { choose } from './choose.ts'
import { detour } from './detour.ts'
import { expectedLosses } from './losses.ts'
import { planMoves, usualLimits, type Move, type Place } from './moves.ts'
import { makePlan, minutesOf } from './plan.ts'
import { planRoute } from './route.ts'

const limits = { ...usualLimits, vehiclesMax: 6, gainMin: 0 }
const spot = fc.record({
  lat: fc.double({ min: 31.2, max: 31.23, noNaN: true }),
  lng: fc.double({ min: 120.6, max: 120.63, noNaN: true }),
})

describe('expected losses', () => {
  it('of a rider who comes for certain are what is missing', () => {
    const losses = expectedLosses([{ wanted: 4, arrived: 0 }])
    expect(losses[0]).toBeCloseTo(4, 6)
    expect(losses[60]).toBeCloseTo(0, 6)
    expect(losses[4]).toBeGreaterThan(0.3)
    expect(losses[4]).toBeLessThan(1)
  })

  it('are those of many played hours', () => {
    // Exponential gaps by a fixed generator: the truth that the steps approximate.
    let seed = 7
    const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    const hours = [
      { wanted: 3, arrived: 1 },
      { wanted: 1, arrived: 2 },
    ]
    const games = 20_000
    let lost = 0
    for (let game = 0; game < games; game += 1) {
      let stock = 2
      for (const { wanted, arrived } of hours) {
        for (let at = -Math.log(random()) / (wanted + arrived); at < 1; at -= Math.log(random()) / (wanted + arrived)) {
          if (random() * (wanted + arrived) > wanted) stock += 1
          else if (stock > 0) stock -= 1
          else lost += 1
        }
      }
    }
    expect(expectedLosses(hours)[2]).toBeCloseTo(lost / games, 1)
  })

  it('fall with every vehicle, each time by less', () => {
    const rate = fc.double({ min: 0, max: 12, noNaN: true })
    fc.assert(
      fc.property(fc.array(fc.record({ wanted: rate, arrived: rate }), { minLength: 1, maxLength: 6 }), (hours) => {
        const losses = expectedLosses(hours)
        for (let stock = 1; stock < losses.length - 1; stock += 1) {
          const [more, now, fewer] = [losses[stock + 1]!, losses[stock]!, losses[stock - 1]!]
          expect(fewer - now).toBeGreaterThanOrEqual(now - more - 1e-9)
          expect(now - more).toBeGreaterThanOrEqual(-1e-9)
        }
      }),
      { numRuns: 60 },
    )
  })
})

const worthOf = (
  places: readonly Place[],
  moves: readonly Pick<Move, 'from' | 'to' | 'vehicles' | 'distanceM'>[],
): number => {
  const stocks = places.map(({ stock }) => stock)
  let way = 0
  for (const { from, to, vehicles, distanceM } of moves) {
    stocks[from]! -= vehicles
    stocks[to]! += vehicles
    way += (vehicles * distanceM * limits.ridesOfKm) / 1_000
  }
  return places.reduce((sum, place, at) => sum + place.losses[place.stock]! - place.losses[stocks[at]!]!, 0) - way
}

/** Every plan there is, of at most so many vehicles. */
function bestWorth(places: readonly Place[], vehiclesMax: number): number {
  const pairs = places.flatMap((_, from) => places.flatMap((__, to) => (from === to ? [] : [{ from, to }])))
  let best = 0
  const chosen = pairs.map(() => 0)
  const search = (at: number, left: number): void => {
    const moves = pairs.flatMap(({ from, to }, index) =>
      chosen[index] === 0
        ? []
        : [{ from, to, vehicles: chosen[index]!, distanceM: planeM(places[from]!, places[to]!) * detour }],
    )
    const given = places.map((_, from) =>
      moves.reduce((sum, move) => sum + (move.from === from ? move.vehicles : 0), 0),
    )
    if (given.some((count, from) => count > places[from]!.movable)) return
    best = Math.max(best, worthOf(places, moves))
    if (left === 0) return
    for (let next = at; next < pairs.length; next += 1) {
      chosen[next]! += 1
      search(next, left - 1)
      chosen[next]! -= 1
    }
  }
  search(0, vehiclesMax)
  return best
}

describe('moves', () => {
  const rate = fc.double({ min: 0, max: 5, noNaN: true })
  const place = fc
    .record({ at: spot, stock: fc.nat({ max: 6 }), wanted: rate, arrived: rate })
    .map(({ at, stock, wanted, arrived }): Place => {
      const losses = expectedLosses([
        { wanted, arrived },
        { wanted, arrived },
      ])
      return { id: 0, lat: at.lat, lng: at.lng, stock, movable: stock, room: null, losses }
    })

  it('are within a tenth of the best there are', () => {
    let [reached, possible] = [0, 0]
    fc.assert(
      fc.property(fc.array(place, { minLength: 2, maxLength: 4 }), (places) => {
        const worth = worthOf(places, planMoves(places, { ...limits, vehiclesMax: 4 }))
        const best = bestWorth(places, 4)
        reached += worth
        possible += best
        expect(worth).toBeGreaterThanOrEqual(0.9 * best - 1e-6)
      }),
      { numRuns: 150 },
    )
    expect(reached / possible).toBeGreaterThan(0.97)
  })

  it('take no more than may be taken, leave no more than there is room for, and say what they bring', () => {
    const poor: Place = {
      id: 1,
      lat: 31.2,
      lng: 120.6,
      stock: 0,
      movable: 0,
      room: 2,
      losses: expectedLosses([{ wanted: 6, arrived: 0 }]),
    }
    const rich: Place = {
      ...poor,
      id: 2,
      lat: 31.21,
      stock: 9,
      movable: 3,
      room: null,
      losses: expectedLosses([{ wanted: 0, arrived: 3 }]),
    }
    const moves = planMoves([poor, rich])
    expect(moves).toMatchObject([{ from: 1, to: 0, vehicles: 2 }])
    expect(moves[0]!.gain).toBeCloseTo(poor.losses[0]! - poor.losses[2]!, 9)
    expect(planMoves([{ ...poor, room: null }, rich])).toMatchObject([{ vehicles: 3 }])
    expect(planMoves([poor, { ...rich, movable: 0 }])).toEqual([])
    expect(planMoves([poor, { ...rich, lat: 31.9 }])).toEqual([])
  })
})

/** The shortest way through all stops, by trying every order that fits. */
function shortest(stops: readonly { at: LatLng; load: number }[], depot: LatLng, capacity: number): number {
  let best = Infinity
  const walk = (left: readonly number[], at: LatLng, aboard: number, metres: number): void => {
    if (metres >= best) return
    if (left.length === 0) {
      best = Math.min(best, metres + planeM(at, depot) * detour)
      return
    }
    for (const next of left) {
      const { at: there, load } = stops[next]!
      if (aboard + load < 0 || aboard + load > capacity) continue
      walk(
        left.filter((one) => one !== next),
        there,
        aboard + load,
        metres + planeM(at, there) * detour,
      )
    }
  }
  walk(
    stops.map((_, index) => index),
    depot,
    0,
    0,
  )
  return best
}

describe('a route', () => {
  const flow = fc.record({
    from: fc.nat({ max: 3 }),
    to: fc.integer({ min: 4, max: 7 }),
    vehicles: fc.integer({ min: 1, max: 2 }),
  })

  it('is within a tenth of the shortest, and never carries more than fits or less than nothing', () => {
    fc.assert(
      fc.property(
        fc.array(spot, { minLength: 9, maxLength: 9 }),
        fc.array(flow, { minLength: 1, maxLength: 4 }),
        (spots, moves) => {
          const [depot, ...places] = spots as [LatLng, ...LatLng[]]
          const capacity = 8
          const { stops, distanceM } = planRoute({ places, moves, van: { capacity, depot } })
          let aboard = 0
          const loads = new Map<number, number>()
          for (const { place, load } of stops) {
            aboard += load
            expect(aboard).toBeGreaterThanOrEqual(0)
            expect(aboard).toBeLessThanOrEqual(capacity)
            loads.set(place, (loads.get(place) ?? 0) + load)
          }
          const wanted = new Map<number, number>()
          for (const { from, to, vehicles } of moves) {
            wanted.set(from, (wanted.get(from) ?? 0) + vehicles)
            wanted.set(to, (wanted.get(to) ?? 0) - vehicles)
          }
          expect(loads).toEqual(wanted)
          const all = [...wanted].map(([place, load]) => ({ at: places[place]!, load }))
          expect(distanceM).toBeLessThanOrEqual(1.1 * shortest(all, depot, capacity) + 1)
        },
      ),
      { numRuns: 120 },
    )
  })

  it('comes back for what did not fit', () => {
    const places = [
      { lat: 31.2, lng: 120.6 },
      { lat: 31.21, lng: 120.6 },
    ]
    const van = { capacity: 4, depot: places[0]! }
    const { stops } = planRoute({ places, moves: [{ from: 0, to: 1, vehicles: 10 }], van })
    expect(stops.map(({ load }) => load)).toEqual([4, -4, 4, -4, 2, -2])
  })

  it('is home in time: fewer vehicles are carried when the day is short', () => {
    const losses = expectedLosses([{ wanted: 8, arrived: 0 }])
    const none = expectedLosses([{ wanted: 0, arrived: 1 }])
    const places = Array.from({ length: 20 }, (_, id): Place => {
      const isRich = id % 2 === 0
      const stock = isRich ? 10 : 0
      return {
        id,
        lat: 31.2 + id * 0.003,
        lng: 120.6,
        stock,
        movable: stock,
        room: null,
        losses: isRich ? none : losses,
      }
    })
    const van = { capacity: 10, depot: places[0]! }
    const long = makePlan({ places, van, minutesMax: 600 })
    const short = makePlan({ places, van, minutesMax: 60 })
    expect(short.minutes).toBeLessThanOrEqual(60)
    expect(short.minutes).toBe(minutesOf(short.route))
    expect(short.moves.length).toBeGreaterThan(0)
    expect(short.lostAfter).toBeGreaterThan(long.lostAfter)
    expect(long.lostAfter).toBeLessThan(long.lostBefore)
  })
})

describe('a forecast', () => {
  it('knows the hour of the business week', () => {
    expect(hourOfWeek(Date.UTC(2026, 10, 22, 16), businessOffsetMs)).toBe(0)
    expect(hourOfWeek(Date.UTC(2026, 10, 22, 15, 59), businessOffsetMs)).toBe(167)
  })

  it('follows what was seen, and the usual day where little was', () => {
    const wanted = new Float64Array(2 * hoursOfWeek)
    // A busy place with a morning top on every working day, and one that was seen once.
    for (const day of [0, 1, 2, 3, 4]) wanted[day * 24 + 8] = 40
    wanted[hoursOfWeek + 8] = 1
    const { wanted: rates } = forecastOf({ places: 2, weeks: 4, wanted, arrived: wanted })
    expect(rates[8]).toBeCloseTo(10, 0)
    expect(rates[9]).toBeCloseTo(0, 6)
    expect(rates[hoursOfWeek + 8]).toBeGreaterThan(rates[hoursOfWeek + 32]!)
    expect(rates[hoursOfWeek + 32]).toBeGreaterThan(0)
  })
})

describe('the vehicles of what was wished', () => {
  const none = expectedLosses([{ wanted: 0, arrived: 0 }])
  const place = { lat: 31.2, lng: 120.6, losses: none, stock: 0, idle: [] }
  const places = [
    { ...place, id: 1, name: 'from', stock: 5, idle: [11, 12, 13, 14, 15] },
    { ...place, id: 2, name: 'a' },
    { ...place, id: 3, name: 'b' },
  ]
  const wish = (toFenceId: number, vehicles: number) => ({ fromFenceId: 1, toFenceId, vehicles })

  it('are every second of those that stand longest; those between stay to compare with', () => {
    const { moves, left } = choose(places, [wish(2, 1), wish(3, 1)])
    expect(moves.map(({ carried }) => carried)).toEqual([[11], [13]])
    expect(left).toEqual([12, 14])
  })

  it('are never told twice: who goes with a later move does not stay', () => {
    const { moves, left } = choose(places, [wish(2, 2), wish(3, 9)])
    expect(moves.map(({ carried }) => carried)).toEqual([
      [11, 13],
      [15, 12, 14],
    ])
    expect(left).toEqual([])
    expect(choose(places, [wish(1, 1), wish(9, 1)])).toEqual({ moves: [], left: [] })
  })
})
