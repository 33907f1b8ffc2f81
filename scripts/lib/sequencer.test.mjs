import { expect, test } from 'vitest'
import { spread } from './sequencer.mjs'

test('a few are spread among many, and nothing is lost', () => {
  expect(spread(['A', 'B'], ['1', '2', '3', '4', '5'])).toEqual(['A', '1', '2', '3', 'B', '4', '5'])
  expect(spread([], ['1', '2'])).toEqual(['1', '2'])
  expect(spread(['A', 'B', 'C'], ['1'])).toEqual(['A', 'B', '1', 'C'])
  expect(spread(['A'], [])).toEqual(['A'])
})
