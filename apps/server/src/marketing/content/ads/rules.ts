import { createHash } from 'node:crypto'
import type { AdContent, AdState } from '@saddle/contract/marketing/ads.ts'
import {
  adEventAgeMaxMs,
  adRiderDayMax,
  type AdEvent,
  type AdEventRefusal,
} from '@saddle/contract/marketing/riderContent.ts'
import { businessDayOf, businessOffsetMs, dayMs, minuteMs } from '@saddle/contract/time.ts'

/** Which placement a rider sees, and which events count. Nothing here reads a clock. */

export type StoredAdState = 'draft' | 'on' | 'paused' | 'ended'

/** What a list calls a placement at a moment. */
export function shownState(
  of: { readonly state: StoredAdState; readonly startsAt: number; readonly endsAt: number | null },
  nowMs: number,
): AdState {
  if (of.state === 'draft' || of.state === 'ended') return of.state
  if (of.endsAt !== null && of.endsAt <= nowMs) return 'ended'
  return of.state === 'on' && of.startsAt > nowMs ? 'scheduled' : of.state
}

/** Whether an hour of the day lies within the hours of a placement, which may go on beyond midnight. */
export function isInHours(hours: AdContent['hours'], atMs: number): boolean {
  if (hours === null) return true
  const minute = Math.floor(((atMs + businessOffsetMs) % dayMs) / minuteMs)
  const { from, to } = hours
  return to > from ? minute >= from && minute < to : minute >= from || minute < to
}

export interface Candidate {
  readonly id: number
  readonly content: AdContent
}

export interface Chosen<C extends Candidate> {
  readonly candidates: readonly C[]
  readonly slot: string
  readonly areaId: number
  /** Whoever looks; the same text always sees the same order on a day. */
  readonly riderKey: string
  readonly nowMs: number
  /** Impressions of the rider today, by placement. */
  readonly seen: ReadonlyMap<number, number>
  /** How many the slot shows. */
  readonly shown: number
}

/** The placements that a rider sees in a slot, in order. */
export function choosePlacements<C extends Candidate>(of: Chosen<C>): C[] {
  const { candidates, slot, areaId, riderKey, nowMs, seen, shown } = of
  const day = businessDayOf(nowMs)
  const fit = candidates.filter(({ id, content }) => {
    const { areaIds, startsAt, endsAt, hours, riderDayCap } = content
    return (
      startsAt <= nowMs &&
      (endsAt === null || endsAt > nowMs) &&
      (areaIds.length === 0 || areaIds.includes(areaId)) &&
      isInHours(hours, nowMs) &&
      (riderDayCap === null || (seen.get(id) ?? 0) < riderDayCap)
    )
  })
  const keyed = fit.map((one) => ({ one, key: orderKey(`${slot} ${day} ${riderKey} ${one.id}`, one.content.weight) }))
  return keyed
    .toSorted((a, b) => a.key - b.key || a.one.id - b.one.id)
    .slice(0, shown)
    .map(({ one }) => one)
}

/**
 * Exponentially distributed with the weight as rate: the smallest of several belongs to each with a chance of its weight
 * over the sum of all, and leaving one out changes the order of no other.
 */
function orderKey(text: string, weight: number): number {
  const drawn = createHash('sha256').update(text).digest().readUInt32BE(0)
  return -Math.log((drawn + 0.5) / 0x1_0000_0000) / weight
}

export interface Seen {
  readonly impressions: number
  readonly taps: number
}

/** Where events of a rider are counted: a placement on a business day. */
export const dayKey = (placementId: number, day: string): string => `${day} ${placementId}`

export interface Counted extends Seen {
  readonly placementId: number
  readonly day: string
}

/** The refusals that need no look at what was counted: of placements that are none of the company's, and of other times. */
export function refusalOf(
  { placementId, at }: Pick<AdEvent, 'placementId' | 'at'>,
  { known, nowMs }: { readonly known: ReadonlySet<number>; readonly nowMs: number },
): AdEventRefusal | null {
  if (!known.has(placementId)) return 'unknown'
  return at > nowMs + 5 * minuteMs || at <= nowMs - adEventAgeMaxMs ? 'late' : null
}

/**
 * Counts events of one rider that were not counted before. A tap needs an impression of its own; beyond the limit of a day
 * nothing counts.
 */
export function countEvents(
  events: readonly AdEvent[],
  before: ReadonlyMap<string, Seen>,
): { readonly counts: Counted[]; readonly refused: { id: string; why: AdEventRefusal }[] } {
  const counts = new Map<string, { placementId: number; day: string; impressions: number; taps: number }>()
  const refused: { id: string; why: AdEventRefusal }[] = []
  const totals = new Map<string, number>()
  for (const [key, { impressions, taps }] of before) {
    const day = key.slice(0, 10)
    totals.set(day, (totals.get(day) ?? 0) + impressions + taps)
  }
  const rank = ({ kind }: AdEvent): number => (kind === 'impression' ? 0 : 1)
  for (const event of events.toSorted((a, b) => rank(a) - rank(b) || a.at - b.at)) {
    const { id, placementId, kind, at } = event
    const day = businessDayOf(at)
    const key = dayKey(placementId, day)
    const known = before.get(key) ?? { impressions: 0, taps: 0 }
    const added = counts.get(key) ?? { placementId, day, impressions: 0, taps: 0 }
    const total = totals.get(day) ?? 0
    const isUnseen = kind === 'tap' && known.taps + added.taps >= known.impressions + added.impressions
    if (total >= adRiderDayMax) refused.push({ id, why: 'over' })
    else if (isUnseen) refused.push({ id, why: 'unseen' })
    else {
      if (kind === 'impression') added.impressions += 1
      else added.taps += 1
      counts.set(key, added)
      totals.set(day, total + 1)
    }
  }
  return { counts: [...counts.values()], refused }
}
