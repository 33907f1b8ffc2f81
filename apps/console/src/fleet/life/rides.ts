import type { LifeEntry } from '@saddle/contract/fleet/life.ts'
import { readReason, reasonOf } from '@saddle/contract/riding/reasons.ts'
import { minuteMs } from '@saddle/contract/time.ts'

/** An entry with what is part of it: of a ride its start and end, and the commands that were given for it. */
export interface LifeLine {
  readonly entry: LifeEntry
  readonly parts: readonly LifeEntry[]
  /** The ride's order, as far as a command names it. */
  readonly orderId: number | null
}

/** Commands and events of a ride may come so much before it begins and after it ends. */
const marginMs = minuteMs
const rideEvents: ReadonlySet<string> = new Set(['reservation_start', 'trip_start', 'trip_end'])
const orderSentence = reasonOf('ofOrder', { order: '{{order}}' })

const isOfRide = (entry: LifeEntry): boolean =>
  (entry.kind === 'event' && rideEvents.has(entry.event)) ||
  (entry.kind === 'command' && entry.command.operatorName === reasonOf('byApp'))

/** One line for each ride instead of three, in the order of the entries. What people did during a ride stays on its own. */
export function foldRides(list: readonly LifeEntry[]): readonly LifeLine[] {
  const trips = list.flatMap((entry) => (entry.kind === 'trip' ? [entry.trip] : []))
  const tripOf = (entry: LifeEntry): number | null =>
    isOfRide(entry)
      ? (trips.find(
          ({ startedAt, endedAt }) =>
            entry.at >= startedAt - marginMs && (endedAt === null || entry.at <= endedAt + marginMs),
        )?.id ?? null)
      : null
  const placed = list.map((entry) => ({ entry, trip: tripOf(entry) }))
  return placed.flatMap(({ entry, trip }): LifeLine[] => {
    if (trip !== null) return []
    if (entry.kind !== 'trip') return [{ entry, parts: [], orderId: null }]
    const parts = placed.filter((one) => one.trip === entry.trip.id).map((one) => one.entry)
    return [{ entry, parts, orderId: parts.map(orderOf).find((id) => id !== null) ?? null }]
  })
}

function orderOf(entry: LifeEntry): number | null {
  if (entry.kind !== 'command') return null
  const found = readReason(entry.command.reason)
  return found?.sentence === orderSentence ? Number(found.values['order']) : null
}
