import { expect, test } from 'vitest'
import { LongestFirst, spread } from './sequencer.mjs'

test('a few are spread among many, and nothing is lost', () => {
  expect(spread(['A', 'B'], ['1', '2', '3', '4', '5'])).toEqual(['A', '1', '2', '3', 'B', '4', '5'])
  expect(spread([], ['1', '2'])).toEqual(['1', '2'])
  expect(spread(['A', 'B', 'C'], ['1'])).toEqual(['A', 'B', '1', 'C'])
  expect(spread(['A'], [])).toEqual(['A'])
})

test('the longest browser test begins first', async () => {
  const file = (name, path) => ({ project: { name }, moduleId: `/saddle/${path}` })
  const files = [
    file('e2e', 'e2e/access.test.ts'),
    file('server', 'apps/server/test/isolation/mutation.test.ts'),
    file('e2e', 'e2e/map-selection.test.ts'),
    file('server', 'apps/server/src/app/access.test.ts'),
    file('e2e', 'e2e/routes.test.ts'),
  ]
  const sorted = await LongestFirst.prototype.sort.call({}, files)
  expect(sorted.map(({ moduleId }) => moduleId.slice('/saddle/'.length))).toEqual([
    'e2e/routes.test.ts',
    'apps/server/test/isolation/mutation.test.ts',
    'e2e/map-selection.test.ts',
    'e2e/access.test.ts',
    'apps/server/src/app/access.test.ts',
  ])
})
