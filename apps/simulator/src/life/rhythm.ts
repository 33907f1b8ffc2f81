import { businessOffsetMs, dayMs, hourMs } from '@saddle/contract/time.ts'
import { childSeed, createRandom } from '#sim/random.ts'

/** The purpose of a trip. */
export const placeKinds = ['home', 'work', 'campus', 'leisure', 'station'] as const
export type PlaceKind = (typeof placeKinds)[number]

/** A bump of demand: the hour of its top, its width (standard deviation) in hours, its rides per vehicle and day. */
type Bump = readonly [hour: number, widthH: number, rides: number]

export type Purpose = {
  readonly name: string
  readonly from: PlaceKind
  readonly to: PlaceKind
  readonly weekday: readonly Bump[]
  readonly weekend: readonly Bump[]
}

/**
 * Why people ride, and when: rides per vehicle and day where an area has both ends of the trip. The sum over a day
 * follows what operators of shared e-bikes in Chinese cities publish: the evening from 17 to 19 h is the top, the
 * morning is lower and narrower, midday and late evening are lively, weekends start late and are flat in the middle.
 */
export const purposes: readonly Purpose[] = [
  { name: 'to work', from: 'home', to: 'work', weekday: [[7.9, 0.8, 0.6]], weekend: [[8.9, 1.5, 0.34]] },
  { name: 'from work', from: 'work', to: 'home', weekday: [[18, 1.1, 0.78]], weekend: [[18.2, 1.7, 0.36]] },
  { name: 'to the station', from: 'home', to: 'station', weekday: [[7.8, 0.9, 0.22]], weekend: [[10, 2.6, 0.34]] },
  { name: 'from the station', from: 'station', to: 'home', weekday: [[18.8, 1.6, 0.34]], weekend: [[19, 2.6, 0.38]] },
  { name: 'last mile', from: 'station', to: 'work', weekday: [[8.6, 0.7, 0.18]], weekend: [] },
  { name: 'first mile', from: 'work', to: 'station', weekday: [[17.9, 0.9, 0.2]], weekend: [] },
  {
    name: 'to class',
    from: 'home',
    to: 'campus',
    weekday: [
      [7.8, 0.5, 0.2],
      [9.8, 0.5, 0.18],
      [13.8, 0.5, 0.18],
    ],
    weekend: [[10.5, 2, 0.28]],
  },
  {
    name: 'from class',
    from: 'campus',
    to: 'home',
    weekday: [
      [11.8, 0.5, 0.16],
      [17.3, 0.9, 0.24],
      [21.3, 0.9, 0.3],
    ],
    weekend: [[17, 2.4, 0.3]],
  },
  {
    name: 'out in the evening',
    from: 'campus',
    to: 'leisure',
    weekday: [[19, 1.3, 0.3]],
    weekend: [[15.5, 3.2, 0.46]],
  },
  { name: 'leisure', from: 'home', to: 'leisure', weekday: [[19.5, 1.7, 0.72]], weekend: [[15, 3.3, 1.16]] },
  { name: 'back home', from: 'leisure', to: 'home', weekday: [[21.4, 1.8, 0.86]], weekend: [[18.6, 3.4, 1.2]] },
  { name: 'lunch', from: 'work', to: 'leisure', weekday: [[11.8, 0.6, 0.22]], weekend: [[11.8, 0.9, 0.16]] },
  { name: 'back from lunch', from: 'leisure', to: 'work', weekday: [[13, 0.6, 0.2]], weekend: [[13.2, 0.9, 0.14]] },
  { name: 'errand', from: 'home', to: 'leisure', weekday: [[9.9, 1.9, 0.62]], weekend: [[10.4, 2.2, 0.56]] },
  {
    name: 'back from an errand',
    from: 'leisure',
    to: 'home',
    weekday: [[14.6, 2.8, 0.62]],
    weekend: [[14.4, 2.8, 0.54]],
  },
  { name: 'on duty', from: 'work', to: 'work', weekday: [[14.6, 2.6, 0.6]], weekend: [[14.6, 2.8, 0.24]] },
  { name: 'late', from: 'leisure', to: 'home', weekday: [[23.2, 1.9, 0.46]], weekend: [[23.6, 1.9, 0.52]] },
  { name: 'shift', from: 'home', to: 'work', weekday: [[6, 1, 0.14]], weekend: [[6.2, 1.1, 0.14]] },
]

/** Hour of the day in the city, 0 to 24, with its fraction. */
export const cityHour = (timeMs: number): number => ((timeMs + businessOffsetMs) / hourMs) % 24

/** Days since 1970 in the city; 1970 began on a Thursday. */
const cityDay = (timeMs: number) => Math.floor((timeMs + businessOffsetMs) / dayMs)
export const isWeekend = (timeMs: number): boolean => {
  const weekday = (cityDay(timeMs) + 4) % 7
  return weekday === 0 || weekday === 6
}

/** Brings the sum of all purposes to the rides that vehicles of a real operator have in a day. */
const liveliness = 0.68

/** Rides per vehicle and hour at this moment. */
export function ridesPerHour(purpose: Purpose, timeMs: number): number {
  const hour = cityHour(timeMs)
  let sum = 0
  for (const [top, widthH, rides] of isWeekend(timeMs) ? purpose.weekend : purpose.weekday) {
    const away = Math.abs(hour - top)
    const apart = Math.min(away, 24 - away) / widthH
    if (apart < 4) sum += (rides / (widthH * 2.5066)) * Math.exp(-0.5 * apart * apart)
  }
  return liveliness * sum
}

/** Random variation of demand between days, as a standard deviation. */
const daySpread = 0.07
/** Factor of this day's demand. */
export const moodOfDay = (seed: number, timeMs: number): number =>
  Math.exp(createRandom(childSeed(seed, 40_000_000 + cityDay(timeMs))).gauss(daySpread))
