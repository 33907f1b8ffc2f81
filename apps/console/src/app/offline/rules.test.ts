import { expect, test } from 'vitest'
import { outdatedCaches, shellCacheOf, treatmentOf } from './rules.ts'

const origin = 'https://bikes.example'
const treat = (path: string, rest: { method?: string; mode?: string } = {}) =>
  treatmentOf({ method: 'GET', mode: 'cors', url: new URL(path, origin).href, origin, ...rest })

test('calls are never answered by the worker', () => {
  for (const path of ['/ebike/v3/backend/task?params=x', '/ws/live', '/outbox', '/docs', '/readyz']) {
    expect(treat(path)).toBe('network')
  }
  expect(treat('/console/', { method: 'POST', mode: 'navigate' })).toBe('network')
  expect(treat('https://elsewhere.example/assets/a.js')).toBe('network')
  expect(treat('/outbox', { mode: 'navigate' })).toBe('network')
})

test('the page, its assets and the tiles are', () => {
  expect(treat('/console/', { mode: 'navigate' })).toBe('page')
  expect(treat('/console/?source=home', { mode: 'navigate' })).toBe('page')
  expect(treat('/assets/main-1a2b.js')).toBe('asset')
  expect(treat('/icons/icon-192.png')).toBe('asset')
  expect(treat('/manifest.webmanifest')).toBe('asset')
  expect(treat('/tiles/12/1/2.pbf')).toBe('tile')
})

test('a new build throws away the shelves of builds before, and nothing else', () => {
  const names = [shellCacheOf('a'), shellCacheOf('b'), 'saddle-tiles', 'someone-else']
  expect(outdatedCaches(names, 'b')).toEqual([shellCacheOf('a')])
})
