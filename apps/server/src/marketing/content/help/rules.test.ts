import { describe, expect, it } from 'vitest'
import { movedTo, published, settled, shownState, withdrawn, type Publication } from './rules.ts'

const now = 1_000
const draft: Publication = { state: 'draft', liveVersion: null, nextVersion: null, nextAtMs: null }

describe('the publication of an article', () => {
  it('is now or at its time, and the version before stays until then', () => {
    const live = published(draft, 1, now, now)
    expect(live).toEqual({ state: 'published', liveVersion: 1, nextVersion: null, nextAtMs: null })
    const planned = published(live, 2, now + 10, now)
    expect(planned).toEqual({ state: 'published', liveVersion: 1, nextVersion: 2, nextAtMs: now + 10 })
    expect(settled(planned, now + 9).liveVersion).toBe(1)
    expect(settled(planned, now + 10)).toEqual({
      state: 'published',
      liveVersion: 2,
      nextVersion: null,
      nextAtMs: null,
    })
    expect(published(planned, 3, now + 30, now + 20), 'the time of 2 has come').toMatchObject({
      liveVersion: 2,
      nextVersion: 3,
    })
  })

  it('has a state for lists', () => {
    const first = published(draft, 1, now + 10, now)
    expect(shownState(draft, now)).toBe('draft')
    expect(shownState(first, now)).toBe('scheduled')
    expect(shownState(first, now + 10)).toBe('published')
    expect(withdrawn(first, now), 'cancelled before it was ever read').toMatchObject({ state: 'draft', nextAtMs: null })
    expect(shownState(withdrawn(first, now + 10), now + 10)).toBe('withdrawn')
  })
})

it('an article moves to a position, and the others make room', () => {
  expect(movedTo([1, 2, 3, 4], 3, 1)).toEqual([3, 1, 2, 4])
  expect(movedTo([1, 2, 3, 4], 1, 2)).toEqual([2, 1, 3, 4])
  expect(movedTo([1, 2, 3, 4], 2, 99)).toEqual([1, 3, 4, 2])
})
