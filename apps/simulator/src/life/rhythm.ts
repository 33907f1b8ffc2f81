/** What draws people to a place. */
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

/** Why people ride, and when: rides per vehicle and day where an area has both ends of the trip. */
export const purposes: readonly Purpose[] = [
  { name: 'to work', from: 'home', to: 'work', weekday: [[7.9, 0.55, 0.78]], weekend: [[9, 1.2, 0.14]] },
  { name: 'from work', from: 'work', to: 'home', weekday: [[18.1, 0.9, 0.75]], weekend: [[18, 1.5, 0.14]] },
  { name: 'to the station', from: 'home', to: 'station', weekday: [[7.6, 0.6, 0.29]], weekend: [[10, 2, 0.2]] },
  { name: 'from the station', from: 'station', to: 'home', weekday: [[18.7, 1.1, 0.29]], weekend: [[19.5, 2, 0.2]] },
  { name: 'last mile', from: 'station', to: 'work', weekday: [[8.4, 0.5, 0.22]], weekend: [] },
  { name: 'first mile', from: 'work', to: 'station', weekday: [[17.8, 0.7, 0.2]], weekend: [] },
  {
    name: 'to class',
    from: 'home',
    to: 'campus',
    weekday: [
      [7.8, 0.3, 0.24],
      [9.9, 0.25, 0.17],
      [13.7, 0.3, 0.2],
    ],
    weekend: [[10, 1.5, 0.14]],
  },
  {
    name: 'from class',
    from: 'campus',
    to: 'home',
    weekday: [
      [11.8, 0.3, 0.2],
      [17.2, 0.6, 0.17],
      [21.2, 0.6, 0.17],
    ],
    weekend: [[17, 2, 0.14]],
  },
  { name: 'out in the evening', from: 'campus', to: 'leisure', weekday: [[18.8, 1, 0.12]], weekend: [[15, 2.5, 0.27]] },
  { name: 'leisure', from: 'home', to: 'leisure', weekday: [[19.2, 1.1, 0.27]], weekend: [[14.5, 2.6, 0.71]] },
  { name: 'back home', from: 'leisure', to: 'home', weekday: [[20.9, 1.2, 0.27]], weekend: [[17.5, 2.8, 0.68]] },
  { name: 'lunch', from: 'work', to: 'leisure', weekday: [[11.9, 0.4, 0.17]], weekend: [] },
  { name: 'back from lunch', from: 'leisure', to: 'work', weekday: [[12.9, 0.4, 0.15]], weekend: [] },
  { name: 'errand', from: 'home', to: 'leisure', weekday: [[14.5, 4, 0.8]], weekend: [[13.5, 4, 0.8]] },
  { name: 'late', from: 'leisure', to: 'home', weekday: [[23.6, 1.3, 0.15]], weekend: [[0.4, 1.4, 0.24]] },
  { name: 'shift', from: 'home', to: 'work', weekday: [[5.6, 0.8, 0.09]], weekend: [[5.8, 0.8, 0.07]] },
]

const hourMs = 3_600_000
/** The city's clock runs eight hours before UTC, all year. */
export const cityOffsetMs = 8 * hourMs

/** Hour of the day in the city, 0 to 24, with its fraction. */
export const cityHour = (timeMs: number): number => ((timeMs + cityOffsetMs) / hourMs) % 24

/** Days since 1970 in the city; 1970 began on a Thursday. */
const cityDay = (timeMs: number) => Math.floor((timeMs + cityOffsetMs) / (24 * hourMs))
export const isWeekend = (timeMs: number): boolean => {
  const weekday = (cityDay(timeMs) + 4) % 7
  return weekday === 0 || weekday === 6
}

/** Rides per vehicle and hour at this moment. */
export function ridesPerHour(purpose: Purpose, timeMs: number): number {
  const hour = cityHour(timeMs)
  let sum = 0
  for (const [top, widthH, rides] of isWeekend(timeMs) ? purpose.weekend : purpose.weekday) {
    const away = Math.abs(hour - top)
    const apart = Math.min(away, 24 - away) / widthH
    if (apart < 4) sum += (rides / (widthH * 2.5066)) * Math.exp(-0.5 * apart * apart)
  }
  return sum
}
