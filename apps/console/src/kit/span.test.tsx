import { expect, test } from 'vitest'
import { changeOf, daysBetween, spanBefore, spanOf } from './span.ts'

test('a span of days, and the one of the same length before it', () => {
  expect(daysBetween('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
  expect(spanBefore('2026-03-01', '2026-03-07')).toEqual({ from: '2026-02-22', to: '2026-02-28' })
})

test('a change is part of what was before', () => {
  expect(changeOf(12, 10)).toBeCloseTo(20)
  expect(changeOf(5, 10)).toBe(-50)
  expect(changeOf(5, 0)).toBeNull()
})

test('a link that asks for too much or for nonsense gets the usual days', () => {
  const read = (query: string) => spanOf(new URLSearchParams(query), { max: 7, usual: 1 })
  expect(read('from=2026-03-01&to=2026-03-07')).toEqual({ from: '2026-03-01', to: '2026-03-07' })
  for (const query of [
    '',
    'from=2026-03-01&to=2026-03-08',
    'from=2026-03-02&to=2026-03-01',
    'from=x&to=2026-03-01',
    'from=2026-99-01&to=2026-99-02',
  ]) {
    const { from, to } = read(query)
    expect(from).toBe(to)
  }
})
