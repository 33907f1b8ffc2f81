import { fencePhotosMax, type Fence, type FenceHours, type FenceKind } from '@saddle/contract/geography/fences.ts'
import type { FenceDraft } from '@saddle/contract/geography/manage.ts'
import { shapeOnWire } from '@saddle/contract/geography/exchange.ts'
import { isInRing } from '@saddle/geo/ring.ts'
import { outlineOf } from '@saddle/geo/shape.ts'
import type { Corner } from '#kit/map/draw/corners.ts'
import { centreOf, shapeOf as shapeOfSketch, sketchOf, type Polygon, type Sketch } from '#kit/map/draw/sketch.ts'
import type { Lines } from '#kit/map/draw/snap.ts'
import type { PickedPhoto } from '#kit/photos/shrink.ts'
import { shapeOf } from '../fences/words.ts'

/** What is drawn: the fence itself, pieces that were cut off it, and fences that were joined to it. */
export interface Plan {
  readonly sketch: Sketch | null
  readonly pieces: readonly Polygon[]
  readonly joined: readonly Fence[]
}

export interface Form {
  readonly name: string
  readonly capacity: string
  readonly hours: FenceHours | null
  readonly note: string
  /** Of those it has, the ones it keeps; and those it gets. */
  readonly photoIds: readonly string[]
  readonly photos: readonly PickedPhoto[]
}

export const emptyPlan: Plan = { sketch: null, pieces: [], joined: [] }
export const planOf = (fence: Fence): Plan => ({ ...emptyPlan, sketch: sketchOf(shapeOf(fence)) })
export const formOf = (fence: Fence | null): Form => ({
  name: fence?.name ?? '',
  capacity: fence?.capacity === null || fence?.capacity === undefined ? '' : String(fence.capacity),
  hours: fence?.hours ?? null,
  note: '',
  photoIds: fence?.photoIds ?? [],
  photos: [],
})

/**
 * What was changed here, on top of what somebody else saved meanwhile: a field that was left alone becomes theirs.
 * Photos of theirs stay unless they were taken away here.
 */
export function rebased(mine: Form, { base, newer }: { base: Fence | null; newer: Fence }): Form {
  const [was, theirs] = [formOf(base), formOf(newer)]
  const isSame = (one: Form['hours'], other: Form['hours']): boolean => JSON.stringify(one) === JSON.stringify(other)
  const taken = new Set(was.photoIds.filter((id) => !mine.photoIds.includes(id)))
  return {
    name: mine.name === was.name ? theirs.name : mine.name,
    capacity: mine.capacity === was.capacity ? theirs.capacity : mine.capacity,
    hours: isSame(mine.hours, was.hours) ? theirs.hours : mine.hours,
    note: mine.note,
    photoIds: theirs.photoIds.filter((id) => !taken.has(id)),
    photos: mine.photos,
  }
}

export const photosOver = ({ photoIds, photos }: Pick<Form, 'photoIds' | 'photos'>): number =>
  Math.max(0, photoIds.length + photos.length - fencePhotosMax)

/** The drafts of a plan, the fence itself first; null while it cannot be said. */
export function draftsOf({ sketch, pieces }: Plan, form: Form): FenceDraft[] | null {
  const { name, capacity, hours } = form
  if (photosOver(form) > 0) return null
  const room = capacity.trim() === '' ? null : Number(capacity)
  if (sketch === null || name.trim() === '' || (room !== null && !(Number.isInteger(room) && room >= 0))) return null
  return [sketch, ...pieces].map((one, index) => ({
    name: index === 0 ? name.trim() : `${name.trim()} ${index + 1}`,
    capacity: room,
    hours,
    shape: shapeOnWire(shapeOfSketch(one)),
  }))
}

/** The service area that a place lies in. */
export function areaAt([lng, lat]: Corner, fences: readonly Fence[]): Fence | null {
  return fences.find(({ kind, ring }) => kind === 'service_area' && ring !== null && isInRing(ring, [lng, lat])) ?? null
}

export function areaOfSketch(sketch: Sketch | null, fences: readonly Fence[]): Fence | null {
  return sketch === null ? null : areaAt(centreOf(sketch), fences)
}

/** Lines that corners may be drawn to: those of other fences, and of circles their middles. */
export function linesOf(fences: readonly Fence[]): Lines {
  return fences.flatMap((fence): Lines =>
    fence.ring === null ? [[[fence.centre.lng, fence.centre.lat] as const]] : [fence.ring, ...fence.holes],
  )
}

/** Fences of the same kind that touch what is drawn, the nearest to it first: what it may be joined with. */
export function neighboursOf(
  sketch: Sketch,
  { kind, own, fences }: { kind: FenceKind; own: number | null; fences: readonly Fence[] },
): Fence[] {
  const [lng, lat] = centreOf(sketch)
  const reach = 0.01
  const away = ({ centre }: Fence): number => Math.hypot(centre.lng - lng, centre.lat - lat)
  const near = outlineOf(shapeOfSketch(sketch))
  const [lngs, lats] = [near.map(([one]) => one), near.map(([, one]) => one)]
  const size = Math.max(Math.max(...lngs) - Math.min(...lngs), Math.max(...lats) - Math.min(...lats))
  return fences
    .filter((fence) => fence.kind === kind && fence.lineId !== own && away(fence) < size + reach)
    .toSorted((one, other) => away(one) - away(other))
    .slice(0, 12)
}
