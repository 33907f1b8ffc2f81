import type { HelpState } from '@saddle/contract/marketing/help.ts'

/** Which version of an article riders read, and what its state is called. Nothing here reads a clock. */

export interface Publication {
  readonly state: 'draft' | 'published' | 'withdrawn'
  readonly liveVersion: number | null
  readonly nextVersion: number | null
  readonly nextAtMs: number | null
}

/** The publication as it is at a moment: a version whose time has come has taken the place of the one before. */
export function settled(of: Publication, nowMs: number): Publication {
  if (of.nextVersion === null || of.nextAtMs === null || of.nextAtMs > nowMs) return of
  return { state: 'published', liveVersion: of.nextVersion, nextVersion: null, nextAtMs: null }
}

/** What a list calls it. */
export function shownState(of: Publication, nowMs: number): HelpState {
  const { state, nextAtMs } = settled(of, nowMs)
  return state !== 'published' && nextAtMs !== null ? 'scheduled' : state
}

/** Publishes a version at a moment; one that has come is now. */
export function published(of: Publication, version: number, atMs: number, nowMs: number): Publication {
  const now = settled(of, nowMs)
  if (atMs <= nowMs) return { state: 'published', liveVersion: version, nextVersion: null, nextAtMs: null }
  return { ...now, nextVersion: version, nextAtMs: atMs }
}

/** Takes an article away from riders, or cancels its first publication. */
export function withdrawn(of: Publication, nowMs: number): Publication {
  const { state } = settled(of, nowMs)
  return {
    state: state === 'draft' ? 'draft' : 'withdrawn',
    liveVersion: null,
    nextVersion: null,
    nextAtMs: null,
  }
}

/** The order of ids after one is moved to a position, from 1. */
export function movedTo(ids: readonly number[], id: number, position: number): number[] {
  const others = ids.filter((one) => one !== id)
  return [...others.slice(0, position - 1), id, ...others.slice(position - 1)]
}

/** Views of one rider in a shorter time are one view. */
export const viewEveryMs = 60_000
