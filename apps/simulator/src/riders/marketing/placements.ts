import type { AdPage, AdSlot } from '@saddle/contract/marketing/ads.ts'
import { tapShare } from './choices.ts'
import { requestIdOf, type Visitor } from './visitor.ts'

/** Looks at a slot and reports what was seen and tapped. Resolves to the page that a tap leads to; null: to none of the app. */
export async function lookAt(visitor: Visitor, slot: AdSlot): Promise<AdPage | null> {
  const { city, who, areaId, random } = visitor
  const shown = await visitor.ask('riderPlacements', { ...who, areaId, slot })
  if (shown === null || shown.list.length === 0) return null
  // Banners are swiped, the other slots show one.
  const seen = shown.list.slice(0, slot === 'banner' ? 1 + random.below(shown.list.length) : 1)
  const tapped = seen.find(() => random.chance(tapShare(slot)))
  const id = requestIdOf(visitor, slot.replaceAll('_', '-'))
  const at = city.timer.nowMs
  const events = seen.map((one, index) => ({
    id: `${id}-i${index}`,
    placementId: one.id,
    kind: 'impression' as const,
    at,
  }))
  const taps = tapped === undefined ? [] : [{ id: `${id}-t`, placementId: tapped.id, kind: 'tap' as const, at }]
  const told = await visitor.ask('riderReportPlacements', { ...who, areaId, events: [...events, ...taps] })
  if (told === null) return null
  city.counts.seen += seen.length
  city.counts.tapped += taps.length
  return tapped?.link.to === 'page' ? tapped.link.page : null
}
