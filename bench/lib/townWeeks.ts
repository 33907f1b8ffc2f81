import { demoAreas } from '@saddle/contract/demo/city.ts'
import { businessOffsetMs, hourMs, minuteMs } from '@saddle/contract/time.ts'
import { makeCity } from '@saddle/simulator/src/city/city.ts'
import { distance, toLngLat } from '@saddle/simulator/src/city/geometry.ts'
import { purposes, ridesPerHour } from '@saddle/simulator/src/life/rhythm.ts'
import { makeTown, type Town } from '@saddle/simulator/src/life/town.ts'
import { weatherAt } from '@saddle/simulator/src/life/weather.ts'
import { childSeed, createRandom } from '@saddle/simulator/src/random.ts'
import {
  forecastOf,
  hourOfWeek,
  hoursOfWeek,
  type Forecast,
  type Seen,
} from '@saddle/server/operations/demand/forecast.ts'
import { expectedLosses } from '@saddle/server/operations/rebalancing/losses.ts'
import type { Place } from '@saddle/server/operations/rebalancing/moves.ts'
import { makePlan, minutesOfStop, minutesOfVehicle, vanKmh } from '@saddle/server/operations/rebalancing/plan.ts'
import { detour } from '@saddle/server/operations/rebalancing/detour.ts'

export const weekMs = hoursOfWeek * hourMs
/** With this many vehicles a place is full, and the rider app sends no rider there. */
const fullAt = 36
const rideKmh = 15
const getOnMinutes = 1.5

/** The vans of a day: when each area's plan is made, how far it looks, how long its crew is out. */
export const rounds = { hours: [5, 10, 15, 20], horizonHours: 6, crewMinutes: 180, capacity: 20 } as const

/** Vehicles as numbers at places: only as much of the town as is needed to see which riders find none. */
export type Streets = {
  stock: number[]
  /** By the minute in which they end, the places where rides end. */
  ending: Map<number, number[]>
  /** By the minute, what vans do: places and vehicles, above zero taken. */
  stops: Map<number, { area: number; place: number; load: number }[]>
  aboard: number[]
}

export type Told = { readonly rides: number; readonly lost: number; readonly carried: number; readonly vanKm: number }

export function openTown(seed: number): Town {
  return makeTown(makeCity(seed))
}

export function openStreets(town: Town, vehicles: number): Streets {
  const stock = town.anchors.map(() => 0)
  for (let index = 0; index < vehicles; index += 1) {
    const own = town.byArea[index % town.byArea.length] ?? []
    const anchor = own[Math.floor(index / town.byArea.length) % own.length] ?? 0
    stock[anchor] = (stock[anchor] ?? 0) + 1
  }
  return { stock, ending: new Map(), stops: new Map(), aboard: demoAreas.map(() => 0) }
}

export function emptySeen(town: Town): Seen {
  const cells = town.anchors.length * hoursOfWeek
  return { places: town.anchors.length, weeks: 0, wanted: new Float64Array(cells), arrived: new Float64Array(cells) }
}

/**
 * Lets riders come for a week. Who comes when, from where to where depends on the seed and the minute alone, so the
 * riders of two weeks with one seed are the same, whatever the vans do. With a forecast the vans follow its plans.
 */
export function liveWeek(options: {
  town: Town
  streets: Streets
  vehicles: number
  seed: number
  startMs: number
  seen?: Seen
  forecast?: Forecast
}): Told {
  const { town, streets, startMs, seen, forecast } = options
  const told = { rides: 0, lost: 0, carried: 0, vanKm: 0 }
  const note = (list: Float64Array | undefined, place: number, atMs: number): void => {
    const cell = place * hoursOfWeek + hourOfWeek(atMs, businessOffsetMs)
    if (list !== undefined) list[cell] = (list[cell] ?? 0) + 1
  }
  for (let atMs = startMs; atMs < startMs + weekMs; atMs += minuteMs) {
    const minute = atMs / minuteMs
    for (const place of streets.ending.get(minute) ?? []) {
      streets.stock[place] = (streets.stock[place] ?? 0) + 1
      note(seen?.arrived, place, atMs)
    }
    streets.ending.delete(minute)
    told.carried += driveVans(streets, minute)
    if (forecast !== undefined) told.vanKm += sendVans({ town, streets, forecast, atMs })
    for (const { origin, goal } of ridersOf({ ...options, atMs })) {
      const from = [origin, ...(town.near[origin] ?? [])].find((place) => (streets.stock[place] ?? 0) > 0)
      if (from === undefined || from === goal) {
        told.lost += 1
        note(seen?.wanted, origin, atMs)
        continue
      }
      told.rides += 1
      note(seen?.wanted, from, atMs)
      streets.stock[from] = (streets.stock[from] ?? 0) - 1
      const end = minute + Math.max(2, Math.round(minutesBetween(town, from, goal) + getOnMinutes))
      streets.ending.set(end, [...(streets.ending.get(end) ?? []), goal])
    }
  }
  return told
}

const minutesBetween = (town: Town, from: number, to: number): number => {
  return (distanceOf(town, from, to) / 1_000 / rideKmh) * 60
}

function ridersOf(options: { town: Town; streets: Streets; vehicles: number; seed: number; atMs: number }) {
  const { town, streets, vehicles, seed, atMs } = options
  const { demand } = weatherAt(seed, atMs)
  const riders: { origin: number; goal: number }[] = []
  for (const area of demoAreas.keys()) {
    const random = createRandom(childSeed(seed, (atMs / minuteMs) * demoAreas.length + area))
    for (const [number, purpose] of purposes.entries()) {
      const perVehicle = (ridesPerHour(purpose, atMs) / 60) * demand
      const count = random.poisson(perVehicle * (vehicles / demoAreas.length) * town.share(area, number))
      for (let rider = 0; rider < count; rider += 1) {
        // Each rider has their own random numbers, so one rider's decision does not affect another's.
        const own = createRandom(childSeed(random.below(2 ** 31), rider))
        const origin = town.origin(area, number, own)
        let goal = town.goal(origin, number, own)
        for (let tries = 0; tries < 3 && (streets.stock[goal] ?? 0) >= fullAt; tries += 1) {
          goal = town.goal(origin, number, own)
        }
        riders.push({ origin, goal })
      }
    }
  }
  return riders
}

/** Does what the vans are due to do; they load vehicles they find and unload what they carry. */
function driveVans(streets: Streets, minute: number): number {
  let carried = 0
  for (const { area, place, load } of streets.stops.get(minute) ?? []) {
    const stock = streets.stock[place] ?? 0
    const aboard = streets.aboard[area] ?? 0
    const moved = load > 0 ? Math.min(load, stock) : -Math.min(-load, aboard)
    streets.stock[place] = stock - moved
    streets.aboard[area] = aboard + moved
    if (moved < 0) carried -= moved
  }
  streets.stops.delete(minute)
  return carried
}

function sendVans(options: { town: Town; streets: Streets; forecast: Forecast; atMs: number }): number {
  const { town, streets, forecast, atMs } = options
  const hour = ((atMs + businessOffsetMs) / hourMs) % 24
  if (!rounds.hours.some((start) => start === hour)) return 0
  let km = 0
  for (const [area, own] of town.byArea.entries()) {
    const places = own.map((anchor) => placeOf({ town, streets, forecast, atMs, anchor }))
    const [depot] = places
    if (depot === undefined) continue
    const van = { capacity: rounds.capacity, depot }
    const { route } = makePlan({ places, van, minutesMax: rounds.crewMinutes })
    let minutes = 0
    let at = depot
    for (const { place, load } of route.stops) {
      const goal = places[place] ?? depot
      minutes += minutesOfStop + Math.abs(load) * minutesOfVehicle
      minutes += (distanceOf(town, at.id, goal.id) / 1_000 / vanKmh) * 60
      const due = Math.round(atMs / minuteMs + minutes)
      streets.stops.set(due, [...(streets.stops.get(due) ?? []), { area, place: goal.id, load }])
      at = goal
    }
    km += route.distanceM / 1_000
  }
  return km
}

const distanceOf = (town: Town, from: number, to: number): number =>
  distance(town.anchors[from]?.point ?? [0, 0], town.anchors[to]?.point ?? [0, 0]) * detour

function placeOf(options: { town: Town; streets: Streets; forecast: Forecast; atMs: number; anchor: number }): Place {
  const { town, streets, forecast, atMs, anchor } = options
  const [lng, lat] = toLngLat(town.anchors[anchor]?.point ?? [0, 0])
  const stock = streets.stock[anchor] ?? 0
  const hours = Array.from({ length: rounds.horizonHours }, (_, ahead) => {
    const cell = anchor * hoursOfWeek + hourOfWeek(atMs + ahead * hourMs, businessOffsetMs)
    return { wanted: forecast.wanted[cell] ?? 0, arrived: forecast.arrived[cell] ?? 0 }
  })
  return { id: anchor, lat, lng, stock, movable: stock, room: fullAt - stock, losses: expectedLosses(hours) }
}

/** The forecast learned from some weeks without vans. */
export function learn(options: {
  town: Town
  streets: Streets
  vehicles: number
  seed: number
  startMs: number
  weeks: number
}): Forecast {
  const { town, weeks, startMs, ...rest } = options
  const seen = emptySeen(town)
  for (let week = 0; week < weeks; week += 1) liveWeek({ ...rest, town, startMs: startMs + week * weekMs, seen })
  return forecastOf({ ...seen, weeks })
}
