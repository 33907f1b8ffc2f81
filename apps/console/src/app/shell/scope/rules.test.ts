import { expect, test } from 'vitest'
import { chosenOf, scopeLabel, selectionOf, stillGranted } from './rules.ts'

const options = [
  { id: 3, title: '甲' },
  { id: 4, title: '乙' },
  { id: 5, title: '丙' },
]
const same = (key: string): string => key

test('the full set is stored as undefined', () => {
  expect(selectionOf(new Set([3, 4, 5]), options)).toBeUndefined()
  expect(selectionOf(new Set([3, 4, 5, 99]), options)).toBeUndefined()
})

test('a part is stored as the ids that exist', () => {
  expect(selectionOf(new Set([5, 3, 99]), options)).toEqual([3, 5])
})

test('a stored selection is read back', () => {
  expect([...chosenOf(undefined, options)]).toEqual([3, 4, 5])
  expect([...chosenOf([4, 77], options)]).toEqual([4])
})

test('the header shows 全选 or a count', () => {
  expect(scopeLabel(undefined, same)).toBe('全选')
  expect(scopeLabel([3, 5], same)).toBe('2个')
})

test('what is no longer granted drops out of a stored selection', () => {
  expect(stillGranted([4, 77], options)).toEqual([4])
  expect(stillGranted([77], options)).toBeUndefined()
  expect(stillGranted([3, 4, 5], options)).toBeUndefined()
  expect(stillGranted(undefined, options)).toBeUndefined()
})
