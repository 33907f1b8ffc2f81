import { expect, test } from 'vitest'
import { businessTime, csvCell, csvLine, csvPart } from './csv.ts'

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

test('numbers stay numbers, nothing stays empty', () => {
  expect(csvLine([-1, 0.5, null, ''])).toBe('-1,0.5,,\r\n')
})

test('a file begins with its titles, and every row ends with the export and the person', () => {
  const origin = { exportId: 'e', operatorName: '=王' }
  const part = { origin, titles: ['甲', '乙'], lines: [csvLine(['1', null]), csvLine([2, '"a"'])] }
  const rows = '1,,e,"\'=王"\r\n2,"""a""",e,"\'=王"\r\n'
  expect(csvPart({ ...part, isFirst: true })).toBe(`\ufeff甲,乙,导出编号,导出人\r\n${rows}`)
  expect(csvPart({ ...part, isFirst: false })).toBe(rows)
  expect(csvPart({ ...part, isFirst: true, lines: [] })).toBe('\ufeff甲,乙,导出编号,导出人\r\n')
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
