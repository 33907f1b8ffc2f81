import { expect, test } from 'vitest'
import { businessTime, csvCell } from './csv.ts'

test.each([
  ['=1+1', '"\'=1+1"'],
  ['  +86 138', '"\'  +86 138"'],
  ['\u0007@SUM(A1)', '"\'\u0007@SUM(A1)"'],
  ['＝1', '"\'＝1"'],
  ['a "b", c', '"a ""b"", c"'],
  ['多行\n文本', '"多行\n文本"'],
  ['SD100001', 'SD100001'],
])('a cell of %j cannot be taken for a formula nor break the line', (text, cell) => {
  expect(csvCell(text)).toBe(cell)
})

test('nothing stays empty', () => {
  expect(csvCell(null)).toBe('')
  expect(csvCell(-1)).toBe('-1')
  expect(businessTime(null)).toBe('')
})

test('a time is told to the second, whatever was told before it', () => {
  const start = Date.UTC(2026, 10, 20, 15, 58, 30)
  const told = [0, 29_999, 30_000, 90_000, 89_999, 1].map((after) => businessTime(start + after))
  expect(told.map((text) => text.slice(5))).toEqual([
    '11-20 23:58:30',
    '11-20 23:58:59',
    '11-20 23:59:00',
    '11-21 00:00:00',
    '11-20 23:59:59',
    '11-20 23:58:30',
  ])
})
