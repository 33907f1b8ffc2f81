import fc from 'fast-check'
import { expect, it } from 'vitest'
import { centsOfYuan, yuanText } from './money.ts'

it.each([
  [0, '0.00'],
  [5, '0.05'],
  [-5, '-0.05'],
  [123_456, '1234.56'],
  [-100, '-1.00'],
])('%i cents are %s yuan', (cents, text) => {
  expect(yuanText(cents)).toBe(text)
})

it('reads what somebody types', () => {
  expect(['0.5', ' 12 ', '7.05', '0'].map((text) => centsOfYuan(text))).toEqual([50, 1_200, 705, 0])
  for (const text of ['', 'x', '-1', '1.234', '1,5', '.5', '1.', '1e3', '12345678'])
    expect(centsOfYuan(text)).toBeNull()
  expect(centsOfYuan('1234567', 6)).toBeNull()
  expect(centsOfYuan('123456789012.34', 12)).toBe(12_345_678_901_234)
})

it('reads what it writes', () => {
  fc.assert(
    fc.property(fc.nat(999_999_999), (cents) => {
      expect(centsOfYuan(yuanText(cents))).toBe(cents)
    }),
  )
})
