import type { CampaignTerms } from '@saddle/contract/marketing/campaigns.ts'
import { businessDayOf, businessDayStart, dayMs, minuteMs } from '@saddle/contract/time.ts'

/** Whether nothing is sent at a moment, by the riders' day. A span may go over midnight. */
export function isQuiet(quiet: CampaignTerms['quiet'], atMs: number): boolean {
  if (quiet === null) return false
  const minute = Math.floor((atMs - businessDayStart(businessDayOf(atMs))) / minuteMs)
  const { from, to } = quiet
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

/** From when on sends count against the weekly number. */
export const weekBefore = (atMs: number): Date => new Date(atMs - 7 * dayMs)
