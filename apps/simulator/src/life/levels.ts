/**
 * Prints the levels of the simulated city beside those of a real operator of shared e-bikes in China: rides per vehicle
 * and day, their length and duration, when and where they begin, and how often the same people ride.
 * Usage: npm run --silent city:levels -- [--days 28] [--vehicles 2000] [--seed <number>]
 */
import { parseArgs } from 'node:util'
import { demoAreas, demoVehicleCount } from '@saddle/contract/demo/city.ts'
import { dayMs, minuteMs } from '@saddle/contract/time.ts'
import { makeCity } from '#sim/city/city.ts'
import { citySeed } from '#sim/city/plan.ts'
import { createLife } from './life.ts'
import type { Ride } from './ride.ts'
import { cityHour, isWeekend } from './rhythm.ts'
import { makeTown } from './town.ts'

/** Monday, 00:00 in the city. */
const startMs = Date.UTC(2026, 9, 18, 16)
const faults = 0.2

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { days: text, vehicles: text, seed: text } })
const days = Number(values.days ?? 28)
const count = Number(values.vehicles ?? demoVehicleCount)
const seed = Number(values.seed ?? citySeed)

const rides: Ride[] = []
const life = createLife({
  seed,
  town: makeTown(makeCity()),
  from: { count, startMs },
  faults,
  listen: (event) => {
    if (event.kind === 'trip_end') rides.push(event.ride)
  },
})
life.advance(startMs + days * dayMs)

const print = (name: string, value: string, real = '') => console.log(name.padEnd(34), value.padEnd(58), real)
const number = (value: number, digits = 2) => value.toFixed(digits)
const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)

function spread(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => number(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return `mean ${number(mean(sorted))}  p5 ${at(0.05)}  p50 ${at(0.5)}  p90 ${at(0.9)}  p99 ${at(0.99)}`
}

function counted(keys: readonly (string | number)[]): number[] {
  const counts = new Map<string | number, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts.values()].toSorted((a, b) => b - a)
}

const shareOf = (counts: readonly number[], part: number) =>
  number((100 * counts.slice(0, Math.ceil(counts.length * part)).reduce((sum, one) => sum + one, 0)) / rides.length, 0)

const active = counted(rides.map(({ vehicle, startMs: at }) => `${vehicle} ${Math.floor((at - startMs) / dayMs)}`))
const company = (vehicle: number) => demoAreas[life.vehicles[vehicle]?.areaIndex ?? 0]?.agentKey ?? ''
const riders = counted(rides.map(({ vehicle, rider }) => `${company(vehicle)} ${rider ?? 0}`))
const places = counted(rides.map(({ from }) => from))

print(`${days} days, ${count} vehicles, seed ${seed}`, `${rides.length} rides, ${life.unmet} without a vehicle`, 'real')
print('rides per vehicle and day', number(rides.length / count / days))
print('rides per active vehicle and day', number(rides.length / active.length), '2.8 to 3.1')
print('vehicles ridden on a day, %', number((100 * active.length) / count / days, 0))
print('km', spread(rides.map(({ lengthM }) => lengthM / 1000)), 'mean 2.9')
print('minutes', spread(rides.map((ride) => (ride.endMs - ride.startMs) / minuteMs)), 'mean 13')
print('back where it began, %', number((100 * rides.filter(({ from, to }) => from === to).length) / rides.length, 1))
print(
  'rides from the tenth of the places',
  `${shareOf(places, 0.1)} %, from the emptier half ${100 - Number(shareOf(places, 0.5))} %`,
)
print('rides of the keenest tenth', `${shareOf(riders, 0.1)} % of ${riders.length} riders`)
print('riders with one or two rides, %', number((100 * riders.filter((one) => one <= 2).length) / riders.length, 0))
for (const weekend of [false, true]) {
  const own = rides.filter((ride) => isWeekend(ride.startMs) === weekend)
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const started = own.filter((ride) => Math.floor(cityHour(ride.startMs)) === hour)
    return (100 * started.length) / Math.max(1, own.length)
  })
  print(
    weekend ? 'weekend by hour, %' : 'weekday by hour, %',
    hours.map((share) => share.toFixed(1)).join(' '),
    'top at 17 and 18',
  )
}
