import { expect, it } from 'vitest'
import { fillOf, stockAt } from './fill.ts'

it('tells a place that is empty, has room, is nearly full, or holds too many', () => {
  expect([0, 1, 17, 18, 20, 21, 35].map((stock) => fillOf(stock, 20))).toEqual([
    'empty',
    'some',
    'some',
    'full',
    'full',
    'over',
    'over',
  ])
  expect(fillOf(0, null)).toBe('empty')
  expect(fillOf(3, null)).toBe('unknown')
})

it('tells the stock of an hour, and the last one beyond the span', () => {
  const station = { stocks: [4, 0, 7], stock: 7 }
  expect([0, 1, 2, 9].map((hour) => stockAt(station, hour))).toEqual([4, 0, 7, 7])
  expect(stockAt({ stocks: [], stock: 3 }, 0)).toBe(3)
})
