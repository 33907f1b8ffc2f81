import { dayMs, hourMs } from '@saddle/contract/time.ts'

export const hoursOfWeek = 168
/** So many weeks of the place's usual profile count as much as what was seen in the hour itself. */
const priorWeeks = 1.5

/** What was seen at places in whole weeks: `place * hoursOfWeek + hour`, where hour 0 is Monday's first. */
export type Seen = {
  readonly places: number
  readonly weeks: number
  /** Rides that began, and riders who wanted one and found nothing. */
  readonly wanted: Float64Array
  /** Rides that ended. */
  readonly arrived: Float64Array
}

/** Expected in an hour of the week, in the same order. */
export type Forecast = { readonly wanted: Float64Array; readonly arrived: Float64Array }

/**
 * What an hour of the week will bring. A place sees few rides in one hour, so what was seen is drawn towards the place's
 * weekly sum spread as the whole area's rides spread over such a day: a busy place on a quiet Tuesday is no quiet place.
 */
export function forecastOf(seen: Seen): Forecast {
  return { wanted: drawn(seen, seen.wanted), arrived: drawn(seen, seen.arrived) }
}

function drawn({ places, weeks }: Seen, counts: Float64Array): Float64Array {
  const profile = profileOf(counts)
  const rates = new Float64Array(places * hoursOfWeek)
  for (let place = 0; place < places; place += 1) {
    const start = place * hoursOfWeek
    let sum = 0
    for (let hour = 0; hour < hoursOfWeek; hour += 1) sum += counts[start + hour] ?? 0
    const weekly = weeks > 0 ? sum / weeks : 0
    for (let hour = 0; hour < hoursOfWeek; hour += 1) {
      const prior = weekly * (profile[hour] ?? 0)
      rates[start + hour] = ((counts[start + hour] ?? 0) + priorWeeks * prior) / (weeks + priorWeeks)
    }
  }
  return rates
}

/** The share of a week's rides that falls into each of its hours; working days are alike, and so are the others. */
function profileOf(counts: Float64Array): Float64Array {
  const profile = new Float64Array(hoursOfWeek)
  for (const [at, count] of counts.entries()) profile[at % hoursOfWeek] = (profile[at % hoursOfWeek] ?? 0) + count
  const total = profile.reduce((sum, count) => sum + count, 0)
  if (total === 0) return profile
  const days = [
    [0, 1, 2, 3, 4],
    [5, 6],
  ]
  for (const alike of days) {
    for (let hour = 0; hour < 24; hour += 1) {
      const sum = alike.reduce((all, day) => all + (profile[day * 24 + hour] ?? 0), 0)
      for (const day of alike) profile[day * 24 + hour] = sum / alike.length / total
    }
  }
  return profile
}

// Monday, 5 January 1970, 0:00 by UTC.
const firstMondayMs = 4 * dayMs

/** The hour of the business week, 0 to 167. `offsetMs`: how much the business's clock is before UTC. */
export function hourOfWeek(atMs: number, offsetMs: number): number {
  const hours = Math.floor((atMs + offsetMs - firstMondayMs) / hourMs)
  return ((hours % hoursOfWeek) + hoursOfWeek) % hoursOfWeek
}
