/**
 * Plans of moves: for 10,000 vehicles at 2,000 places with one van's route through them, and what following the plans
 * does to the riders of a simulated week: `node bench/rebalancing.ts [--quick]`.
 */
import { expectedLosses } from '@saddle/server/operations/rebalancing/losses.ts'
import { makePlan } from '@saddle/server/operations/rebalancing/plan.ts'
import type { Place } from '@saddle/server/operations/rebalancing/moves.ts'
import { createRandom } from './lib/random.ts'
import { isQuick, judge, median, state, whole } from './lib/report.ts'
import { learn, liveWeek, openStreets, openTown, rounds, weekMs } from './lib/townWeeks.ts'

const places = 2_000
const vehicles = 10_000
const carried = 600
const horizonHours = 6

const random = createRandom(20_261_121)
/** A town of 12 by 12 km: a few places are busy, most are not, and vehicles stand where rides end. */
function madeUp(): Place[] {
  const pulls = Array.from({ length: places }, () => random() ** 3 * 6)
  const sinks = Array.from({ length: places }, () => random() ** 2)
  const sum = sinks.reduce((all, one) => all + one, 0)
  return pulls.map((wanted, id) => {
    const stock = Math.round(((sinks[id] ?? 0) / sum) * vehicles)
    const hours = Array.from({ length: horizonHours }, () => ({ wanted, arrived: (sinks[id] ?? 0) * 2 }))
    return {
      id,
      lat: 31.2 + random() * 0.108,
      lng: 120.6 + random() * 0.126,
      stock,
      movable: stock,
      room: 36 - Math.min(36, stock),
      losses: expectedLosses(hours),
    }
  })
}

const tookMs: number[] = []
let summary = ''
for (let round = 0; round < (isQuick ? 1 : 5); round += 1) {
  const from = performance.now()
  const made = madeUp()
  const depot = { lat: 31.254, lng: 120.663 }
  const plan = makePlan({
    places: made,
    van: { capacity: 20, depot },
    minutesMax: Infinity,
    limits: { vehiclesMax: carried },
  })
  tookMs.push(performance.now() - from)
  const moved = plan.moves.reduce((sum, move) => sum + move.vehicles, 0)
  summary = `${moved} vehicles in ${plan.moves.length} moves, ${plan.route.stops.length} stops, ${(plan.route.distanceM / 1_000).toFixed(0)} km`
}
judge({
  what: `plan of ${whole(vehicles)} vehicles, ${whole(places)} places`,
  figure: `${(median(tookMs) / 1_000).toFixed(2)} s (${summary})`,
  isMet: median(tookMs) <= 5_000,
  goal: '<= 5 s',
})

const fleet = 2_000
const learnedWeeks = 4
const town = openTown(11)
// A Monday, 0:00 by the city's clock.
const startMs = Date.UTC(2026, 9, 4, 16)
const falls: number[] = []
for (let seed = 1; seed <= (isQuick ? 1 : 3); seed += 1) {
  const streets = openStreets(town, fleet)
  const forecast = learn({ town, streets, vehicles: fleet, seed, startMs, weeks: learnedWeeks })
  const week = { town, vehicles: fleet, seed, startMs: startMs + learnedWeeks * weekMs }
  const without = liveWeek({ ...week, streets: structuredClone(streets) })
  const followed = liveWeek({ ...week, streets: structuredClone(streets), forecast })
  falls.push(1 - followed.lost / without.lost)
  state(
    `  week of seed ${seed}: lost for want of a vehicle`,
    `${whole(without.lost)} of ${whole(without.lost + without.rides)} without, ${whole(followed.lost)} with the list` +
      ` (${whole(followed.carried)} vehicles carried, ${whole(followed.vanKm)} km by ${town.byArea.length} vans,` +
      ` ${rounds.hours.length} rounds a day)`,
  )
}
judge({
  what: 'rides lost for want of a vehicle, same riders',
  figure: `${(median(falls) * 100).toFixed(0)} % fewer (${falls.map((fall) => `${(fall * 100).toFixed(0)} %`).join(', ')})`,
  isMet: Math.min(...falls) >= 0.15,
  goal: '>= 15 % fewer',
})
